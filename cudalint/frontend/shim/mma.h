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
template <class T> struct cudalint_element { using type = T; };
template <> struct cudalint_element<precision::tf32> { using type = float; };
template <> struct cudalint_element<precision::u4> { using type = unsigned int; };
template <> struct cudalint_element<precision::s4> { using type = int; };
template <> struct cudalint_element<precision::b1> { using type = unsigned int; };
template <> struct cudalint_element<experimental::precision::u4> { using type = unsigned int; };
template <> struct cudalint_element<experimental::precision::s4> { using type = int; };
template <> struct cudalint_element<experimental::precision::b1> { using type = unsigned int; };
// Elements a lane holds: a matrix's elements over 32 lanes; the 16-bit factors of 16x16x16 are held twice.
template <class Use, int M, int N, int K, class T> struct cudalint_count { static constexpr int value = M * N / 32; };
template <int M, int N, int K, class T> struct cudalint_count<matrix_a, M, N, K, T> { static constexpr int value = M * K / 32 * (sizeof(T) == 2 ? 2 : 1); };
template <int M, int N, int K, class T> struct cudalint_count<matrix_b, M, N, K, T> { static constexpr int value = K * N / 32 * (sizeof(T) == 2 ? 2 : 1); };
template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment {
  enum { num_elements = cudalint_count<Use, M, N, K, T>::value, num_storage_elements = num_elements };
  using element_type = T;
  using storage_element_type = typename cudalint_element<T>::type;
  storage_element_type x[num_elements];
};
template <class U, int M, int N, int K, class T, class L, class V> __device__ void fill_fragment(fragment<U, M, N, K, T, L> &, const V &);
template <class U, int M, int N, int K, class T, class L, class P> __device__ void load_matrix_sync(fragment<U, M, N, K, T, L> &, const P *, unsigned int);
template <class U, int M, int N, int K, class T, class L, class P> __device__ void load_matrix_sync(fragment<U, M, N, K, T, L> &, const P *, unsigned int, layout_t);
template <int M, int N, int K, class T, class L, class P> __device__ void store_matrix_sync(P *, const fragment<accumulator, M, N, K, T, L> &, unsigned int, layout_t);
template <class D, class A, class B, class C> __device__ void mma_sync(D &, const A &, const B &, const C &, bool = false);
template <class D, class A, class B, class C> __device__ void bmma_sync(D &, const A &, const B &, const C &, bmmaBitOp = bmmaBitOpXOR, bmmaAccumulateOp = bmmaAccumulateOpPOPC);
__device__ float __float_to_tf32(float);
}
}
