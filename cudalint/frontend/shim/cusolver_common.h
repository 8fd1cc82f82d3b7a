// What the solver libraries share.
#pragma once
#pragma clang system_header
#include "cusparse.h"
#define CUSOLVER_COMMON_H_
#define CUSOLVERAPI
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct cusolverRfCommon *cusolverRfHandle_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct csrqrInfo *csrqrInfo_t;
typedef struct csrcholInfo *csrcholInfo_t;
typedef struct csrluInfoHost *csrluInfoHost_t;
typedef enum { CUSOLVER_STATUS_SUCCESS, CUSOLVER_STATUS_NOT_INITIALIZED, CUSOLVER_STATUS_ALLOC_FAILED, CUSOLVER_STATUS_INVALID_VALUE, CUSOLVER_STATUS_ARCH_MISMATCH, CUSOLVER_STATUS_MAPPING_ERROR, CUSOLVER_STATUS_EXECUTION_FAILED, CUSOLVER_STATUS_INTERNAL_ERROR, CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED, CUSOLVER_STATUS_NOT_SUPPORTED, CUSOLVER_STATUS_ZERO_PIVOT, CUSOLVER_STATUS_INVALID_LICENSE } cusolverStatus_t;
typedef enum { CUSOLVER_EIG_TYPE_1 = 1, CUSOLVER_EIG_TYPE_2, CUSOLVER_EIG_TYPE_3 } cusolverEigType_t;
typedef enum { CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR } cusolverEigMode_t;
typedef enum { CUSOLVER_EIG_RANGE_ALL = 1001, CUSOLVER_EIG_RANGE_I, CUSOLVER_EIG_RANGE_V } cusolverEigRange_t;
extern "C" cusolverStatus_t cusolverGetProperty(libraryPropertyType, int *);
extern "C" cusolverStatus_t cusolverGetVersion(int *);
