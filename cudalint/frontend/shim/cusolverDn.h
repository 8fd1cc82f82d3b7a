// Dense solvers.
#pragma once
#pragma clang system_header
#include "cublas_v2.h"
#include "cusolver_common.h"
extern "C" {
#define F(n) cusolverStatus_t n(...);
#define T4(n) F(cusolverDnS##n) F(cusolverDnD##n) F(cusolverDnC##n) F(cusolverDnZ##n)
#define B4(n) T4(n) T4(n##_bufferSize)
F(cusolverDnCreate) F(cusolverDnDestroy) F(cusolverDnSetStream) F(cusolverDnGetStream) F(cusolverDnCreateParams)
F(cusolverDnDestroyParams) F(cusolverDnCreateSyevjInfo) F(cusolverDnDestroySyevjInfo) F(cusolverDnXsyevjSetTolerance)
F(cusolverDnXsyevjSetMaxSweeps) F(cusolverDnXsyevjSetSortEig) F(cusolverDnCreateGesvdjInfo) F(cusolverDnDestroyGesvdjInfo)
F(cusolverDnXgesvdjSetTolerance) F(cusolverDnXgesvdjSetMaxSweeps) F(cusolverDnXgetrf) F(cusolverDnXgetrf_bufferSize)
F(cusolverDnXgetrs) F(cusolverDnXpotrf) F(cusolverDnXpotrf_bufferSize) F(cusolverDnXpotrs) F(cusolverDnXgeqrf)
F(cusolverDnXsyevd) F(cusolverDnXsyevd_bufferSize) F(cusolverDnXgesvd) F(cusolverDnXgesvd_bufferSize)
B4(potrf) T4(potrs) B4(potri) T4(potrfBatched) T4(potrsBatched) B4(getrf) T4(getrs) B4(geqrf) B4(ormqr) B4(unmqr) B4(orgqr) B4(ungqr)
B4(sytrf) B4(gebrd) B4(gesvd) B4(gesvdj) B4(gesvdjBatched) B4(syevd) B4(heevd) B4(syevj) B4(heevj) B4(syevjBatched) B4(heevjBatched)
B4(sygvd) B4(hegvd) B4(gels) B4(gesvdaStridedBatched)
#undef F
#undef T4
#undef B4
}
