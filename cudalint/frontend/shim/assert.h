// No include guard: assert follows NDEBUG at each inclusion.
#pragma clang system_header
#undef assert
#ifndef CUDALINT_ASSERT_FAIL
#define CUDALINT_ASSERT_FAIL
extern "C" __host__ __device__ __attribute__((noreturn)) void __assert_fail(const char *, const char *, unsigned, const char *);
extern "C" __host__ __device__ __attribute__((noreturn)) void __assertfail(const char *, const char *, unsigned, const char *, size_t);
#endif
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) ((__VA_ARGS__) ? (void)0 : __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __func__))
#endif
