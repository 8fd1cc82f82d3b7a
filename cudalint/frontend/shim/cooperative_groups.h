// Cooperative groups. What a group method does to a warp is written with the warp builtins, so that it can be run.
#pragma once
#pragma clang system_header
#include "cudalint_prelude.h"
#define CG_D __device__ inline
#define _CG_HAS_CLUSTER_GROUP 1
// Members that are static in the toolkit are not here: a call must show its group.
namespace cooperative_groups {
inline namespace __v1 {}
template <class __T> __device__ __T cudalint_collective(__T value);
class thread_group {
 public:
  thread_group() = default;
  __device__ void sync() const;
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
  __device__ unsigned int thread_rank() const;
  __device__ bool is_valid() const;
  unsigned int get_type() const;
 protected:
  unsigned long long cudalint_handle[2];
};
class thread_block : public thread_group {
 public:
  struct arrival_token {};
  __device__ void sync() const;
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
  __device__ unsigned int thread_rank() const;
  __device__ dim3 group_index() const;
  __device__ dim3 thread_index() const;
  __device__ dim3 group_dim() const;
  __device__ dim3 dim_threads() const;
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&) const;
};
class grid_group : public thread_group {
 public:
  using arrival_token = unsigned int;
  __device__ bool is_valid() const;
  __device__ void sync() const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long thread_rank() const;
  __device__ dim3 group_dim() const;
  __device__ dim3 dim_blocks() const;
  __device__ dim3 block_index() const;
  __device__ unsigned long long num_blocks() const;
  __device__ unsigned long long block_rank() const;
  __device__ unsigned int cluster_rank() const;
  __device__ unsigned int num_clusters() const;
  __device__ dim3 cluster_index() const;
  __device__ dim3 dim_clusters() const;
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait(arrival_token &&) const;
};
class multi_grid_group : public thread_group {
 public:
  __device__ bool is_valid() const;
  __device__ void sync() const;
  __device__ unsigned int grid_rank() const;
  __device__ unsigned int num_grids() const;
};
class cluster_group : public thread_group {
 public:
  struct arrival_token {};
  __device__ void sync() const;
  __device__ arrival_token barrier_arrive() const;
  __device__ void barrier_wait() const;
  __device__ void barrier_wait(arrival_token &&) const;
  __device__ unsigned int query_shared_rank(const void *) const;
  template <class __T> __device__ __T *map_shared_rank(__T *, int) const;
  __device__ dim3 block_index() const;
  __device__ unsigned int block_rank() const;
  __device__ unsigned int thread_rank() const;
  __device__ dim3 dim_blocks() const;
  __device__ unsigned int num_blocks() const;
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
};
// Shuffles and votes over the lanes of a tile.
template <unsigned int Width> struct cudalint_lanes {
  template <class __T> CG_D __T shfl(__T v, int lane) const {
    if constexpr (__is_arithmetic(__T)) return __shfl_sync(0xffffffffu, v, lane, Width); else return cudalint_collective(v);
  }
  template <class __T> CG_D __T shfl_up(__T v, unsigned int d) const {
    if constexpr (__is_arithmetic(__T)) return __shfl_up_sync(0xffffffffu, v, d, Width); else return cudalint_collective(v);
  }
  template <class __T> CG_D __T shfl_down(__T v, unsigned int d) const {
    if constexpr (__is_arithmetic(__T)) return __shfl_down_sync(0xffffffffu, v, d, Width); else return cudalint_collective(v);
  }
  template <class __T> CG_D __T shfl_xor(__T v, unsigned int m) const {
    if constexpr (__is_arithmetic(__T)) return __shfl_xor_sync(0xffffffffu, v, m, Width); else return cudalint_collective(v);
  }
  CG_D int any(int p) const { return __any_sync(0xffffffffu, p); }
  CG_D int all(int p) const { return __all_sync(0xffffffffu, p); }
  CG_D unsigned int ballot(int p) const { return __ballot_sync(0xffffffffu, p); }
  template <class __T> __device__ unsigned int match_any(__T) const;
  template <class __T> __device__ unsigned int match_all(__T, int &) const;
};
template <unsigned int Size, class Parent = void> class thread_block_tile : public thread_group, public cudalint_lanes<Size> {
 public:
  thread_block_tile() = default;
  template <class __P> __device__ thread_block_tile(const thread_block_tile<Size, __P> &);
  __device__ void sync() const;
  __device__ static constexpr unsigned int size() { return Size; }
  __device__ static constexpr unsigned int num_threads() { return Size; }
  __device__ unsigned int thread_rank() const;
  __device__ unsigned int meta_group_rank() const;
  __device__ unsigned int meta_group_size() const;
};
class coalesced_group : public thread_group, public cudalint_lanes<32> {
  __device__ unsigned int cudalint_members() const;
  __device__ int cudalint_lane(int rank) const;
 public:
  template <class __T> CG_D __T shfl(__T v, int rank) const {
    if constexpr (__is_arithmetic(__T)) return __shfl_sync(cudalint_members(), v, cudalint_lane(rank)); else return cudalint_collective(v);
  }
  template <class __T> CG_D __T shfl_up(__T v, unsigned int d) const { return shfl(v, (int)(thread_rank() - d)); }
  template <class __T> CG_D __T shfl_down(__T v, unsigned int d) const { return shfl(v, (int)(thread_rank() + d)); }
  __device__ void sync() const;
  __device__ unsigned int size() const;
  __device__ unsigned int num_threads() const;
  __device__ unsigned int thread_rank() const;
  __device__ unsigned int meta_group_rank() const;
  __device__ unsigned int meta_group_size() const;
};
template <unsigned int Size> struct block_tile_memory { char cudalint_bytes[Size > 32 ? Size / 32 * 16 : 16]; };
template <class __T> struct plus { CG_D __T operator()(__T a, __T b) const { return a + b; } };
template <class __T> struct less { CG_D __T operator()(__T a, __T b) const { return b < a ? b : a; } };
template <class __T> struct greater { CG_D __T operator()(__T a, __T b) const { return a < b ? b : a; } };
template <class __T> struct bit_and { CG_D __T operator()(__T a, __T b) const { return a & b; } };
template <class __T> struct bit_or { CG_D __T operator()(__T a, __T b) const { return a | b; } };
template <class __T> struct bit_xor { CG_D __T operator()(__T a, __T b) const { return a ^ b; } };
__device__ thread_block this_thread_block();
template <unsigned int __N> __device__ thread_block this_thread_block(block_tile_memory<__N> &);
__device__ grid_group this_grid();
__device__ multi_grid_group this_multi_grid();
__device__ cluster_group this_cluster();
__device__ coalesced_group coalesced_threads();
template <unsigned int Size, class __P> __device__ thread_block_tile<Size, __P> tiled_partition(const __P &);
__device__ thread_group tiled_partition(const thread_group &, unsigned int);
__device__ thread_group tiled_partition(const thread_block &, unsigned int);
__device__ coalesced_group tiled_partition(const coalesced_group &, unsigned int);
template <class __G> __device__ coalesced_group binary_partition(const __G &, bool);
template <class __L, class __G> __device__ coalesced_group labeled_partition(const __G &, __L);
template <class __G> __device__ void sync(const __G &);
template <class __G> __device__ void synchronize(const __G &);
template <class __G> __device__ unsigned int thread_rank(const __G &g) { return g.thread_rank(); }
template <class __G> __device__ unsigned int group_size(const __G &g) { return g.size(); }
template <class __G, class __F> __device__ void invoke_one(const __G &, __F &&);
template <class __G, class __F> __device__ auto invoke_one_broadcast(const __G &, __F &&f) -> decltype(f());
template <class __G, class __T, class __F> __device__ __T reduce(const __G &, __T, __F &&);
template <class __G, class __D, class __T, class __F> __device__ void reduce_update_async(const __G &, __D &, __T, __F &&);
template <class __G, class __D, class __T, class __F> __device__ void reduce_store_async(const __G &, __D *, __T, __F &&);
template <class __G, class __T> __device__ __T inclusive_scan(const __G &, __T);
template <class __G, class __T, class __F> __device__ __T inclusive_scan(const __G &, __T, __F &&);
template <class __G, class __T> __device__ __T exclusive_scan(const __G &, __T);
template <class __G, class __T, class __F> __device__ __T exclusive_scan(const __G &, __T, __F &&);
template <class __G, class __T, class __S, class __N> __device__ void memcpy_async(const __G &, __T *, const __S *, const __N &);
template <class __G, class __T, class __N, class __S, class __M> __device__ void memcpy_async(const __G &, __T *, const __N &, const __S *, const __M &);
template <class __G> __device__ void wait(const __G &);
template <unsigned int Stages, class __G> __device__ void wait_prior(const __G &);
namespace experimental { using cooperative_groups::this_thread_block; using cooperative_groups::tiled_partition; using cooperative_groups::block_tile_memory; }
namespace details {
using barrier_t = unsigned int;
__device__ inline bool bar_has_flipped(unsigned int before, unsigned int now) { return (((before ^ now) & 0x80000000) != 0); }
}
#define _CG_ASM_PTR_CONSTRAINT(p) "l"(p)
}
#undef CG_D
