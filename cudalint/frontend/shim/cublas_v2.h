// Dense linear algebra: the handle, the enumerations, and the functions by name.
#pragma once
#pragma clang system_header
#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
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
#define __F(n) cublasStatus_t n(...);
#define __T4(n) __F(cublasS##n) __F(cublasD##n) __F(cublasC##n) __F(cublasZ##n)
#define __V2(n) __F(n) __F(n##_v2)
extern "C" {
__V2(cublasCreate) __V2(cublasDestroy) __V2(cublasGetVersion) __V2(cublasSetStream) __V2(cublasGetStream) __V2(cublasGetPointerMode)
__V2(cublasSetPointerMode) __F(cublasGetAtomicsMode) __F(cublasSetAtomicsMode) __F(cublasGetMathMode) __F(cublasSetMathMode)
__F(cublasSetVector) __F(cublasGetVector) __F(cublasSetMatrix) __F(cublasGetMatrix) __F(cublasSetVectorAsync) __F(cublasGetVectorAsync)
__F(cublasSetMatrixAsync) __F(cublasGetMatrixAsync) __F(cublasSetWorkspace) __F(cublasInit) __F(cublasShutdown) __F(cublasGetError)
const char *cublasGetStatusString(cublasStatus_t);
const char *cublasGetStatusName(cublasStatus_t);
__F(cublasIsamax) __F(cublasIdamax) __F(cublasIcamax) __F(cublasIzamax) __F(cublasIsamin) __F(cublasIdamin) __F(cublasIcamax_64)
__F(cublasSasum) __F(cublasDasum) __F(cublasScasum) __F(cublasDzasum) __T4(axpy) __T4(copy) __T4(swap) __T4(scal) __F(cublasCsscal)
__F(cublasZdscal) __F(cublasSdot) __F(cublasDdot) __F(cublasCdotu) __F(cublasCdotc) __F(cublasZdotu) __F(cublasZdotc) __F(cublasSnrm2)
__F(cublasSnrm2_64) __F(cublasDnrm2) __F(cublasScnrm2) __F(cublasDznrm2) __T4(rot) __T4(rotg) __F(cublasSrotm) __F(cublasDrotm)
__T4(gemv) __T4(gbmv) __T4(trmv) __T4(trsv) __T4(tbmv) __T4(tpmv) __T4(symv) __F(cublasChemv) __F(cublasZhemv) __F(cublasSger) __F(cublasDger)
__F(cublasCgeru) __F(cublasCgerc) __F(cublasZgeru) __F(cublasZgerc) __T4(syr) __T4(syr2) __T4(spmv) __T4(sbmv) __T4(gemm) __F(cublasHgemm)
__F(cublasSgemmEx) __F(cublasGemmEx) __F(cublasCgemm3m) __F(cublasCgemm_64) __F(cublasCdgmm_64) __T4(syrk) __T4(syr2k) __T4(symm) __F(cublasChemm)
__F(cublasZhemm) __F(cublasCherk) __F(cublasZherk) __T4(trsm) __T4(trmm) __T4(geam) __T4(dgmm) __T4(gemmBatched) __F(cublasHgemmBatched)
__T4(gemmStridedBatched) __F(cublasHgemmStridedBatched) __F(cublasGemmBatchedEx) __F(cublasGemmStridedBatchedEx) __T4(getrfBatched)
__T4(getrsBatched) __T4(getriBatched) __T4(matinvBatched) __T4(geqrfBatched) __T4(gelsBatched) __T4(trsmBatched) __F(cublasAxpyEx)
__F(cublasDotEx) __F(cublasDotcEx) __F(cublasNrm2Ex) __F(cublasScalEx) __T4(gemvBatched) __T4(gemvStridedBatched)
}
#undef __F
#undef __T4
#undef __V2
