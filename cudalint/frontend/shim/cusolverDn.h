// Dense solvers.
#pragma once
#pragma clang system_header
#include "cublas_v2.h"
#include "cusolver_common.h"
extern "C" {
#define __F(n) cusolverStatus_t n(...);
#define __T4(n) __F(cusolverDnS##n) __F(cusolverDnD##n) __F(cusolverDnC##n) __F(cusolverDnZ##n)
#define __B4(n) __T4(n) __T4(n##_bufferSize)
__F(cusolverDnCreate) __F(cusolverDnDestroy) __F(cusolverDnSetStream) __F(cusolverDnGetStream) __F(cusolverDnCreateParams)
__F(cusolverDnDestroyParams) __F(cusolverDnCreateSyevjInfo) __F(cusolverDnDestroySyevjInfo) __F(cusolverDnXsyevjSetTolerance)
__F(cusolverDnXsyevjSetMaxSweeps) __F(cusolverDnXsyevjSetSortEig) __F(cusolverDnCreateGesvdjInfo) __F(cusolverDnDestroyGesvdjInfo)
__F(cusolverDnXgesvdjSetTolerance) __F(cusolverDnXgesvdjSetMaxSweeps) __F(cusolverDnXgetrf) __F(cusolverDnXgetrf_bufferSize)
__F(cusolverDnXgetrs) __F(cusolverDnXpotrf) __F(cusolverDnXpotrf_bufferSize) __F(cusolverDnXpotrs) __F(cusolverDnXgeqrf)
__F(cusolverDnXsyevd) __F(cusolverDnXsyevd_bufferSize) __F(cusolverDnXgesvd) __F(cusolverDnXgesvd_bufferSize)
__B4(potrf) __T4(potrs) __B4(potri) __T4(potrfBatched) __T4(potrsBatched) __B4(getrf) __T4(getrs) __B4(geqrf) __B4(ormqr) __B4(unmqr) __B4(orgqr) __B4(ungqr)
__B4(sytrf) __B4(gebrd) __B4(gesvd) __B4(gesvdj) __B4(gesvdjBatched) __B4(syevd) __B4(heevd) __B4(syevj) __B4(heevj) __B4(syevjBatched) __B4(heevjBatched)
__F(cusolverDnXsyevjGetSweeps) __F(cusolverDnXsyevjGetResidual) __F(cusolverDnXgesvdjGetSweeps) __F(cusolverDnXgesvdjGetResidual)
__F(cusolverDnXgesvdjSetSortEig) __F(cusolverDnXgesvdr) __F(cusolverDnXgesvdr_bufferSize) __F(cusolverDnSetAdvOptions)
__F(cusolverDnXsyevdx) __F(cusolverDnXsyevdx_bufferSize) __B4(syevdx) __B4(heevdx) __B4(sygvdx) __B4(sygvj) __B4(hegvj)
__B4(sygvd) __B4(hegvd) __B4(gels) __B4(gesvdaStridedBatched)
#undef __F
#undef __T4
#undef __B4
}
