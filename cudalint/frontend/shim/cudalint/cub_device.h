// Algorithms over the whole device, called from the host.
#pragma once
#pragma clang system_header
#include "cub_elements.h"
namespace cub {
#define __F(n) template <class... __A> static cudaError_t n(void *, size_t &, __A &&...);
#define __R(n) template <class... __A> static cudaError_t n(void *, size_t &, __A &&...a) { return ::cub::cudalint_run<cudalint_do_##n>(a...); }
#define __W(n) template <class... __A> static cudaError_t n(__A &&...a) { return ::cub::cudalint_run<cudalint_do_##n>(a...); }
struct DeviceReduce { __R(Reduce) __F(Sum) __F(Min) __F(Max) __F(ArgMin) __F(ArgMax) __F(ReduceByKey) __R(TransformReduce) };
struct DeviceScan { __F(ExclusiveSum) __F(InclusiveSum) __R(ExclusiveScan) __R(InclusiveScan) __F(ExclusiveSumByKey) __F(InclusiveSumByKey) __F(ExclusiveScanByKey) __F(InclusiveScanByKey) };
struct DeviceSelect { __F(Flagged) __F(FlaggedIf) __R(If) __F(Unique) __F(UniqueByKey) };
struct DevicePartition { __F(Flagged) __F(If) };
struct DeviceRadixSort { __F(SortPairs) __F(SortPairsDescending) __F(SortKeys) __F(SortKeysDescending) };
struct DeviceMergeSort { __R(SortKeys) __R(SortPairs) __F(StableSortKeys) __F(StableSortPairs) __F(SortKeysCopy) __F(SortPairsCopy) };
struct DeviceSegmentedSort { __F(SortKeys) __F(SortPairs) __F(SortKeysDescending) __F(SortPairsDescending) __F(StableSortKeys) __F(StableSortPairs) };
struct DeviceSegmentedRadixSort { __F(SortPairs) __F(SortPairsDescending) __F(SortKeys) __F(SortKeysDescending) };
struct DeviceSegmentedReduce { __F(Reduce) __F(Sum) __F(Min) __F(Max) __F(ArgMin) __F(ArgMax) };
struct DeviceHistogram { __F(HistogramEven) __F(HistogramRange) __F(MultiHistogramEven) __F(MultiHistogramRange) };
struct DeviceRunLengthEncode { __F(Encode) __F(NonTrivialRuns) };
struct DeviceAdjacentDifference { __F(SubtractLeft) __F(SubtractLeftCopy) __F(SubtractRight) __F(SubtractRightCopy) };
struct DeviceSpmv { __F(CsrMV) };
struct DeviceMemcpy { __F(Batched) };
struct DeviceMerge { __F(MergeKeys) __F(MergePairs) };
struct DeviceTransform { __W(Transform) template <class... __A> static cudaError_t Fill(__A &&...); };
struct DeviceCopy { __F(Batched) };
struct DeviceFor { __W(Bulk) __W(ForEach) __W(ForEachN) };
#undef __F
#undef __R
#undef __W
#define __G(n) template <class... __A> struct n { template <class... __B> static cudaError_t Dispatch(void *, size_t &, __B &&...); };
template <class __T, class... __A> struct DispatchReduce { template <class... __B> static cudaError_t Dispatch(void *, size_t &, __B &&...); };
__G(DispatchScan) __G(DispatchScanByKey) __G(DispatchReduceByKey) __G(DispatchSegmentedReduce) __G(DispatchUniqueByKey)
#undef __G
enum class SortOrder { Ascending, Descending };
template <auto order, class... __A> struct DispatchRadixSort { template <class... __B> static cudaError_t Dispatch(void *, size_t &, __B &&...); };
template <auto order, class... __A> struct DispatchSegmentedRadixSort { template <class... __B> static cudaError_t Dispatch(void *, size_t &, __B &&...); };
}
