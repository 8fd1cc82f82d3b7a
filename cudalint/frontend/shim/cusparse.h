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
#define __O(n) typedef struct cudalint_##n *n;
__O(cusparseHandle_t) __O(cusparseMatDescr_t) __O(cusparseSpVecDescr_t) __O(cusparseDnVecDescr_t) __O(cusparseSpMatDescr_t)
__O(cusparseDnMatDescr_t) __O(cusparseSpGEMMDescr_t) __O(cusparseSpSVDescr_t) __O(cusparseSpSMDescr_t) __O(cusparseSpMMOpPlan_t)
__O(csrilu02Info_t) __O(csric02Info_t) __O(csrsv2Info_t) __O(csrsm2Info_t) __O(bsrsv2Info_t) __O(bsrilu02Info_t) __O(csru2csrInfo_t)
__O(cusparseColorInfo_t) __O(pruneInfo_t) __O(csrgemm2Info_t) __O(cusparseSolveAnalysisInfo_t) __O(cusparseHybMat_t)
__O(cusparseConstSpMatDescr_t) __O(cusparseConstDnMatDescr_t) __O(cusparseConstDnVecDescr_t) __O(cusparseConstSpVecDescr_t)
#undef __O
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
#define __F(n) cusparseStatus_t n(...);
#define __T4(n) __F(cusparseS##n) __F(cusparseD##n) __F(cusparseC##n) __F(cusparseZ##n)
#define __B(n) __F(n) __F(n##_bufferSize) __F(n##_analysis) __F(n##_preprocess)
cusparseIndexBase_t cusparseGetMatIndexBase(cusparseMatDescr_t);
cusparseMatrixType_t cusparseGetMatType(cusparseMatDescr_t);
cusparseFillMode_t cusparseGetMatFillMode(cusparseMatDescr_t);
cusparseDiagType_t cusparseGetMatDiagType(cusparseMatDescr_t);
__F(cusparseCreate) __F(cusparseDestroy) __F(cusparseGetVersion) __F(cusparseSetStream) __F(cusparseGetStream) __F(cusparseGetPointerMode)
__F(cusparseSetPointerMode) __F(cusparseCreateMatDescr) __F(cusparseDestroyMatDescr) __F(cusparseSetMatType) __F(cusparseSetMatFillMode)
__F(cusparseSetMatDiagType) __F(cusparseSetMatIndexBase) __F(cusparseCreateSpVec) __F(cusparseDestroySpVec) __F(cusparseCreateDnVec)
__F(cusparseDestroyDnVec) __F(cusparseDnVecGetValues) __F(cusparseDnVecSetValues) __F(cusparseCreateCoo) __F(cusparseCreateCsr)
__F(cusparseCreateCsc) __F(cusparseCreateBlockedEll) __F(cusparseCreateBsr) __F(cusparseDestroySpMat) __F(cusparseSpMatGetSize)
__F(cusparseSpMatGetAttribute) __F(cusparseSpMatSetAttribute) __F(cusparseSpMatGetValues) __F(cusparseSpMatSetValues)
__F(cusparseCsrGet) __F(cusparseCsrSetPointers) __F(cusparseCscSetPointers) __F(cusparseCooSetPointers) __F(cusparseCsrSetStridedBatch)
__F(cusparseCooSetStridedBatch) __F(cusparseCreateDnMat) __F(cusparseDestroyDnMat) __F(cusparseDnMatGet) __F(cusparseDnMatGetValues)
__F(cusparseDnMatSetValues) __F(cusparseDnMatSetStridedBatch) __F(cusparseAxpby) __F(cusparseGather) __F(cusparseScatter) __F(cusparseRot)
__B(cusparseSpVV) __B(cusparseSpMV) __B(cusparseSpMM) __B(cusparseSDDMM) __B(cusparseSparseToDense) __B(cusparseDenseToSparse)
__F(cusparseDenseToSparse_convert) __F(cusparseSpSV_createDescr) __F(cusparseSpSV_destroyDescr) __B(cusparseSpSV) __F(cusparseSpSV_solve)
__F(cusparseSpSV_updateMatrix) __F(cusparseSpSM_createDescr) __F(cusparseSpSM_destroyDescr) __B(cusparseSpSM) __F(cusparseSpSM_solve)
__F(cusparseSpGEMM_createDescr) __F(cusparseSpGEMM_destroyDescr) __F(cusparseSpGEMM_workEstimation) __F(cusparseSpGEMM_compute)
__F(cusparseSpGEMM_copy) __F(cusparseSpGEMM_estimateMemory) __F(cusparseSpGEMMreuse_workEstimation) __F(cusparseSpGEMMreuse_nnz)
__F(cusparseSpGEMMreuse_compute) __F(cusparseSpGEMMreuse_copy) __B(cusparseCsr2cscEx2) __F(cusparseCreateCsrilu02Info)
__F(cusparseDestroyCsrilu02Info) __F(cusparseXcsrilu02_zeroPivot) __F(cusparseCreateCsric02Info) __F(cusparseDestroyCsric02Info)
__F(cusparseXcsric02_zeroPivot) __T4(csrilu02_bufferSize) __T4(csrilu02_analysis) __T4(csrilu02) __T4(csric02_bufferSize) __T4(csric02_analysis)
__T4(csric02) __T4(nnz) __T4(gthr) __T4(gthrz) __T4(sctr) __T4(csrmv) __T4(csrmm) __T4(csrmm2) __T4(bsrmv) __T4(bsrmm) __T4(gemvi) __T4(csr2csc) __T4(dense2csr) __T4(csr2dense)
__T4(csrgeam2) __T4(csrgeam2_bufferSizeExt) __T4(axpyi) __T4(dotci) __T4(gtsv2) __T4(gtsv2_bufferSizeExt) __T4(gtsv2StridedBatch)
__T4(gtsv2StridedBatch_bufferSizeExt) __T4(csr2bsr) __T4(bsr2csr) __F(cusparseXcsrgeam2Nnz) __F(cusparseXcsrsort) __F(cusparseXcsrsort_bufferSizeExt) __F(cusparseXcoosort_bufferSizeExt)
__F(cusparseXcoosortByRow) __F(cusparseXcoosortByColumn) __F(cusparseXcscsort) __F(cusparseCreateIdentityPermutation) __F(cusparseXcoo2csr)
__F(cusparseXcsr2coo) __F(cusparseXcsr2bsrNnz)
#undef __F
#undef __T4
#undef __B
}
