// Random numbers inside kernels: the states with their sizes, and the functions of every generator.
#pragma once
#pragma clang system_header
#include "curand.h"
struct curandStateXORWOW { unsigned int d, v[5]; int boxmuller_flag, boxmuller_flag_double; float boxmuller_extra; double boxmuller_extra_double; };
struct curandStatePhilox4_32_10 { uint4 ctr, output; uint2 key; unsigned int STATE; int boxmuller_flag, boxmuller_flag_double; float boxmuller_extra; double boxmuller_extra_double; };
struct curandStateMRG32k3a { unsigned int s1[3], s2[3]; int boxmuller_flag, boxmuller_flag_double; float boxmuller_extra; double boxmuller_extra_double; };
struct curandStateSobol32 { unsigned int i, x, c, direction_vectors[32]; };
struct curandStateScrambledSobol32 { unsigned int i, x, c, direction_vectors[32]; };
struct curandStateSobol64 { unsigned long long i, x, c, direction_vectors[64]; };
struct curandStateScrambledSobol64 { unsigned long long i, x, c, direction_vectors[64]; };
struct curandStateMtgp32 { unsigned int s[1024]; int offset, pIdx; void *k; };
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;
typedef curandStateMtgp32 curandStateMtgp32_t;
typedef void *curandDiscreteDistribution_t;
#define __D __device__
__D void curand_init(unsigned long long, unsigned long long, unsigned long long, curandStateXORWOW *);
__D void curand_init(unsigned long long, unsigned long long, unsigned long long, curandStatePhilox4_32_10 *);
__D void curand_init(unsigned long long, unsigned long long, unsigned long long, curandStateMRG32k3a *);
template <class __V> __D void curand_init(__V *, unsigned int, curandStateSobol32 *);
template <class __V> __D void curand_init(__V *, unsigned int, unsigned int, curandStateScrambledSobol32 *);
template <class __V> __D void curand_init(__V *, unsigned int, curandStateSobol64 *);
template <class __V> __D void curand_init(__V *, unsigned long long, unsigned int, curandStateScrambledSobol64 *);
template <class __S> __D unsigned int curand(__S *);
template <class __S> __D uint4 curand4(__S *);
template <class __S> __D float curand_uniform(__S *);
template <class __S> __D float4 curand_uniform4(__S *);
template <class __S> __D double curand_uniform_double(__S *);
template <class __S> __D double2 curand_uniform2_double(__S *);
template <class __S> __D float curand_normal(__S *);
template <class __S> __D float2 curand_normal2(__S *);
template <class __S> __D float4 curand_normal4(__S *);
template <class __S> __D double curand_normal_double(__S *);
template <class __S> __D double2 curand_normal2_double(__S *);
template <class __S> __D float curand_log_normal(__S *, float, float);
template <class __S> __D float2 curand_log_normal2(__S *, float, float);
template <class __S> __D double curand_log_normal_double(__S *, double, double);
template <class __S> __D float4 curand_log_normal4(__S *, float, float);
template <class __S> __D double2 curand_log_normal2_double(__S *, double, double);
template <class __S> __D double4 curand_log_normal4_double(__S *, double, double);
template <class __S> __D double4 curand_normal4_double(__S *);
template <class __S> __D double4 curand_uniform4_double(__S *);
template <class __S> __D float curand_mtgp32_single(__S *);
template <class __S> __D float curand_mtgp32_single_specific(__S *, unsigned char, unsigned char);
template <class __S> __D unsigned int curand_mtgp32_specific(__S *, unsigned char, unsigned char);
template <class __S> __D uint4 curand_discrete4(__S *, curandDiscreteDistribution_t);
template <class __S> __D unsigned int curand_poisson(__S *, double);
template <class __S> __D uint4 curand_poisson4(__S *, double);
template <class __S> __D unsigned int curand_discrete(__S *, curandDiscreteDistribution_t);
template <class __S> __D void skipahead(unsigned long long, __S *);
template <class __S> __D void skipahead_sequence(unsigned long long, __S *);
template <class __S> __D void skipahead_subsequence(unsigned long long, __S *);
#undef __D
