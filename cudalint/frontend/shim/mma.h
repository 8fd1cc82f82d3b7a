// Matrix fragments of a warp. Which lane holds which element is not specified, so no body could be written.
#pragma once
#pragma clang system_header
#include "cuda_fp16.h"
#include "cuda_bf16.h"
namespace nvcuda {
namespace wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision { struct tf32 {}; struct u4 {}; struct s4 {}; struct b1 {}; }
namespace experimental { namespace precision { struct u4 {}; struct s4 {}; struct b1 {}; } enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 }; enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 }; }
using experimental::bmmaBitOp;
using experimental::bmmaBitOpXOR;
using experimental::bmmaBitOpAND;
using experimental::bmmaAccumulateOp;
using experimental::bmmaAccumulateOpPOPC;
template <class __T> struct cudalint_element { using type = __T; };
template <> struct cudalint_element<precision::tf32> { using type = float; };
template <> struct cudalint_element<precision::u4> { using type = unsigned int; };
template <> struct cudalint_element<precision::s4> { using type = int; };
template <> struct cudalint_element<precision::b1> { using type = unsigned int; };
template <> struct cudalint_element<experimental::precision::u4> { using type = unsigned int; };
template <> struct cudalint_element<experimental::precision::s4> { using type = int; };
template <> struct cudalint_element<experimental::precision::b1> { using type = unsigned int; };
// Elements a lane holds: a matrix's elements over 32 lanes; the 16-bit factors of 16x16x16 are held twice.
template <class Use, int __M, int __N, int __K, class __T> struct cudalint_count { static constexpr int value = __M * __N / 32; };
template <int __M, int __N, int __K, class __T> struct cudalint_count<matrix_a, __M, __N, __K, __T> { static constexpr int value = __M * __K / 32 * (sizeof(__T) == 2 ? 2 : 1); };
template <int __M, int __N, int __K, class __T> struct cudalint_count<matrix_b, __M, __N, __K, __T> { static constexpr int value = __K * __N / 32 * (sizeof(__T) == 2 ? 2 : 1); };
template <class Use, int __M, int __N, int __K, class __T, class Layout = void> struct fragment {
  enum { num_elements = cudalint_count<Use, __M, __N, __K, __T>::value, num_storage_elements = num_elements };
  using element_type = __T;
  using storage_element_type = typename cudalint_element<__T>::type;
  storage_element_type x[num_elements];
};
template <class __U, int __M, int __N, int __K, class __T, class __L, class __V> __device__ void fill_fragment(fragment<__U, __M, __N, __K, __T, __L> &, const __V &);
template <class __U, int __M, int __N, int __K, class __T, class __L, class __P> __device__ void load_matrix_sync(fragment<__U, __M, __N, __K, __T, __L> &, const __P *, unsigned int);
template <class __U, int __M, int __N, int __K, class __T, class __L, class __P> __device__ void load_matrix_sync(fragment<__U, __M, __N, __K, __T, __L> &, const __P *, unsigned int, layout_t);
template <int __M, int __N, int __K, class __T, class __L, class __P> __device__ void store_matrix_sync(__P *, const fragment<accumulator, __M, __N, __K, __T, __L> &, unsigned int, layout_t);
template <class __D, class __A, class __B, class __C> __device__ void mma_sync(__D &, const __A &, const __B &, const __C &, bool = false);
template <class __D, class __A, class __B, class __C> __device__ void bmma_sync(__D &, const __A &, const __B &, const __C &, bmmaBitOp = bmmaBitOpXOR, bmmaAccumulateOp = bmmaAccumulateOpPOPC);
__device__ float __float_to_tf32(float);
}
}
