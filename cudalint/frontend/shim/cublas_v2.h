// Dense linear algebra: the handle, the enumerations, and the functions by name.
#pragma once
#pragma clang system_header
#include "cuComplex.h"
#define CUBLAS_API_H_
#define CUBLAS_V2_H_
typedef struct cublasContext *cublasHandle_t;
typedef enum { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1, CUBLAS_STATUS_ALLOC_FAILED = 3, CUBLAS_STATUS_INVALID_VALUE = 7, CUBLAS_STATUS_ARCH_MISMATCH = 8, CUBLAS_STATUS_MAPPING_ERROR = 11, CUBLAS_STATUS_EXECUTION_FAILED = 13, CUBLAS_STATUS_INTERNAL_ERROR = 14, CUBLAS_STATUS_NOT_SUPPORTED = 15, CUBLAS_STATUS_LICENSE_ERROR = 16 } cublasStatus_t;
typedef cublasStatus_t cublasStatus;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG = 3 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum { CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2, CUBLAS_TF32_TENSOR_OP_MATH = 3, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16 } cublasMath_t;
typedef enum { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_ALGO0 = 0, CUBLAS_GEMM_ALGO1, CUBLAS_GEMM_ALGO2, CUBLAS_GEMM_ALGO3, CUBLAS_GEMM_ALGO4, CUBLAS_GEMM_ALGO5, CUBLAS_GEMM_ALGO23 = 23, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99, CUBLAS_GEMM_DFALT_TENSOR_OP = 99, CUBLAS_GEMM_ALGO0_TENSOR_OP = 100, CUBLAS_GEMM_ALGO15_TENSOR_OP = 115 } cublasGemmAlgo_t;
typedef enum { CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_16F_PEDANTIC = 65, CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_32F_PEDANTIC = 69, CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_64F_PEDANTIC = 71, CUBLAS_COMPUTE_32I = 72, CUBLAS_COMPUTE_32I_PEDANTIC = 73, CUBLAS_COMPUTE_32F_FAST_16F = 74, CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77 } cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
#define F(n) cublasStatus_t n(...);
#define T4(n) F(cublasS##n) F(cublasD##n) F(cublasC##n) F(cublasZ##n)
#define V2(n) F(n) F(n##_v2)
extern "C" {
V2(cublasCreate) V2(cublasDestroy) V2(cublasGetVersion) V2(cublasSetStream) V2(cublasGetStream) V2(cublasGetPointerMode)
V2(cublasSetPointerMode) F(cublasGetAtomicsMode) F(cublasSetAtomicsMode) F(cublasGetMathMode) F(cublasSetMathMode)
F(cublasSetVector) F(cublasGetVector) F(cublasSetMatrix) F(cublasGetMatrix) F(cublasSetVectorAsync) F(cublasGetVectorAsync)
F(cublasSetMatrixAsync) F(cublasGetMatrixAsync) F(cublasSetWorkspace) F(cublasInit) F(cublasShutdown) F(cublasGetError)
const char *cublasGetStatusString(cublasStatus_t);
const char *cublasGetStatusName(cublasStatus_t);
F(cublasIsamax) F(cublasIdamax) F(cublasIcamax) F(cublasIzamax) F(cublasIsamin) F(cublasIdamin) F(cublasIcamax_64)
F(cublasSasum) F(cublasDasum) F(cublasScasum) F(cublasDzasum) T4(axpy) T4(copy) T4(swap) T4(scal) F(cublasCsscal)
F(cublasZdscal) F(cublasSdot) F(cublasDdot) F(cublasCdotu) F(cublasCdotc) F(cublasZdotu) F(cublasZdotc) F(cublasSnrm2)
F(cublasSnrm2_64) F(cublasDnrm2) F(cublasScnrm2) F(cublasDznrm2) T4(rot) T4(rotg) F(cublasSrotm) F(cublasDrotm)
T4(gemv) T4(gbmv) T4(trmv) T4(trsv) T4(tbmv) T4(tpmv) T4(symv) F(cublasChemv) F(cublasZhemv) F(cublasSger) F(cublasDger)
F(cublasCgeru) F(cublasCgerc) F(cublasZgeru) F(cublasZgerc) T4(syr) T4(syr2) T4(spmv) T4(sbmv) T4(gemm) F(cublasHgemm)
F(cublasSgemmEx) F(cublasGemmEx) F(cublasCgemm3m) F(cublasCgemm_64) F(cublasCdgmm_64) T4(syrk) T4(syr2k) T4(symm) F(cublasChemm)
F(cublasZhemm) F(cublasCherk) F(cublasZherk) T4(trsm) T4(trmm) T4(geam) T4(dgmm) T4(gemmBatched) F(cublasHgemmBatched)
T4(gemmStridedBatched) F(cublasHgemmStridedBatched) F(cublasGemmBatchedEx) F(cublasGemmStridedBatchedEx) T4(getrfBatched)
T4(getrsBatched) T4(getriBatched) T4(matinvBatched) T4(geqrfBatched) T4(gelsBatched) T4(trsmBatched) F(cublasAxpyEx)
F(cublasDotEx) F(cublasDotcEx) F(cublasNrm2Ex) F(cublasScalEx) T4(gemvBatched) T4(gemvStridedBatched)
}
#undef F
#undef T4
#undef V2
