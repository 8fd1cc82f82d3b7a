// Algorithms over the whole device, called from the host.
#pragma once
#pragma clang system_header
#include "cub_types.h"
namespace cub {
#define F(n) template <class... A> static cudaError_t n(void *, size_t &, A &&...);
struct DeviceReduce { F(Reduce) F(Sum) F(Min) F(Max) F(ArgMin) F(ArgMax) F(ReduceByKey) F(TransformReduce) };
struct DeviceScan { F(ExclusiveSum) F(InclusiveSum) F(ExclusiveScan) F(InclusiveScan) F(ExclusiveSumByKey) F(InclusiveSumByKey) F(ExclusiveScanByKey) F(InclusiveScanByKey) };
struct DeviceSelect { F(Flagged) F(FlaggedIf) F(If) F(Unique) F(UniqueByKey) };
struct DevicePartition { F(Flagged) F(If) };
struct DeviceRadixSort { F(SortPairs) F(SortPairsDescending) F(SortKeys) F(SortKeysDescending) };
struct DeviceMergeSort { F(SortKeys) F(SortPairs) F(StableSortKeys) F(StableSortPairs) F(SortKeysCopy) F(SortPairsCopy) };
struct DeviceSegmentedSort { F(SortKeys) F(SortPairs) F(SortKeysDescending) F(SortPairsDescending) F(StableSortKeys) F(StableSortPairs) };
struct DeviceSegmentedRadixSort { F(SortPairs) F(SortPairsDescending) F(SortKeys) F(SortKeysDescending) };
struct DeviceSegmentedReduce { F(Reduce) F(Sum) F(Min) F(Max) F(ArgMin) F(ArgMax) };
struct DeviceHistogram { F(HistogramEven) F(HistogramRange) F(MultiHistogramEven) F(MultiHistogramRange) };
struct DeviceRunLengthEncode { F(Encode) F(NonTrivialRuns) };
struct DeviceAdjacentDifference { F(SubtractLeft) F(SubtractLeftCopy) F(SubtractRight) F(SubtractRightCopy) };
struct DeviceSpmv { F(CsrMV) };
struct DeviceMemcpy { F(Batched) };
struct DeviceCopy { F(Batched) };
struct DeviceFor { template <class... A> static cudaError_t Bulk(A &&...); template <class... A> static cudaError_t ForEach(A &&...); template <class... A> static cudaError_t ForEachN(A &&...); };
#undef F
}
