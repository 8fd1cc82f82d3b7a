// Sparse solvers.
#pragma once
#pragma clang system_header
#include "cusolver_common.h"
extern "C" {
#define F(n) cusolverStatus_t n(...);
#define T4(n) F(cusolverSpS##n) F(cusolverSpD##n) F(cusolverSpC##n) F(cusolverSpZ##n)
F(cusolverSpCreate) F(cusolverSpDestroy) F(cusolverSpSetStream) F(cusolverSpXcsrissymHost) F(cusolverSpXcsrsymrcmHost)
F(cusolverSpXcsrsymamdHost) F(cusolverSpXcsrsymmdqHost) F(cusolverSpXcsrmetisndHost) F(cusolverSpXcsrperm_bufferSizeHost)
F(cusolverSpXcsrpermHost) F(cusolverSpCreateCsrqrInfo) F(cusolverSpDestroyCsrqrInfo) F(cusolverSpXcsrqrAnalysisBatched)
T4(csrlsvlu) T4(csrlsvluHost) T4(csrlsvqr) T4(csrlsvqrHost) T4(csrlsvchol) T4(csrlsvcholHost) T4(csrqrsvBatched) T4(csrqrBufferInfoBatched)
T4(csreigvsi) T4(csreigvsiHost)
#undef F
#undef T4
}
