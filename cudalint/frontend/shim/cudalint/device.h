// Device builtins: barriers, warp primitives, atomics, cached loads, intrinsics. Declared only, the models know them
// by name.
#pragma once
#pragma clang system_header
#include "vector_types.h"
extern "C" {
__device__ void __syncthreads();
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ void __syncwarp(unsigned int = 0xffffffffu);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void __barrier_sync(unsigned int);
__device__ void __barrier_sync_count(unsigned int, unsigned int);
__device__ void __trap();
__device__ void __brkpt(int = 0);
__device__ void __nanosleep(unsigned int);
__device__ void __prof_trigger(int);
__device__ unsigned int __activemask();
__device__ int __all_sync(unsigned int, int);
__device__ int __any_sync(unsigned int, int);
__device__ int __uni_sync(unsigned int, int);
__device__ unsigned int __ballot_sync(unsigned int, int);
__device__ int __all(int);
__device__ int __any(int);
__device__ unsigned int __ballot(int);
__device__ unsigned int __fns(unsigned int, unsigned int, int);
__device__ long long int clock64();
__device__ unsigned long long __globaltimer();
__device__ unsigned int __isGlobal(const void *);
__device__ unsigned int __isShared(const void *);
__device__ unsigned int __isConstant(const void *);
__device__ unsigned int __isLocal(const void *);
__device__ unsigned int __isGridConstant(const void *);
__device__ size_t __cvta_generic_to_global(const void *);
__device__ size_t __cvta_generic_to_shared(const void *);
__device__ size_t __cvta_generic_to_constant(const void *);
__device__ size_t __cvta_generic_to_local(const void *);
__device__ size_t __cvta_generic_to_grid_constant(const void *);
__device__ void *__cvta_global_to_generic(size_t);
__device__ void *__cvta_shared_to_generic(size_t);
__device__ void *__cvta_constant_to_generic(size_t);
__device__ void *__cvta_local_to_generic(size_t);
__device__ void *__cvta_grid_constant_to_generic(size_t);
__device__ void *__nv_ptr_builtin_ocg_mapa_shared_cluster(const void *, unsigned int);
}
__device__ void __pipeline_commit();

#define CUDALINT_SHUFFLE(__T) \
  __device__ __T __shfl_sync(unsigned int mask, __T var, int lane, int width = 32); \
  __device__ __T __shfl_up_sync(unsigned int mask, __T var, unsigned int delta, int width = 32); \
  __device__ __T __shfl_down_sync(unsigned int mask, __T var, unsigned int delta, int width = 32); \
  __device__ __T __shfl_xor_sync(unsigned int mask, __T var, int lane, int width = 32); \
  __device__ __T __shfl(__T var, int lane, int width = 32); \
  __device__ __T __shfl_up(__T var, unsigned int delta, int width = 32); \
  __device__ __T __shfl_down(__T var, unsigned int delta, int width = 32); \
  __device__ __T __shfl_xor(__T var, int lane, int width = 32);
CUDALINT_SHUFFLE(int) CUDALINT_SHUFFLE(unsigned int) CUDALINT_SHUFFLE(long) CUDALINT_SHUFFLE(unsigned long)
CUDALINT_SHUFFLE(long long) CUDALINT_SHUFFLE(unsigned long long) CUDALINT_SHUFFLE(float) CUDALINT_SHUFFLE(double)
#define CUDALINT_MATCH(__T) \
  __device__ unsigned int __match_any_sync(unsigned int, __T); \
  __device__ unsigned int __match_all_sync(unsigned int, __T, int *);
CUDALINT_MATCH(int) CUDALINT_MATCH(unsigned int) CUDALINT_MATCH(long) CUDALINT_MATCH(unsigned long)
CUDALINT_MATCH(long long) CUDALINT_MATCH(unsigned long long) CUDALINT_MATCH(float) CUDALINT_MATCH(double)
#undef CUDALINT_MATCH
#define CUDALINT_REDUCE(__T) \
  __device__ __T __reduce_add_sync(unsigned int, __T); \
  __device__ __T __reduce_min_sync(unsigned int, __T); \
  __device__ __T __reduce_max_sync(unsigned int, __T);
CUDALINT_REDUCE(int) CUDALINT_REDUCE(unsigned int)
#undef CUDALINT_REDUCE
__device__ unsigned int __reduce_and_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_or_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_xor_sync(unsigned int, unsigned int);

#define CUDALINT_ATOMIC_SCOPES(__M, name, __T) __M(name, __T) __M(name##_block, __T) __M(name##_system, __T)
#define CUDALINT_ATOMIC(name, __T) __device__ __T name(__T *address, __T value);
#define CUDALINT_CAS(name, __T) __device__ __T name(__T *address, __T compare, __T value);
#define CUDALINT_INT_ATOMICS(__T) \
  CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicAdd, __T) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicExch, __T) \
  CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicMin, __T) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicMax, __T) \
  CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicAnd, __T) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicOr, __T) \
  CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicXor, __T) CUDALINT_ATOMIC_SCOPES(CUDALINT_CAS, atomicCAS, __T)
CUDALINT_INT_ATOMICS(int) CUDALINT_INT_ATOMICS(unsigned int) CUDALINT_INT_ATOMICS(unsigned long long)
CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicMin, long long) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicMax, long long)
CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicAdd, float) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicExch, float)
CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicSub, int) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicSub, unsigned int)
// Signed words are no error here: what such code does is worth telling all the same.
CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicInc, int) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicDec, int)
CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicInc, unsigned int) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicDec, unsigned int)
CUDALINT_CAS(atomicCAS, unsigned short)
// Older architectures lack it, and code for them defines its own.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicAdd, double)
#endif
__device__ float2 atomicAdd(float2 *, float2);
__device__ float4 atomicAdd(float4 *, float4);

template <class __T> __device__ __T __ldg(const __T *);
template <class __T> __device__ __T __ldca(const __T *);
template <class __T> __device__ __T __ldcg(const __T *);
template <class __T> __device__ __T __ldcs(const __T *);
template <class __T> __device__ __T __ldlu(const __T *);
template <class __T> __device__ __T __ldcv(const __T *);
template <class __T> __device__ void __stwb(__T *, std::type_identity_t<__T>);
template <class __T> __device__ void __stcg(__T *, std::type_identity_t<__T>);
template <class __T> __device__ void __stcs(__T *, std::type_identity_t<__T>);
template <class __T> __device__ void __stwt(__T *, std::type_identity_t<__T>);
#define CUDALINT_NV_ATOMIC(n) \
  template <class __T> __device__ __T __nv_atomic_fetch_##n(__T *, std::type_identity_t<__T>, int, int = 0); \
  template <class __T> __device__ void __nv_atomic_##n(__T *, std::type_identity_t<__T>, int, int = 0);
CUDALINT_NV_ATOMIC(add) CUDALINT_NV_ATOMIC(sub) CUDALINT_NV_ATOMIC(and) CUDALINT_NV_ATOMIC(or) CUDALINT_NV_ATOMIC(xor)
CUDALINT_NV_ATOMIC(min) CUDALINT_NV_ATOMIC(max)
#undef CUDALINT_NV_ATOMIC
template <class __T> __device__ void __nv_atomic_load(const __T *, __T *, int, int = 0);
template <class __T> __device__ __T __nv_atomic_load_n(const __T *, int, int = 0);
template <class __T> __device__ void __nv_atomic_store(__T *, __T *, int, int = 0);
template <class __T> __device__ void __nv_atomic_store_n(__T *, std::type_identity_t<__T>, int, int = 0);
template <class __T> __device__ void __nv_atomic_exchange(__T *, __T *, __T *, int, int = 0);
template <class __T> __device__ __T __nv_atomic_exchange_n(__T *, std::type_identity_t<__T>, int, int = 0);
template <class __T> __device__ bool __nv_atomic_compare_exchange(__T *, __T *, __T *, bool, int, int, int = 0);
template <class __T> __device__ bool __nv_atomic_compare_exchange_n(__T *, __T *, std::type_identity_t<__T>, bool, int, int, int = 0);
__device__ void __nv_atomic_thread_fence(int, int = 0);
enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_SYSTEM };

// Dynamic allocation of stack memory.
#define alloca(n) __builtin_alloca(n)

extern "C" {
#define __D __device__
__D int __clz(int); __D int __clzll(long long); __D int __ffs(int); __D int __ffsll(long long); __D int __popc(unsigned int);
__D int __popcll(unsigned long long); __D unsigned int __brev(unsigned int); __D unsigned long long __brevll(unsigned long long);
__D unsigned int __byte_perm(unsigned int, unsigned int, unsigned int);
__D unsigned int __funnelshift_l(unsigned int, unsigned int, unsigned int);
__D unsigned int __funnelshift_lc(unsigned int, unsigned int, unsigned int);
__D unsigned int __funnelshift_r(unsigned int, unsigned int, unsigned int);
__D unsigned int __funnelshift_rc(unsigned int, unsigned int, unsigned int);
__D int __mul24(int, int); __D unsigned int __umul24(unsigned int, unsigned int);
__D int mul24(int, int); __D unsigned int umul24(unsigned int, unsigned int);
__D int __mulhi(int, int); __D unsigned int __umulhi(unsigned int, unsigned int);
__D int mulhi(int, int); __D unsigned int umulhi(unsigned int, unsigned int);
__D long long __mul64hi(long long, long long); __D unsigned long long __umul64hi(unsigned long long, unsigned long long);
__D int __rhadd(int, int); __D unsigned int __uhadd(unsigned int, unsigned int);
__D unsigned int __urhadd(unsigned int, unsigned int);
__D unsigned int __sad(int, int, unsigned int); __D unsigned int __usad(unsigned int, unsigned int, unsigned int);
__D float __saturatef(float); __D float saturate(float);
__D float __sinf(float); __D float __cosf(float); __D float __tanf(float); __D float __expf(float); __D float __exp10f(float);
__D float __logf(float); __D float __log2f(float); __D float __log10f(float); __D float __powf(float, float);
__D float __fdividef(float, float); __D void __sincosf(float, float *, float *); __D float __tanhf(float);
__D float __frsqrt_rn(float); __D double __dividef(float, float);
__D int __double2loint(double); __D int __double2hiint(double); __D double __hiloint2double(int, int);
__D int __float_as_int(float); __D float __int_as_float(int); __D unsigned int __float_as_uint(float);
__D float __uint_as_float(unsigned int); __D long long __double_as_longlong(double); __D double __longlong_as_double(long long);
__D int __float2int(float); __D int float_as_int(float);
__D int __isnanf(float); __D int __isnan(double); __D int __isinff(float); __D int __isinf(double); __D int __finitef(float); __D int __finite(double);
#define __R4(__M, ...) __M(rn, __VA_ARGS__) __M(rz, __VA_ARGS__) __M(ru, __VA_ARGS__) __M(rd, __VA_ARGS__)
#define __F2(r, n) __D float __f##n##_##r(float, float);
#define __D2(r, n) __D double __d##n##_##r(double, double);
#define __F1(r, n) __D float __f##n##_##r(float);
#define __D1(r, n) __D double __d##n##_##r(double);
#define __F3(r, n) __D float __f##n##_##r(float, float, float); __D float __f##n##_ieee_##r(float, float, float);
#define __D3(r, n) __D double __##n##_##r(double, double, double);
__R4(__F2, add) __R4(__F2, sub) __R4(__F2, mul) __R4(__F2, div) __R4(__F1, rcp) __R4(__F1, sqrt) __R4(__F3, maf)
__R4(__D2, add) __R4(__D2, sub) __R4(__D2, mul) __R4(__D2, div) __R4(__D1, rcp) __R4(__D1, sqrt) __R4(__D3, fma)
#define CV(r, from, __F, to, __T) __D __T __##from##2##to##_##r(__F);
__R4(CV, float, float, int, int) __R4(CV, float, float, uint, unsigned int) __R4(CV, float, float, ll, long long)
__R4(CV, float, float, ull, unsigned long long) __R4(CV, double, double, int, int) __R4(CV, double, double, uint, unsigned int)
__R4(CV, double, double, ll, long long) __R4(CV, double, double, ull, unsigned long long) __R4(CV, double, double, float, float)
__R4(CV, int, int, float, float) __R4(CV, uint, unsigned int, float, float) __R4(CV, ll, long long, float, float)
__R4(CV, ull, unsigned long long, float, float) __R4(CV, ll, long long, double, double) __R4(CV, ull, unsigned long long, double, double)
__D double __int2double_rn(int); __D double __uint2double_rn(unsigned int);
__D int float2int(float); __D float int2float(int);
#undef __F1
#undef __F2
#undef __F3
#undef __D1
#undef __D2
#undef __D3
#undef CV
#undef __R4
// SIMD within a word.
#define __U unsigned int
#define __V1(n) __D __U __v##n##2(__U); __D __U __v##n##4(__U);
#define __V2(n) __D __U __v##n##2(__U, __U); __D __U __v##n##4(__U, __U);
__V1(abs) __V1(absss) __V1(neg) __V1(negss)
__V2(add) __V2(addss) __V2(addus) __V2(sub) __V2(subss) __V2(subus) __V2(absdiffs) __V2(absdiffu) __V2(avgs) __V2(avgu) __V2(haddu) __V2(maxs) __V2(maxu)
__V2(mins) __V2(minu) __V2(sads) __V2(sadu) __V2(cmpeq) __V2(cmpne) __V2(cmpges) __V2(cmpgeu) __V2(cmpgts) __V2(cmpgtu) __V2(cmples) __V2(cmpleu)
__V2(cmplts) __V2(cmpltu) __V2(seteq) __V2(setne) __V2(setges) __V2(setgeu) __V2(setgts) __V2(setgtu) __V2(setles) __V2(setleu) __V2(setlts) __V2(setltu)
#undef __V1
#undef __V2
#define __W(n, __T) \
  __D __T __vimax3_##n(__T, __T, __T); __D __T __vimin3_##n(__T, __T, __T); __D __T __vimax3_##n##_relu(__T, __T, __T); __D __T __vimin3_##n##_relu(__T, __T, __T); \
  __D __T __vimax_##n##_relu(__T, __T); __D __T __vimin_##n##_relu(__T, __T); __D __T __vibmax_##n(__T, __T, bool *); __D __T __vibmin_##n(__T, __T, bool *); \
  __D __T __viaddmax_##n(__T, __T, __T); __D __T __viaddmin_##n(__T, __T, __T); __D __T __viaddmax_##n##_relu(__T, __T, __T); __D __T __viaddmin_##n##_relu(__T, __T, __T);
#define __W2(n, __T) \
  __D __T __vimax3_##n(__T, __T, __T); __D __T __vimin3_##n(__T, __T, __T); __D __T __vimax3_##n##_relu(__T, __T, __T); __D __T __vimin3_##n##_relu(__T, __T, __T); \
  __D __T __vimax_##n##_relu(__T, __T); __D __T __vimin_##n##_relu(__T, __T); __D __T __vibmax_##n(__T, __T, bool *, bool *); __D __T __vibmin_##n(__T, __T, bool *, bool *); \
  __D __T __viaddmax_##n(__T, __T, __T); __D __T __viaddmin_##n(__T, __T, __T); __D __T __viaddmax_##n##_relu(__T, __T, __T); __D __T __viaddmin_##n##_relu(__T, __T, __T);
__W(s32, int) __W(u32, __U) __W2(s16x2, __U) __W2(u16x2, __U)
#undef __W
#undef __W2
#undef __U
#undef __D
}
__device__ int __dp4a(int, int, int);
__device__ unsigned int __dp4a(unsigned int, unsigned int, unsigned int);
__device__ int __dp4a(char4, char4, int);
__device__ unsigned int __dp4a(uchar4, uchar4, unsigned int);
__device__ int __dp2a_lo(int, int, int);
__device__ unsigned int __dp2a_lo(unsigned int, unsigned int, unsigned int);
__device__ int __dp2a_lo(short2, char4, int);
__device__ unsigned int __dp2a_lo(ushort2, uchar4, unsigned int);
__device__ int __dp2a_hi(int, int, int);
__device__ unsigned int __dp2a_hi(unsigned int, unsigned int, unsigned int);
__device__ int __dp2a_hi(short2, char4, int);
__device__ unsigned int __dp2a_hi(ushort2, uchar4, unsigned int);
__device__ int __hadd(int, int);
