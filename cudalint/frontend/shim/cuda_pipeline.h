// Asynchronous copies to shared memory, the C-like interface.
#pragma once
#pragma clang system_header
#include "cudalint_prelude.h"
__device__ void __pipeline_memcpy_async(void *, const void *, size_t, size_t = 0);
__device__ void __pipeline_wait_prior(size_t);
typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;
__device__ void __pipeline_arrive_on(__mbarrier_t *);
__device__ void __mbarrier_init(__mbarrier_t *, unsigned int);
__device__ void __mbarrier_inval(__mbarrier_t *);
__device__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *);
__device__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *);
__device__ bool __mbarrier_test_wait(__mbarrier_t *, __mbarrier_token_t);
__device__ unsigned int __mbarrier_maximum_count();
__device__ unsigned int __mbarrier_token_pending_count(__mbarrier_token_t);
