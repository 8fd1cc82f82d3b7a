// Sparse solvers.
#pragma once
#pragma clang system_header
#include "cusolver_common.h"
extern "C" {
#define __F(n) cusolverStatus_t n(...);
#define __T4(n) __F(cusolverSpS##n) __F(cusolverSpD##n) __F(cusolverSpC##n) __F(cusolverSpZ##n)
__F(cusolverSpCreate) __F(cusolverSpDestroy) __F(cusolverSpSetStream) __F(cusolverSpXcsrissymHost) __F(cusolverSpXcsrsymrcmHost)
__F(cusolverSpXcsrsymamdHost) __F(cusolverSpXcsrsymmdqHost) __F(cusolverSpXcsrmetisndHost) __F(cusolverSpXcsrperm_bufferSizeHost)
__F(cusolverSpXcsrpermHost) __F(cusolverSpCreateCsrqrInfo) __F(cusolverSpDestroyCsrqrInfo) __F(cusolverSpXcsrqrAnalysisBatched)
__T4(csrlsvlu) __T4(csrlsvluHost) __T4(csrlsvqr) __T4(csrlsvqrHost) __T4(csrlsvchol) __T4(csrlsvcholHost) __T4(csrqrsvBatched) __T4(csrqrBufferInfoBatched)
__T4(csreigvsi) __T4(csreigvsiHost)
#undef __F
#undef __T4
}
