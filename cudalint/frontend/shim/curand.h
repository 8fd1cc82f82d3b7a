// Random numbers, the host interface.
#pragma once
#pragma clang system_header
#include "cudalint_prelude.h"
#define CURAND_H_
typedef struct curandGenerator_st *curandGenerator_t;
typedef enum curandStatus { CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_VERSION_MISMATCH = 100, CURAND_STATUS_NOT_INITIALIZED = 101, CURAND_STATUS_ALLOCATION_FAILED = 102, CURAND_STATUS_TYPE_ERROR = 103, CURAND_STATUS_OUT_OF_RANGE = 104, CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105, CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106, CURAND_STATUS_LAUNCH_FAILURE = 201, CURAND_STATUS_PREEXISTING_FAILURE = 202, CURAND_STATUS_INITIALIZATION_FAILED = 203, CURAND_STATUS_ARCH_MISMATCH = 204, CURAND_STATUS_INTERNAL_ERROR = 999 } curandStatus_t;
typedef enum curandRngType { CURAND_RNG_TEST = 0, CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW = 101, CURAND_RNG_PSEUDO_MRG32K3A = 121, CURAND_RNG_PSEUDO_MTGP32 = 141, CURAND_RNG_PSEUDO_MT19937 = 142, CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161, CURAND_RNG_QUASI_DEFAULT = 200, CURAND_RNG_QUASI_SOBOL32 = 201, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202, CURAND_RNG_QUASI_SOBOL64 = 203, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204 } curandRngType_t;
typedef enum curandOrdering { CURAND_ORDERING_PSEUDO_BEST = 100, CURAND_ORDERING_PSEUDO_DEFAULT = 101, CURAND_ORDERING_PSEUDO_SEEDED = 102, CURAND_ORDERING_PSEUDO_LEGACY = 103, CURAND_ORDERING_PSEUDO_DYNAMIC = 104, CURAND_ORDERING_QUASI_DEFAULT = 201 } curandOrdering_t;
typedef enum curandDirectionVectorSet { CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6, CURAND_DIRECTION_VECTORS_64_JOEKUO6, CURAND_SCRAMBLED_DIRECTION_VECTORS_64_JOEKUO6 } curandDirectionVectorSet_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
extern "C" {
#define __F(n) curandStatus_t n(...);
__F(curandCreateGenerator) __F(curandCreateGeneratorHost) __F(curandDestroyGenerator) __F(curandGetVersion) __F(curandSetStream)
__F(curandSetPseudoRandomGeneratorSeed) __F(curandSetGeneratorOffset) __F(curandSetGeneratorOrdering) __F(curandGenerateSeeds)
__F(curandSetQuasiRandomGeneratorDimensions) __F(curandGenerate) __F(curandGenerateLongLong) __F(curandGenerateUniform)
__F(curandGenerateUniformDouble) __F(curandGenerateNormal) __F(curandGenerateNormalDouble) __F(curandGenerateLogNormal)
__F(curandGenerateLogNormalDouble) __F(curandGeneratePoisson) __F(curandGetDirectionVectors32) __F(curandGetDirectionVectors64)
__F(curandGetScrambleConstants32) __F(curandGetScrambleConstants64)
#undef __F
}
