// Collectives of a block and of a warp: class templates whose members are only declared. What they do to shared memory
// and barriers is theirs, and stays unknown.
#pragma once
#pragma clang system_header
#include "cub_types.h"
namespace cub {
#define CUDALINT_STORAGE(bytes) \
  struct TempStorage { alignas(16) char cudalint_bytes[bytes]; };
#define CUDALINT_MAKE(Class) \
  __D Class(); \
  __D Class(TempStorage &); \
  __D Class(TempStorage &, int);
#define __D __device__
template <class __T, int __X, BlockReduceAlgorithm __A = BLOCK_REDUCE_WARP_REDUCTIONS, int __Y = 1, int __Z = 1, int Arch = 0> class BlockReduce {
 public:
  CUDALINT_STORAGE(sizeof(__T) * ((__X * __Y * __Z + 31) / 32) + sizeof(__T))
  CUDALINT_MAKE(BlockReduce)
  template <class __R> __D __T Reduce(__T, __R);
  template <class __R> __D __T Reduce(__T, __R, int);
  template <int __N, class __R> __D __T Reduce(__T (&)[__N], __R);
  __D __T Sum(__T);
  __D __T Sum(__T, int);
  template <int __N> __D __T Sum(__T (&)[__N]);
};
template <class __T, int __X, BlockScanAlgorithm __A = BLOCK_SCAN_RAKING, int __Y = 1, int __Z = 1, int Arch = 0> class BlockScan {
 public:
  CUDALINT_STORAGE(sizeof(__T) * (__X * __Y * __Z + __X * __Y * __Z / 32) + 64)
  CUDALINT_MAKE(BlockScan)
  // One item a thread, then several; each with the sum of the block and with a running prefix.
  __D void InclusiveSum(__T, __T &);
  __D void InclusiveSum(__T, __T &, __T &);
  template <class __P> __D void InclusiveSum(__T, __T &, __P &);
  template <class __P> __D void InclusiveSum(__T, __T &, __T &, __P &);
  template <int __N> __D void InclusiveSum(__T (&)[__N], __T (&)[__N]);
  template <int __N> __D void InclusiveSum(__T (&)[__N], __T (&)[__N], __T &);
  template <int __N, class __P> __D void InclusiveSum(__T (&)[__N], __T (&)[__N], __T &, __P &);
  template <class __R> __D void InclusiveScan(__T, __T &, __R);
  template <class __R> __D void InclusiveScan(__T, __T &, __R, __T &);
  template <class __R, class __P> __D void InclusiveScan(__T, __T &, __R, __T &, __P &);
  template <class __R, class __P> __D void InclusiveScan(__T, __T &, __R, __P &);
  template <int __N, class __R> __D void InclusiveScan(__T (&)[__N], __T (&)[__N], __R);
  template <int __N, class __R> __D void InclusiveScan(__T (&)[__N], __T (&)[__N], __R, __T &);
  template <int __N, class __R, class __P> __D void InclusiveScan(__T (&)[__N], __T (&)[__N], __R, __T &, __P &);
  template <class __R> __D void InclusiveScan(__T, __T &, __T, __R);
  template <class __R> __D void InclusiveScan(__T, __T &, __T, __R, __T &);
  template <int __N, class __R> __D void InclusiveScan(__T (&)[__N], __T (&)[__N], __T, __R);
  template <int __N, class __R> __D void InclusiveScan(__T (&)[__N], __T (&)[__N], __T, __R, __T &);
  __D void ExclusiveSum(__T, __T &);
  __D void ExclusiveSum(__T, __T &, __T &);
  template <class __P> __D void ExclusiveSum(__T, __T &, __P &);
  template <class __P> __D void ExclusiveSum(__T, __T &, __T &, __P &);
  template <int __N> __D void ExclusiveSum(__T (&)[__N], __T (&)[__N]);
  template <int __N> __D void ExclusiveSum(__T (&)[__N], __T (&)[__N], __T &);
  template <int __N, class __P> __D void ExclusiveSum(__T (&)[__N], __T (&)[__N], __T &, __P &);
  template <class __R> __D void ExclusiveScan(__T, __T &, __R);
  template <class __R> __D void ExclusiveScan(__T, __T &, __R, __T &);
  template <class __R, class __P> __D void ExclusiveScan(__T, __T &, __R, __T &, __P &);
  template <class __R, class __P> __D void ExclusiveScan(__T, __T &, __R, __P &);
  template <int __N, class __R> __D void ExclusiveScan(__T (&)[__N], __T (&)[__N], __R);
  template <int __N, class __R> __D void ExclusiveScan(__T (&)[__N], __T (&)[__N], __R, __T &);
  template <int __N, class __R, class __P> __D void ExclusiveScan(__T (&)[__N], __T (&)[__N], __R, __T &, __P &);
  template <class __R> __D void ExclusiveScan(__T, __T &, __T, __R);
  template <class __R> __D void ExclusiveScan(__T, __T &, __T, __R, __T &);
  template <int __N, class __R> __D void ExclusiveScan(__T (&)[__N], __T (&)[__N], __T, __R);
  template <int __N, class __R> __D void ExclusiveScan(__T (&)[__N], __T (&)[__N], __T, __R, __T &);
};
template <class __T, int __X, int __N, BlockLoadAlgorithm __A = BLOCK_LOAD_DIRECT, int __Y = 1, int __Z = 1, int Arch = 0> class BlockLoad {
 public:
  CUDALINT_STORAGE(__A == BLOCK_LOAD_DIRECT || __A == BLOCK_LOAD_VECTORIZE || __A == BLOCK_LOAD_STRIPED ? 16 : sizeof(__T) * __X * __Y * __Z * __N)
  CUDALINT_MAKE(BlockLoad)
  template <class __I, class __U> __D void Load(__I, __U (&)[__N]);
  template <class __I, class __U> __D void Load(__I, __U (&)[__N], int);
  template <class __I, class __U, class __V> __D void Load(__I, __U (&)[__N], int, __V);
};
template <class __T, int __X, int __N, BlockStoreAlgorithm __A = BLOCK_STORE_DIRECT, int __Y = 1, int __Z = 1, int Arch = 0> class BlockStore {
 public:
  CUDALINT_STORAGE(__A == BLOCK_STORE_DIRECT || __A == BLOCK_STORE_VECTORIZE || __A == BLOCK_STORE_STRIPED ? 16 : sizeof(__T) * __X * __Y * __Z * __N)
  CUDALINT_MAKE(BlockStore)
  template <class __I, class __U> __D void Store(__I, __U (&)[__N]);
  template <class __I, class __U> __D void Store(__I, __U (&)[__N], int);
};
template <class __K, int __X, int __N, class __V = NullType, int Bits = 4, bool Memo = true, BlockScanAlgorithm __A = BLOCK_SCAN_WARP_SCANS, int Bank = 0, int __Y = 1, int __Z = 1, int Arch = 0> class BlockRadixSort {
 public:
  CUDALINT_STORAGE(sizeof(__K) * __X * __Y * __Z * __N + 4096)
  CUDALINT_MAKE(BlockRadixSort)
#define __S(name) \
  __D void name(__K (&)[__N], int = 0, int = sizeof(__K) * 8); \
  template <class __W> __D void name(__K (&)[__N], __W (&)[__N], int = 0, int = sizeof(__K) * 8);
  __S(Sort) __S(SortDescending) __S(SortBlockedToStriped) __S(SortDescendingBlockedToStriped)
#undef __S
};
template <class __T, int __X, int __N, bool Warp = false, int __Y = 1, int __Z = 1, int Arch = 0> class BlockExchange {
 public:
  CUDALINT_STORAGE(sizeof(__T) * __X * __Y * __Z * __N)
  CUDALINT_MAKE(BlockExchange)
#define __S(name) template <class __U> __D void name(__U (&)[__N]); template <class __U, class __W> __D void name(__U (&)[__N], __W (&)[__N]);
  __S(StripedToBlocked) __S(BlockedToStriped) __S(WarpStripedToBlocked) __S(BlockedToWarpStriped)
#undef __S
  template <class __U, class __R> __D void ScatterToBlocked(__U (&)[__N], __R (&)[__N]);
  template <class __U, class __R> __D void ScatterToStriped(__U (&)[__N], __R (&)[__N]);
  template <class __U, class __W, class __R> __D void ScatterToBlocked(__U (&)[__N], __W (&)[__N], __R (&)[__N]);
  template <class __U, class __W, class __R> __D void ScatterToStriped(__U (&)[__N], __W (&)[__N], __R (&)[__N]);
  template <class __U, class __R> __D void ScatterToStripedGuarded(__U (&)[__N], __R (&)[__N]);
  template <class __U, class __W, class __R> __D void ScatterToStripedGuarded(__U (&)[__N], __W (&)[__N], __R (&)[__N]);
  template <class __U, class __R, class __V> __D void ScatterToStripedFlagged(__U (&)[__N], __R (&)[__N], __V (&)[__N]);
  template <class __U, class __W, class __R, class __V> __D void ScatterToStripedFlagged(__U (&)[__N], __W (&)[__N], __R (&)[__N], __V (&)[__N]);
};
template <class __T, int __X, int __Y = 1, int __Z = 1, int Arch = 0> class BlockDiscontinuity {
 public:
  CUDALINT_STORAGE(sizeof(__T) * __X * __Y * __Z * 2)
  CUDALINT_MAKE(BlockDiscontinuity)
  template <int __N, class __F, class __O> __D void FlagHeads(__F (&)[__N], __T (&)[__N], __O);
  template <int __N, class __F, class __O> __D void FlagHeads(__F (&)[__N], __T (&)[__N], __O, __T);
  template <int __N, class __F, class __O> __D void FlagTails(__F (&)[__N], __T (&)[__N], __O);
  template <int __N, class __F, class __O> __D void FlagTails(__F (&)[__N], __T (&)[__N], __O, __T);
  template <int __N, class __F, class __O> __D void FlagHeadsAndTails(__F (&)[__N], __F (&)[__N], __T (&)[__N], __O);
  template <int __N, class __F, class __O> __D void FlagHeadsAndTails(__F (&)[__N], __T, __F (&)[__N], __T, __T (&)[__N], __O);
  template <int __N, class __F, class __O> __D void FlagHeadsAndTails(__F (&)[__N], __F (&)[__N], __T, __T (&)[__N], __O);
  template <int __N, class __F, class __O> __D void FlagHeadsAndTails(__F (&)[__N], __T, __F (&)[__N], __T (&)[__N], __O);
};
template <class __T, int __X, int __Y = 1, int __Z = 1, int Arch = 0> class BlockAdjacentDifference {
 public:
  CUDALINT_STORAGE(sizeof(__T) * __X * __Y * __Z)
  CUDALINT_MAKE(BlockAdjacentDifference)
  template <int __N, class __U, class __O> __D void SubtractLeft(__T (&)[__N], __U (&)[__N], __O);
  template <int __N, class __U, class __O> __D void SubtractLeft(__T (&)[__N], __U (&)[__N], __O, __T);
  template <int __N, class __U, class __O> __D void SubtractRight(__T (&)[__N], __U (&)[__N], __O);
  template <int __N, class __U, class __O> __D void SubtractRight(__T (&)[__N], __U (&)[__N], __O, __T);
  template <int __N, class __F, class __O> __D void FlagHeads(__F (&)[__N], __T (&)[__N], __O);
  template <int __N, class __U, class __O> __D void SubtractLeftPartialTile(__T (&)[__N], __U (&)[__N], __O, int);
  template <int __N, class __U, class __O> __D void SubtractLeftPartialTile(__T (&)[__N], __U (&)[__N], __O, int, __T);
  template <int __N, class __U, class __O> __D void SubtractRightPartialTile(__T (&)[__N], __U (&)[__N], __O, int);
};
template <class __T, int __X, int __Y = 1, int __Z = 1, int Arch = 0> class BlockShuffle {
 public:
  CUDALINT_STORAGE(sizeof(__T) * __X * __Y * __Z)
  CUDALINT_MAKE(BlockShuffle)
  __D void Offset(__T, __T &, int = 1);
  __D void Rotate(__T, __T &, unsigned int = 1);
  template <int __N> __D void Up(__T (&)[__N], __T (&)[__N]);
  template <int __N> __D void Up(__T (&)[__N], __T (&)[__N], __T &);
  template <int __N> __D void Down(__T (&)[__N], __T (&)[__N]);
  template <int __N> __D void Down(__T (&)[__N], __T (&)[__N], __T &);
};
template <class __T, int __X, int __N, int Bins, BlockHistogramAlgorithm __A = BLOCK_HISTO_SORT, int __Y = 1, int __Z = 1, int Arch = 0> class BlockHistogram {
 public:
  CUDALINT_STORAGE(sizeof(__T) * __X * __Y * __Z * __N)
  CUDALINT_MAKE(BlockHistogram)
  template <class __C> __D void InitHistogram(__C (&)[Bins]);
  template <class __C> __D void Histogram(__T (&)[__N], __C (&)[Bins]);
  template <class __C> __D void Composite(__T (&)[__N], __C (&)[Bins]);
};
template <class __K, int __X, int __N, class __V = NullType, int __Y = 1, int __Z = 1> class BlockMergeSort {
 public:
  CUDALINT_STORAGE(sizeof(__K) * (__X * __Y * __Z * __N + 1))
  CUDALINT_MAKE(BlockMergeSort)
  template <class __C> __D void Sort(__K (&)[__N], __C);
  template <class __W, class __C> __D void Sort(__K (&)[__N], __W (&)[__N], __C);
  template <class __C> __D void StableSort(__K (&)[__N], __C);
  template <class __C> __D void Sort(__K (&)[__N], __C, int, __K);
  template <class __W, class __C> __D void Sort(__K (&)[__N], __W (&)[__N], __C, int, __K);
  template <class __W, class __C> __D void StableSort(__K (&)[__N], __W (&)[__N], __C);
};
template <class __T, int __W = 32, int Arch = 0> class WarpReduce {
 public:
  CUDALINT_STORAGE(16)
  __D WarpReduce(TempStorage &);
  __D __T Sum(__T);
  __D __T Sum(__T, int);
  __D __T Max(__T);
  __D __T Min(__T);
  template <class __R> __D __T Reduce(__T, __R);
  template <class __R> __D __T Reduce(__T, __R, int);
  template <class __F> __D __T HeadSegmentedSum(__T, __F);
  template <class __F> __D __T TailSegmentedSum(__T, __F);
  template <class __R, class __F> __D __T HeadSegmentedReduce(__T, __F, __R);
  template <class __R, class __F> __D __T TailSegmentedReduce(__T, __F, __R);
};
template <class __T, int __W = 32, int Arch = 0> class WarpScan {
 public:
  CUDALINT_STORAGE(16)
  __D WarpScan(TempStorage &);
  __D void InclusiveSum(__T, __T &); __D void InclusiveSum(__T, __T &, __T &); __D void ExclusiveSum(__T, __T &); __D void ExclusiveSum(__T, __T &, __T &);
  template <class __R> __D void InclusiveScan(__T, __T &, __R); template <class __R> __D void InclusiveScan(__T, __T &, __R, __T &);
  template <class __R> __D void ExclusiveScan(__T, __T &, __R, __T &); template <class __R> __D void InclusiveScan(__T, __T &, __T, __R);
  template <class __R> __D void Scan(__T, __T &, __T &, __T, __R);
  template <class __R> __D void ExclusiveScan(__T, __T &, __R); template <class __I, class __R> __D void ExclusiveScan(__T, __T &, __I, __R); template <class __I, class __R> __D void ExclusiveScan(__T, __T &, __I, __R, __T &);
  template <class __R> __D void Scan(__T, __T &, __T &, __R);
  __D __T Broadcast(__T, unsigned int);
};
template <class __T, int __N, int __W = 32, int Arch = 0, class __A = void> class WarpExchange {
 public:
  CUDALINT_STORAGE(sizeof(__T) * __W * __N)
  __D WarpExchange(TempStorage &);
  template <class __U> __D void BlockedToStriped(const __T (&)[__N], __U (&)[__N]);
  template <class __U> __D void StripedToBlocked(const __T (&)[__N], __U (&)[__N]);
  template <class __R> __D void ScatterToStriped(__T (&)[__N], __R (&)[__N]);
};
template <class __T, int __N, int __A = 0, int __W = 32, int Arch = 0> class WarpLoad {
 public:
  CUDALINT_STORAGE(sizeof(__T) * __W * __N)
  __D WarpLoad(TempStorage &);
  template <class __I> __D void Load(__I, __T (&)[__N]); template <class __I> __D void Load(__I, __T (&)[__N], int);
};
template <class __T, int __N, int __A = 0, int __W = 32, int Arch = 0> class WarpStore {
 public:
  CUDALINT_STORAGE(sizeof(__T) * __W * __N)
  __D WarpStore(TempStorage &);
  template <class __I> __D void Store(__I, __T (&)[__N]); template <class __I> __D void Store(__I, __T (&)[__N], int);
};
template <class __K, int __N, int __W = 32, class __V = NullType> class WarpMergeSort {
 public:
  CUDALINT_STORAGE(sizeof(__K) * (__W * __N + 1))
  __D WarpMergeSort(TempStorage &);
  template <class __C> __D void Sort(__K (&)[__N], __C); template <class __U, class __C> __D void Sort(__K (&)[__N], __U (&)[__N], __C);
};
// Loads and stores that need no shared memory are plain loops.
#define CUDALINT_EACH(place) for (int i = 0; i < __N; i++) { place; }
template <class __T, int __N, class __I> __D inline void LoadDirectBlocked(int t, __I from, __T (&items)[__N]) { CUDALINT_EACH(items[i] = from[t * __N + i]) }
template <class __T, int __N, class __I> __D inline void LoadDirectBlocked(int t, __I from, __T (&items)[__N], int valid) { CUDALINT_EACH(if (t * __N + i < valid) items[i] = from[t * __N + i]) }
template <class __T, int __N, class __I> __D inline void StoreDirectBlocked(int t, __I to, __T (&items)[__N]) { CUDALINT_EACH(to[t * __N + i] = items[i]) }
template <class __T, int __N, class __I> __D inline void StoreDirectBlocked(int t, __I to, __T (&items)[__N], int valid) { CUDALINT_EACH(if (t * __N + i < valid) to[t * __N + i] = items[i]) }
template <int __B, class __T, int __N, class __I> __D inline void LoadDirectStriped(int t, __I from, __T (&items)[__N]) { CUDALINT_EACH(items[i] = from[t + i * __B]) }
template <int __B, class __T, int __N, class __I> __D inline void LoadDirectStriped(int t, __I from, __T (&items)[__N], int valid) { CUDALINT_EACH(if (t + i * __B < valid) items[i] = from[t + i * __B]) }
template <int __B, class __T, int __N, class __I, class __V> __D inline void LoadDirectStriped(int t, __I from, __T (&items)[__N], int valid, __V other) { CUDALINT_EACH(items[i] = t + i * __B < valid ? from[t + i * __B] : (__T)other) }
template <int __B, class __T, int __N, class __I> __D inline void StoreDirectStriped(int t, __I to, __T (&items)[__N]) { CUDALINT_EACH(to[t + i * __B] = items[i]) }
template <int __B, class __T, int __N, class __I> __D inline void StoreDirectStriped(int t, __I to, __T (&items)[__N], int valid) { CUDALINT_EACH(if (t + i * __B < valid) to[t + i * __B] = items[i]) }
template <class __T, int __N, class __I, class __V> __D inline void LoadDirectBlocked(int t, __I from, __T (&items)[__N], int valid, __V other) { CUDALINT_EACH(items[i] = t * __N + i < valid ? from[t * __N + i] : (__T)other) }
// The vector forms move the items of a thread in one piece of at most 16 bytes.
template <class __T, int __N> struct alignas(sizeof(__T) * __N <= 16 && (__N & (__N - 1)) == 0 ? sizeof(__T) * __N : 16) cudalint_items { __T values[__N]; };
template <class __T, int __N> __D inline void LoadDirectBlockedVectorized(int t, const __T *from, __T (&items)[__N]) { cudalint_items<__T, __N> all = ((const cudalint_items<__T, __N> *)from)[t]; CUDALINT_EACH(items[i] = all.values[i]) }
template <class __T, int __N> __D inline void StoreDirectBlockedVectorized(int t, __T *to, __T (&items)[__N]) { cudalint_items<__T, __N> all; CUDALINT_EACH(all.values[i] = items[i]) ((cudalint_items<__T, __N> *)to)[t] = all; }
#define CUDALINT_STRIPED (t / 32 * 32 * __N + t % 32 + i * 32)
template <class __T, int __N, class __I> __D inline void LoadDirectWarpStriped(int t, __I from, __T (&items)[__N]) { CUDALINT_EACH(items[i] = from[CUDALINT_STRIPED]) }
template <class __T, int __N, class __I> __D inline void LoadDirectWarpStriped(int t, __I from, __T (&items)[__N], int valid) { CUDALINT_EACH(if (CUDALINT_STRIPED < valid) items[i] = from[CUDALINT_STRIPED]) }
template <class __T, int __N, class __I, class __V> __D inline void LoadDirectWarpStriped(int t, __I from, __T (&items)[__N], int valid, __V other) { CUDALINT_EACH(items[i] = CUDALINT_STRIPED < valid ? from[CUDALINT_STRIPED] : (__T)other) }
template <class __T, int __N, class __I> __D inline void StoreDirectWarpStriped(int t, __I to, __T (&items)[__N]) { CUDALINT_EACH(to[CUDALINT_STRIPED] = items[i]) }
template <class __T, int __N, class __I> __D inline void StoreDirectWarpStriped(int t, __I to, __T (&items)[__N], int valid) { CUDALINT_EACH(if (CUDALINT_STRIPED < valid) to[CUDALINT_STRIPED] = items[i]) }
#undef CUDALINT_STRIPED
#undef CUDALINT_EACH
#undef CUDALINT_MAKE
#undef CUDALINT_STORAGE
#undef __D
}
