// Collectives of a block and of a warp: class templates whose members are only declared. What they do to shared memory
// and barriers is theirs, and stays unknown.
#pragma once
#pragma clang system_header
#include "cub_types.h"
namespace cub {
#define CUDALINT_STORAGE(bytes) \
  struct TempStorage { alignas(16) char cudalint_bytes[bytes]; };
#define CUDALINT_MAKE(Class) \
  D Class(); \
  D Class(TempStorage &); \
  D Class(TempStorage &, int);
#define D __device__
template <class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int Arch = 0> class BlockReduce {
 public:
  CUDALINT_STORAGE(sizeof(T) * ((X * Y * Z + 31) / 32) + sizeof(T))
  CUDALINT_MAKE(BlockReduce)
  template <class R> D T Reduce(T, R);
  template <class R> D T Reduce(T, R, int);
  template <int N, class R> D T Reduce(T (&)[N], R);
  D T Sum(T);
  D T Sum(T, int);
  template <int N> D T Sum(T (&)[N]);
};
template <class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int Arch = 0> class BlockScan {
 public:
  CUDALINT_STORAGE(sizeof(T) * (X * Y * Z + X * Y * Z / 32) + 64)
  CUDALINT_MAKE(BlockScan)
  D void InclusiveSum(T, T &); D void InclusiveSum(T, T &, T &); template <class P> D void InclusiveSum(T, T &, T &, P &);
  D void ExclusiveSum(T, T &); D void ExclusiveSum(T, T &, T &); template <class P> D void ExclusiveSum(T, T &, T &, P &);
  template <int N> D void InclusiveSum(T (&)[N], T (&)[N]); template <int N> D void InclusiveSum(T (&)[N], T (&)[N], T &);
  template <int N> D void ExclusiveSum(T (&)[N], T (&)[N]); template <int N> D void ExclusiveSum(T (&)[N], T (&)[N], T &);
  template <int N, class P> D void InclusiveSum(T (&)[N], T (&)[N], T &, P &); template <int N, class P> D void ExclusiveSum(T (&)[N], T (&)[N], T &, P &);
  template <class R> D void InclusiveScan(T, T &, R); template <class R> D void InclusiveScan(T, T &, R, T &);
  template <class R> D void ExclusiveScan(T, T &, R); template <class I, class R> D void ExclusiveScan(T, T &, I, R); template <class I, class R> D void ExclusiveScan(T, T &, I, R, T &);
  template <int N, class R> D void InclusiveScan(T (&)[N], T (&)[N], R); template <int N, class R> D void InclusiveScan(T (&)[N], T (&)[N], R, T &);
  template <int N, class I, class R> D void ExclusiveScan(T (&)[N], T (&)[N], I, R); template <int N, class I, class R> D void ExclusiveScan(T (&)[N], T (&)[N], I, R, T &);
};
template <class T, int X, int N, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int Arch = 0> class BlockLoad {
 public:
  CUDALINT_STORAGE(A == BLOCK_LOAD_DIRECT || A == BLOCK_LOAD_VECTORIZE || A == BLOCK_LOAD_STRIPED ? 16 : sizeof(T) * X * Y * Z * N)
  CUDALINT_MAKE(BlockLoad)
  template <class I, class U> D void Load(I, U (&)[N]);
  template <class I, class U> D void Load(I, U (&)[N], int);
  template <class I, class U, class V> D void Load(I, U (&)[N], int, V);
};
template <class T, int X, int N, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int Arch = 0> class BlockStore {
 public:
  CUDALINT_STORAGE(A == BLOCK_STORE_DIRECT || A == BLOCK_STORE_VECTORIZE || A == BLOCK_STORE_STRIPED ? 16 : sizeof(T) * X * Y * Z * N)
  CUDALINT_MAKE(BlockStore)
  template <class I, class U> D void Store(I, U (&)[N]);
  template <class I, class U> D void Store(I, U (&)[N], int);
};
template <class K, int X, int N, class V = NullType, int Bits = 4, bool Memo = true, BlockScanAlgorithm A = BLOCK_SCAN_WARP_SCANS, int Bank = 0, int Y = 1, int Z = 1, int Arch = 0> class BlockRadixSort {
 public:
  CUDALINT_STORAGE(sizeof(K) * X * Y * Z * N + 4096)
  CUDALINT_MAKE(BlockRadixSort)
#define S(name) \
  D void name(K (&)[N], int = 0, int = sizeof(K) * 8); \
  template <class W> D void name(K (&)[N], W (&)[N], int = 0, int = sizeof(K) * 8);
  S(Sort) S(SortDescending) S(SortBlockedToStriped) S(SortDescendingBlockedToStriped)
#undef S
};
template <class T, int X, int N, bool Warp = false, int Y = 1, int Z = 1, int Arch = 0> class BlockExchange {
 public:
  CUDALINT_STORAGE(sizeof(T) * X * Y * Z * N)
  CUDALINT_MAKE(BlockExchange)
#define S(name) template <class U> D void name(U (&)[N]); template <class U, class W> D void name(U (&)[N], W (&)[N]);
  S(StripedToBlocked) S(BlockedToStriped) S(WarpStripedToBlocked) S(BlockedToWarpStriped)
#undef S
  template <class U, class R> D void ScatterToBlocked(U (&)[N], R (&)[N]);
  template <class U, class R> D void ScatterToStriped(U (&)[N], R (&)[N]);
  template <class U, class W, class R> D void ScatterToBlocked(U (&)[N], W (&)[N], R (&)[N]);
  template <class U, class W, class R> D void ScatterToStriped(U (&)[N], W (&)[N], R (&)[N]);
};
template <class T, int X, int Y = 1, int Z = 1, int Arch = 0> class BlockDiscontinuity {
 public:
  CUDALINT_STORAGE(sizeof(T) * X * Y * Z * 2)
  CUDALINT_MAKE(BlockDiscontinuity)
  template <int N, class F, class O> D void FlagHeads(F (&)[N], T (&)[N], O);
  template <int N, class F, class O> D void FlagHeads(F (&)[N], T (&)[N], O, T);
  template <int N, class F, class O> D void FlagTails(F (&)[N], T (&)[N], O);
  template <int N, class F, class O> D void FlagTails(F (&)[N], T (&)[N], O, T);
};
template <class T, int X, int Y = 1, int Z = 1, int Arch = 0> class BlockAdjacentDifference {
 public:
  CUDALINT_STORAGE(sizeof(T) * X * Y * Z)
  CUDALINT_MAKE(BlockAdjacentDifference)
  template <int N, class U, class O> D void SubtractLeft(T (&)[N], U (&)[N], O);
  template <int N, class U, class O> D void SubtractLeft(T (&)[N], U (&)[N], O, T);
  template <int N, class U, class O> D void SubtractRight(T (&)[N], U (&)[N], O);
  template <int N, class U, class O> D void SubtractRight(T (&)[N], U (&)[N], O, T);
  template <int N, class F, class O> D void FlagHeads(F (&)[N], T (&)[N], O);
};
template <class T, int X, int Y = 1, int Z = 1, int Arch = 0> class BlockShuffle {
 public:
  CUDALINT_STORAGE(sizeof(T) * X * Y * Z)
  CUDALINT_MAKE(BlockShuffle)
  D void Offset(T, T &, int = 1);
  D void Rotate(T, T &, unsigned int = 1);
  template <int N> D void Up(T (&)[N], T (&)[N]);
  template <int N> D void Down(T (&)[N], T (&)[N]);
};
template <class T, int X, int N, int Bins, BlockHistogramAlgorithm A = BLOCK_HISTO_SORT, int Y = 1, int Z = 1, int Arch = 0> class BlockHistogram {
 public:
  CUDALINT_STORAGE(sizeof(T) * X * Y * Z * N)
  CUDALINT_MAKE(BlockHistogram)
  template <class C> D void InitHistogram(C (&)[Bins]);
  template <class C> D void Histogram(T (&)[N], C (&)[Bins]);
  template <class C> D void Composite(T (&)[N], C (&)[Bins]);
};
template <class K, int X, int N, class V = NullType, int Y = 1, int Z = 1> class BlockMergeSort {
 public:
  CUDALINT_STORAGE(sizeof(K) * (X * Y * Z * N + 1))
  CUDALINT_MAKE(BlockMergeSort)
  template <class C> D void Sort(K (&)[N], C);
  template <class W, class C> D void Sort(K (&)[N], W (&)[N], C);
  template <class C> D void StableSort(K (&)[N], C);
};
template <class T, int W = 32, int Arch = 0> class WarpReduce {
 public:
  CUDALINT_STORAGE(16)
  D WarpReduce(TempStorage &);
  D T Sum(T);
  D T Sum(T, int);
  D T Max(T);
  D T Min(T);
  template <class R> D T Reduce(T, R);
  template <class R> D T Reduce(T, R, int);
  template <class F> D T HeadSegmentedSum(T, F);
  template <class F> D T TailSegmentedSum(T, F);
  template <class R, class F> D T HeadSegmentedReduce(T, F, R);
  template <class R, class F> D T TailSegmentedReduce(T, F, R);
};
template <class T, int W = 32, int Arch = 0> class WarpScan {
 public:
  CUDALINT_STORAGE(16)
  D WarpScan(TempStorage &);
  D void InclusiveSum(T, T &); D void InclusiveSum(T, T &, T &); D void ExclusiveSum(T, T &); D void ExclusiveSum(T, T &, T &);
  template <class R> D void InclusiveScan(T, T &, R); template <class R> D void InclusiveScan(T, T &, R, T &);
  template <class R> D void ExclusiveScan(T, T &, R); template <class I, class R> D void ExclusiveScan(T, T &, I, R); template <class I, class R> D void ExclusiveScan(T, T &, I, R, T &);
  template <class R> D void Scan(T, T &, T &, R);
  D T Broadcast(T, unsigned int);
};
template <class T, int N, int W = 32, int Arch = 0, class A = void> class WarpExchange {
 public:
  CUDALINT_STORAGE(sizeof(T) * W * N)
  D WarpExchange(TempStorage &);
  template <class U> D void BlockedToStriped(const T (&)[N], U (&)[N]);
  template <class U> D void StripedToBlocked(const T (&)[N], U (&)[N]);
  template <class R> D void ScatterToStriped(T (&)[N], R (&)[N]);
};
template <class T, int N, int A = 0, int W = 32, int Arch = 0> class WarpLoad {
 public:
  CUDALINT_STORAGE(sizeof(T) * W * N)
  D WarpLoad(TempStorage &);
  template <class I> D void Load(I, T (&)[N]); template <class I> D void Load(I, T (&)[N], int);
};
template <class T, int N, int A = 0, int W = 32, int Arch = 0> class WarpStore {
 public:
  CUDALINT_STORAGE(sizeof(T) * W * N)
  D WarpStore(TempStorage &);
  template <class I> D void Store(I, T (&)[N]); template <class I> D void Store(I, T (&)[N], int);
};
template <class K, int N, int W = 32, class V = NullType> class WarpMergeSort {
 public:
  CUDALINT_STORAGE(sizeof(K) * (W * N + 1))
  D WarpMergeSort(TempStorage &);
  template <class C> D void Sort(K (&)[N], C); template <class U, class C> D void Sort(K (&)[N], U (&)[N], C);
};
// Loads and stores that need no shared memory are plain loops.
#define CUDALINT_EACH(place) for (int i = 0; i < N; i++) { place; }
template <class T, int N, class I> D inline void LoadDirectBlocked(int t, I from, T (&items)[N]) { CUDALINT_EACH(items[i] = from[t * N + i]) }
template <class T, int N, class I> D inline void LoadDirectBlocked(int t, I from, T (&items)[N], int valid) { CUDALINT_EACH(if (t * N + i < valid) items[i] = from[t * N + i]) }
template <class T, int N, class I> D inline void StoreDirectBlocked(int t, I to, T (&items)[N]) { CUDALINT_EACH(to[t * N + i] = items[i]) }
template <class T, int N, class I> D inline void StoreDirectBlocked(int t, I to, T (&items)[N], int valid) { CUDALINT_EACH(if (t * N + i < valid) to[t * N + i] = items[i]) }
template <int B, class T, int N, class I> D inline void LoadDirectStriped(int t, I from, T (&items)[N]) { CUDALINT_EACH(items[i] = from[t + i * B]) }
template <int B, class T, int N, class I> D inline void LoadDirectStriped(int t, I from, T (&items)[N], int valid) { CUDALINT_EACH(if (t + i * B < valid) items[i] = from[t + i * B]) }
template <int B, class T, int N, class I, class V> D inline void LoadDirectStriped(int t, I from, T (&items)[N], int valid, V other) { CUDALINT_EACH(items[i] = t + i * B < valid ? from[t + i * B] : (T)other) }
template <int B, class T, int N, class I> D inline void StoreDirectStriped(int t, I to, T (&items)[N]) { CUDALINT_EACH(to[t + i * B] = items[i]) }
template <int B, class T, int N, class I> D inline void StoreDirectStriped(int t, I to, T (&items)[N], int valid) { CUDALINT_EACH(if (t + i * B < valid) to[t + i * B] = items[i]) }
#undef CUDALINT_EACH
#undef CUDALINT_MAKE
#undef CUDALINT_STORAGE
#undef D
}
