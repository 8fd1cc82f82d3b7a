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
__device__ void *__cvta_global_to_generic(size_t);
__device__ void *__cvta_shared_to_generic(size_t);
__device__ void *__cvta_constant_to_generic(size_t);
__device__ void *__cvta_local_to_generic(size_t);
__device__ void *__nv_ptr_builtin_ocg_mapa_shared_cluster(const void *, unsigned int);
}
__device__ void __pipeline_commit();

#define CUDALINT_SHUFFLE(T) \
  __device__ T __shfl_sync(unsigned int mask, T var, int lane, int width = 32); \
  __device__ T __shfl_up_sync(unsigned int mask, T var, unsigned int delta, int width = 32); \
  __device__ T __shfl_down_sync(unsigned int mask, T var, unsigned int delta, int width = 32); \
  __device__ T __shfl_xor_sync(unsigned int mask, T var, int lane, int width = 32); \
  __device__ T __shfl(T var, int lane, int width = 32); \
  __device__ T __shfl_up(T var, unsigned int delta, int width = 32); \
  __device__ T __shfl_down(T var, unsigned int delta, int width = 32); \
  __device__ T __shfl_xor(T var, int lane, int width = 32);
CUDALINT_SHUFFLE(int) CUDALINT_SHUFFLE(unsigned int) CUDALINT_SHUFFLE(long) CUDALINT_SHUFFLE(unsigned long)
CUDALINT_SHUFFLE(long long) CUDALINT_SHUFFLE(unsigned long long) CUDALINT_SHUFFLE(float) CUDALINT_SHUFFLE(double)
#define CUDALINT_MATCH(T) \
  __device__ unsigned int __match_any_sync(unsigned int, T); \
  __device__ unsigned int __match_all_sync(unsigned int, T, int *);
CUDALINT_MATCH(int) CUDALINT_MATCH(unsigned int) CUDALINT_MATCH(long) CUDALINT_MATCH(unsigned long)
CUDALINT_MATCH(long long) CUDALINT_MATCH(unsigned long long) CUDALINT_MATCH(float) CUDALINT_MATCH(double)
#undef CUDALINT_MATCH
#define CUDALINT_REDUCE(T) \
  __device__ T __reduce_add_sync(unsigned int, T); \
  __device__ T __reduce_min_sync(unsigned int, T); \
  __device__ T __reduce_max_sync(unsigned int, T);
CUDALINT_REDUCE(int) CUDALINT_REDUCE(unsigned int)
#undef CUDALINT_REDUCE
__device__ unsigned int __reduce_and_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_or_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_xor_sync(unsigned int, unsigned int);

#define CUDALINT_ATOMIC_SCOPES(M, name, T) M(name, T) M(name##_block, T) M(name##_system, T)
#define CUDALINT_ATOMIC(name, T) __device__ T name(T *address, T value);
#define CUDALINT_CAS(name, T) __device__ T name(T *address, T compare, T value);
#define CUDALINT_INT_ATOMICS(T) \
  CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicAdd, T) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicExch, T) \
  CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicMin, T) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicMax, T) \
  CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicAnd, T) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicOr, T) \
  CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicXor, T) CUDALINT_ATOMIC_SCOPES(CUDALINT_CAS, atomicCAS, T)
CUDALINT_INT_ATOMICS(int) CUDALINT_INT_ATOMICS(unsigned int) CUDALINT_INT_ATOMICS(unsigned long long)
CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicMin, long long) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicMax, long long)
CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicAdd, float) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicExch, float)
CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicSub, int) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicSub, unsigned int)
CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicInc, unsigned int) CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicDec, unsigned int)
CUDALINT_CAS(atomicCAS, unsigned short)
// Older architectures lack it, and code for them defines its own.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
CUDALINT_ATOMIC_SCOPES(CUDALINT_ATOMIC, atomicAdd, double)
#endif
__device__ float2 atomicAdd(float2 *, float2);
__device__ float4 atomicAdd(float4 *, float4);

template <class T> __device__ T __ldg(const T *);
template <class T> __device__ T __ldca(const T *);
template <class T> __device__ T __ldcg(const T *);
template <class T> __device__ T __ldcs(const T *);
template <class T> __device__ T __ldlu(const T *);
template <class T> __device__ T __ldcv(const T *);
template <class T> __device__ void __stwb(T *, std::type_identity_t<T>);
template <class T> __device__ void __stcg(T *, std::type_identity_t<T>);
template <class T> __device__ void __stcs(T *, std::type_identity_t<T>);
template <class T> __device__ void __stwt(T *, std::type_identity_t<T>);
template <class T> __device__ void __nv_atomic_load(T *, T *, int, int = 0);
template <class T> __device__ T __nv_atomic_load_n(T *, int, int = 0);
template <class T> __device__ void __nv_atomic_store_n(T *, T, int, int = 0);
template <class T> __device__ T __nv_atomic_fetch_add(T *, T, int, int = 0);
template <class T> __device__ T __nv_atomic_exchange_n(T *, T, int, int = 0);
enum { __NV_ATOMIC_RELAXED, __NV_ATOMIC_CONSUME, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_SEQ_CST };
enum { __NV_THREAD_SCOPE_THREAD, __NV_THREAD_SCOPE_BLOCK, __NV_THREAD_SCOPE_CLUSTER, __NV_THREAD_SCOPE_DEVICE, __NV_THREAD_SCOPE_SYSTEM };

// Dynamic allocation of stack memory.
#define alloca(n) __builtin_alloca(n)

extern "C" {
#define D __device__
D int __clz(int); D int __clzll(long long); D int __ffs(int); D int __ffsll(long long); D int __popc(unsigned int);
D int __popcll(unsigned long long); D unsigned int __brev(unsigned int); D unsigned long long __brevll(unsigned long long);
D unsigned int __byte_perm(unsigned int, unsigned int, unsigned int);
D unsigned int __funnelshift_l(unsigned int, unsigned int, unsigned int);
D unsigned int __funnelshift_lc(unsigned int, unsigned int, unsigned int);
D unsigned int __funnelshift_r(unsigned int, unsigned int, unsigned int);
D unsigned int __funnelshift_rc(unsigned int, unsigned int, unsigned int);
D int __mul24(int, int); D unsigned int __umul24(unsigned int, unsigned int);
D int mul24(int, int); D unsigned int umul24(unsigned int, unsigned int);
D int __mulhi(int, int); D unsigned int __umulhi(unsigned int, unsigned int);
D int mulhi(int, int); D unsigned int umulhi(unsigned int, unsigned int);
D long long __mul64hi(long long, long long); D unsigned long long __umul64hi(unsigned long long, unsigned long long);
D int __rhadd(int, int); D unsigned int __uhadd(unsigned int, unsigned int);
D unsigned int __urhadd(unsigned int, unsigned int);
D unsigned int __sad(int, int, unsigned int); D unsigned int __usad(unsigned int, unsigned int, unsigned int);
D float __saturatef(float); D float saturate(float);
D float __sinf(float); D float __cosf(float); D float __tanf(float); D float __expf(float); D float __exp10f(float);
D float __logf(float); D float __log2f(float); D float __log10f(float); D float __powf(float, float);
D float __fdividef(float, float); D void __sincosf(float, float *, float *); D float __tanhf(float);
D float __frsqrt_rn(float); D double __dividef(float, float);
D int __double2loint(double); D int __double2hiint(double); D double __hiloint2double(int, int);
D int __float_as_int(float); D float __int_as_float(int); D unsigned int __float_as_uint(float);
D float __uint_as_float(unsigned int); D long long __double_as_longlong(double); D double __longlong_as_double(long long);
D int __float2int(float); D int float_as_int(float);
D int __isnanf(float); D int __isnan(double); D int __isinff(float); D int __isinf(double); D int __finitef(float); D int __finite(double);
#define R4(M, ...) M(rn, __VA_ARGS__) M(rz, __VA_ARGS__) M(ru, __VA_ARGS__) M(rd, __VA_ARGS__)
#define F2(r, n) D float __f##n##_##r(float, float);
#define D2(r, n) D double __d##n##_##r(double, double);
#define F1(r, n) D float __f##n##_##r(float);
#define D1(r, n) D double __d##n##_##r(double);
#define F3(r, n) D float __f##n##_##r(float, float, float); D float __f##n##_ieee_##r(float, float, float);
#define D3(r, n) D double __##n##_##r(double, double, double);
R4(F2, add) R4(F2, sub) R4(F2, mul) R4(F2, div) R4(F1, rcp) R4(F1, sqrt) R4(F3, maf)
R4(D2, add) R4(D2, sub) R4(D2, mul) R4(D2, div) R4(D1, rcp) R4(D1, sqrt) R4(D3, fma)
#define CV(r, from, F, to, T) D T __##from##2##to##_##r(F);
R4(CV, float, float, int, int) R4(CV, float, float, uint, unsigned int) R4(CV, float, float, ll, long long)
R4(CV, float, float, ull, unsigned long long) R4(CV, double, double, int, int) R4(CV, double, double, uint, unsigned int)
R4(CV, double, double, ll, long long) R4(CV, double, double, ull, unsigned long long) R4(CV, double, double, float, float)
R4(CV, int, int, float, float) R4(CV, uint, unsigned int, float, float) R4(CV, ll, long long, float, float)
R4(CV, ull, unsigned long long, float, float) R4(CV, ll, long long, double, double) R4(CV, ull, unsigned long long, double, double)
D double __int2double_rn(int); D double __uint2double_rn(unsigned int);
D int float2int(float); D float int2float(int);
#undef F1
#undef F2
#undef F3
#undef D1
#undef D2
#undef D3
#undef CV
#undef R4
// SIMD within a word.
#define U unsigned int
#define V1(n) D U __v##n##2(U); D U __v##n##4(U);
#define V2(n) D U __v##n##2(U, U); D U __v##n##4(U, U);
V1(abs) V1(absss) V1(neg) V1(negss)
V2(add) V2(addss) V2(addus) V2(sub) V2(subss) V2(subus) V2(absdiffs) V2(absdiffu) V2(avgs) V2(avgu) V2(haddu) V2(maxs) V2(maxu)
V2(mins) V2(minu) V2(sads) V2(sadu) V2(cmpeq) V2(cmpne) V2(cmpges) V2(cmpgeu) V2(cmpgts) V2(cmpgtu) V2(cmples) V2(cmpleu)
V2(cmplts) V2(cmpltu) V2(seteq) V2(setne) V2(setges) V2(setgeu) V2(setgts) V2(setgtu) V2(setles) V2(setleu) V2(setlts) V2(setltu)
#undef V1
#undef V2
#define W(n, T) \
  D T __vimax3_##n(T, T, T); D T __vimin3_##n(T, T, T); D T __vimax3_##n##_relu(T, T, T); D T __vimin3_##n##_relu(T, T, T); \
  D T __vimax_##n##_relu(T, T); D T __vimin_##n##_relu(T, T); D T __vibmax_##n(T, T, bool *); D T __vibmin_##n(T, T, bool *); \
  D T __viaddmax_##n(T, T, T); D T __viaddmin_##n(T, T, T); D T __viaddmax_##n##_relu(T, T, T); D T __viaddmin_##n##_relu(T, T, T);
#define W2(n, T) \
  D T __vimax3_##n(T, T, T); D T __vimin3_##n(T, T, T); D T __vimax3_##n##_relu(T, T, T); D T __vimin3_##n##_relu(T, T, T); \
  D T __vimax_##n##_relu(T, T); D T __vimin_##n##_relu(T, T); D T __vibmax_##n(T, T, bool *, bool *); D T __vibmin_##n(T, T, bool *, bool *); \
  D T __viaddmax_##n(T, T, T); D T __viaddmin_##n(T, T, T); D T __viaddmax_##n##_relu(T, T, T); D T __viaddmin_##n##_relu(T, T, T);
W(s32, int) W(u32, U) W2(s16x2, U) W2(u16x2, U)
#undef W
#undef W2
#undef U
#undef D
}
__device__ int __dp4a(int, int, int);
__device__ unsigned int __dp4a(unsigned int, unsigned int, unsigned int);
__device__ int __dp2a_lo(int, int, int);
__device__ int __dp2a_hi(int, int, int);
__device__ int __hadd(int, int);
