// Sparse linear algebra.
#pragma once
#pragma clang system_header
#include "cuComplex.h"
#include "library_types.h"
#define CUSPARSE_H_
#define CUSPARSEAPI
#define CUSPARSE_VERSION 12300
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 3
#define O(n) typedef struct cudalint_##n *n;
O(cusparseHandle_t) O(cusparseMatDescr_t) O(cusparseSpVecDescr_t) O(cusparseDnVecDescr_t) O(cusparseSpMatDescr_t)
O(cusparseDnMatDescr_t) O(cusparseSpGEMMDescr_t) O(cusparseSpSVDescr_t) O(cusparseSpSMDescr_t) O(cusparseSpMMOpPlan_t)
O(csrilu02Info_t) O(csric02Info_t) O(csrsv2Info_t) O(csrsm2Info_t) O(bsrsv2Info_t) O(bsrilu02Info_t) O(csru2csrInfo_t)
O(cusparseColorInfo_t) O(pruneInfo_t) O(csrgemm2Info_t) O(cusparseSolveAnalysisInfo_t) O(cusparseHybMat_t)
O(cusparseConstSpMatDescr_t) O(cusparseConstDnMatDescr_t) O(cusparseConstDnVecDescr_t) O(cusparseConstSpVecDescr_t)
#undef O
typedef enum { CUSPARSE_STATUS_SUCCESS, CUSPARSE_STATUS_NOT_INITIALIZED, CUSPARSE_STATUS_ALLOC_FAILED, CUSPARSE_STATUS_INVALID_VALUE, CUSPARSE_STATUS_ARCH_MISMATCH, CUSPARSE_STATUS_MAPPING_ERROR, CUSPARSE_STATUS_EXECUTION_FAILED, CUSPARSE_STATUS_INTERNAL_ERROR, CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED, CUSPARSE_STATUS_ZERO_PIVOT, CUSPARSE_STATUS_NOT_SUPPORTED, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES } cusparseStatus_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC } cusparseAction_t;
typedef enum { CUSPARSE_MATRIX_TYPE_GENERAL, CUSPARSE_MATRIX_TYPE_SYMMETRIC, CUSPARSE_MATRIX_TYPE_HERMITIAN, CUSPARSE_MATRIX_TYPE_TRIANGULAR } cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE } cusparseIndexBase_t;
typedef enum { CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE } cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN } cusparseDirection_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL, CUSPARSE_SOLVE_POLICY_USE_LEVEL } cusparseSolvePolicy_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_BLOCKED_ELL = 5, CUSPARSE_FORMAT_BSR } cusparseFormat_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1, CUSPARSE_CSR2CSC_ALG2 = 2 } cusparseCsr2CscAlg_t;
typedef enum { CUSPARSE_MV_ALG_DEFAULT = 0, CUSPARSE_SPMV_ALG_DEFAULT = 0, CUSPARSE_SPMV_COO_ALG1 = 1, CUSPARSE_SPMV_CSR_ALG1 = 2, CUSPARSE_CSRMV_ALG1 = 2, CUSPARSE_SPMV_CSR_ALG2 = 3, CUSPARSE_SPMV_COO_ALG2 = 4 } cusparseSpMVAlg_t;
typedef enum { CUSPARSE_SPMM_ALG_DEFAULT, CUSPARSE_SPMM_COO_ALG1, CUSPARSE_SPMM_COO_ALG2, CUSPARSE_SPMM_COO_ALG3, CUSPARSE_SPMM_CSR_ALG1, CUSPARSE_SPMM_COO_ALG4, CUSPARSE_SPMM_CSR_ALG2, CUSPARSE_SPMM_CSR_ALG3 = 12, CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13 } cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SPGEMM_DEFAULT, CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC, CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC, CUSPARSE_SPGEMM_ALG1, CUSPARSE_SPGEMM_ALG2, CUSPARSE_SPGEMM_ALG3 } cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSV_UPDATE_GENERAL, CUSPARSE_SPSV_UPDATE_DIAGONAL } cusparseSpSVUpdate_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT } cusparseDenseToSparseAlg_t;
extern "C" {
const char *cusparseGetErrorString(cusparseStatus_t);
const char *cusparseGetErrorName(cusparseStatus_t);
#define F(n) cusparseStatus_t n(...);
#define T4(n) F(cusparseS##n) F(cusparseD##n) F(cusparseC##n) F(cusparseZ##n)
#define B(n) F(n) F(n##_bufferSize) F(n##_analysis) F(n##_preprocess)
cusparseIndexBase_t cusparseGetMatIndexBase(cusparseMatDescr_t);
cusparseMatrixType_t cusparseGetMatType(cusparseMatDescr_t);
F(cusparseCreate) F(cusparseDestroy) F(cusparseGetVersion) F(cusparseSetStream) F(cusparseGetStream) F(cusparseGetPointerMode)
F(cusparseSetPointerMode) F(cusparseCreateMatDescr) F(cusparseDestroyMatDescr) F(cusparseSetMatType) F(cusparseSetMatFillMode)
F(cusparseSetMatDiagType) F(cusparseSetMatIndexBase) F(cusparseCreateSpVec) F(cusparseDestroySpVec) F(cusparseCreateDnVec)
F(cusparseDestroyDnVec) F(cusparseDnVecGetValues) F(cusparseDnVecSetValues) F(cusparseCreateCoo) F(cusparseCreateCsr)
F(cusparseCreateCsc) F(cusparseCreateBlockedEll) F(cusparseCreateBsr) F(cusparseDestroySpMat) F(cusparseSpMatGetSize)
F(cusparseSpMatGetAttribute) F(cusparseSpMatSetAttribute) F(cusparseSpMatGetValues) F(cusparseSpMatSetValues)
F(cusparseCsrGet) F(cusparseCsrSetPointers) F(cusparseCscSetPointers) F(cusparseCooSetPointers) F(cusparseCsrSetStridedBatch)
F(cusparseCooSetStridedBatch) F(cusparseCreateDnMat) F(cusparseDestroyDnMat) F(cusparseDnMatGet) F(cusparseDnMatGetValues)
F(cusparseDnMatSetValues) F(cusparseDnMatSetStridedBatch) F(cusparseAxpby) F(cusparseGather) F(cusparseScatter) F(cusparseRot)
B(cusparseSpVV) B(cusparseSpMV) B(cusparseSpMM) B(cusparseSDDMM) B(cusparseSparseToDense) B(cusparseDenseToSparse)
F(cusparseDenseToSparse_convert) F(cusparseSpSV_createDescr) F(cusparseSpSV_destroyDescr) B(cusparseSpSV) F(cusparseSpSV_solve)
F(cusparseSpSV_updateMatrix) F(cusparseSpSM_createDescr) F(cusparseSpSM_destroyDescr) B(cusparseSpSM) F(cusparseSpSM_solve)
F(cusparseSpGEMM_createDescr) F(cusparseSpGEMM_destroyDescr) F(cusparseSpGEMM_workEstimation) F(cusparseSpGEMM_compute)
F(cusparseSpGEMM_copy) F(cusparseSpGEMM_estimateMemory) F(cusparseSpGEMMreuse_workEstimation) F(cusparseSpGEMMreuse_nnz)
F(cusparseSpGEMMreuse_compute) F(cusparseSpGEMMreuse_copy) B(cusparseCsr2cscEx2) F(cusparseCreateCsrilu02Info)
F(cusparseDestroyCsrilu02Info) F(cusparseXcsrilu02_zeroPivot) F(cusparseCreateCsric02Info) F(cusparseDestroyCsric02Info)
F(cusparseXcsric02_zeroPivot) T4(csrilu02_bufferSize) T4(csrilu02_analysis) T4(csrilu02) T4(csric02_bufferSize) T4(csric02_analysis)
T4(csric02) T4(nnz) T4(gthr) T4(gthrz) T4(sctr) T4(csrmv) T4(csrmm) T4(csrmm2) T4(bsrmv) T4(bsrmm) T4(gemvi) T4(csr2csc) T4(dense2csr) T4(csr2dense)
T4(csrgeam2) T4(csrgeam2_bufferSizeExt) T4(axpyi) T4(dotci) T4(gtsv2) T4(gtsv2_bufferSizeExt) T4(gtsv2StridedBatch)
T4(gtsv2StridedBatch_bufferSizeExt) T4(csr2bsr) T4(bsr2csr) F(cusparseXcsrgeam2Nnz) F(cusparseXcsrsort) F(cusparseXcsrsort_bufferSizeExt) F(cusparseXcoosort_bufferSizeExt)
F(cusparseXcoosortByRow) F(cusparseXcoosortByColumn) F(cusparseXcscsort) F(cusparseCreateIdentityPermutation) F(cusparseXcoo2csr)
F(cusparseXcsr2coo) F(cusparseXcsr2bsrNnz)
#undef F
#undef T4
#undef B
}
