// Random123: the generators and their counters; what they give is not known.
#pragma once
#pragma clang system_header
#include <cstddef>
#include <cstdint>
#include <type_traits>
#define R123_CUDA_DEVICE __host__ __device__
#define R123_STATIC_INLINE static inline
#define R123_FORCE_INLINE(declaration) declaration
#define R123_CONSTEXPR constexpr
#define R123_64BIT(x) ((uint64_t)(x##ULL))
#define R123_0x1p_31f (1.f / (1024.f * 1024.f * 2048.f))
#define R123_USE_CXX11 1
template <int count, class T> struct cudalint_r123_array {
  typedef T value_type;
  T v[count];
  __host__ __device__ T &operator[](size_t i) { return v[i]; }
  __host__ __device__ const T &operator[](size_t i) const { return v[i]; }
  __host__ __device__ T *begin() { return v; }
  __host__ __device__ T *end() { return v + count; }
  __host__ __device__ const T *begin() const { return v; }
  __host__ __device__ const T *end() const { return v + count; }
  __host__ __device__ size_t size() const { return count; }
  __host__ __device__ cudalint_r123_array &incr(unsigned long long n = 1) { v[0] += (T)n; return *this; }
};
template <int count, int keys, class T> struct cudalint_r123 {
  typedef cudalint_r123_array<count, T> ctr_type;
  typedef cudalint_r123_array<keys, T> key_type;
  typedef key_type ukey_type;
  __host__ __device__ ctr_type operator()(ctr_type, key_type) const;
};
typedef cudalint_r123_array<1, uint32_t> r123array1x32;
typedef cudalint_r123_array<2, uint32_t> r123array2x32;
typedef cudalint_r123_array<4, uint32_t> r123array4x32;
typedef cudalint_r123_array<2, uint64_t> r123array2x64;
typedef cudalint_r123_array<4, uint64_t> r123array4x64;
namespace r123 {
typedef cudalint_r123<2, 1, uint32_t> Philox2x32;
typedef cudalint_r123<4, 2, uint32_t> Philox4x32;
typedef cudalint_r123<2, 1, uint64_t> Philox2x64;
typedef cudalint_r123<4, 2, uint64_t> Philox4x64;
typedef cudalint_r123<2, 2, uint32_t> Threefry2x32;
typedef cudalint_r123<4, 4, uint32_t> Threefry4x32;
typedef cudalint_r123<2, 2, uint64_t> Threefry2x64;
typedef cudalint_r123<4, 4, uint64_t> Threefry4x64;
}
