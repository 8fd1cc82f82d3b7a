// cuda:: and cuda::std:: : atomics, barriers, pipelines, and the standard library's names again.
#pragma once
#pragma clang system_header
#include "../cudalint_prelude.h"
#include "../atomic"
#include "../array"
#include "../complex"
#include "../functional"
#include "../limits"
#include "../tuple"
#include "../type_traits"
#include "../utility"
#include "../optional"
#include "../span"
#include "../chrono"
#include "../cmath"
#include "../iterator"
namespace cuda {
namespace std {
using namespace ::std;
template <class T> struct plus : ::std::plus<T> {};
struct identity { template <class T> __host__ __device__ constexpr T &&operator()(T &&t) const { return (T &&)t; } };
}
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
using ::std::memory_order;
using ::std::memory_order_relaxed;
using ::std::memory_order_acquire;
using ::std::memory_order_release;
using ::std::memory_order_acq_rel;
using ::std::memory_order_seq_cst;
#define CUDALINT_HDM __host__ __device__
#define CUDALINT_ATOMIC_MEMBERS(T) \
    CUDALINT_HDM T load(memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM void store(T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM T exchange(T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM bool compare_exchange_weak(T &, T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM bool compare_exchange_strong(T &, T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM bool compare_exchange_weak(T &, T, memory_order, memory_order) const; \
    CUDALINT_HDM bool compare_exchange_strong(T &, T, memory_order, memory_order) const; \
    CUDALINT_HDM T fetch_add(T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM T fetch_sub(T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM T fetch_and(T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM T fetch_or(T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM T fetch_xor(T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM T fetch_min(T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM T fetch_max(T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM operator T() const; \
    CUDALINT_HDM T operator=(T) const; \
    CUDALINT_HDM T operator++() const; CUDALINT_HDM T operator++(int) const; \
    CUDALINT_HDM T operator--() const; CUDALINT_HDM T operator--(int) const; \
    CUDALINT_HDM T operator+=(T) const; CUDALINT_HDM T operator-=(T) const; \
    CUDALINT_HDM T operator&=(T) const; CUDALINT_HDM T operator|=(T) const; CUDALINT_HDM T operator^=(T) const; \
    CUDALINT_HDM void wait(T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM void notify_one() const; CUDALINT_HDM void notify_all() const;
template <class T, thread_scope S = thread_scope_system> struct atomic {
  atomic() = default;
  CUDALINT_HDM constexpr atomic(T v) : cudalint_value(v) {}
  CUDALINT_ATOMIC_MEMBERS(T)
  T cudalint_value;
};
template <class T, thread_scope S = thread_scope_system> struct atomic_ref {
  CUDALINT_HDM explicit atomic_ref(T &);
  CUDALINT_ATOMIC_MEMBERS(T)
  T *cudalint_target;
};
#undef CUDALINT_ATOMIC_MEMBERS
CUDALINT_HDM void atomic_thread_fence(memory_order, thread_scope = thread_scope_system);
namespace std { using ::cuda::atomic_thread_fence; using ::cuda::thread_scope; template <class T> using atomic = ::cuda::atomic<T>; template <class T> using atomic_ref = ::cuda::atomic_ref<T>; }
struct cudalint_empty_completion { CUDALINT_HDM void operator()() const {} };
template <thread_scope S = thread_scope_system, class C = cudalint_empty_completion> class barrier {
 public:
  using arrival_token = unsigned long long;
  barrier() = default;
  CUDALINT_HDM barrier(ptrdiff_t, C = C());
  CUDALINT_HDM arrival_token arrive(ptrdiff_t = 1);
  CUDALINT_HDM void wait(arrival_token &&) const;
  CUDALINT_HDM void arrive_and_wait();
  CUDALINT_HDM void arrive_and_drop();
  CUDALINT_HDM bool try_wait(arrival_token &&) const;
  CUDALINT_HDM bool try_wait_parity(bool) const;
  CUDALINT_HDM void wait_parity(bool) const;
  CUDALINT_HDM static constexpr ptrdiff_t max() { return (1 << 20) - 1; }
 private:
  unsigned long long cudalint_word;
};
template <thread_scope S, class C> CUDALINT_HDM void init(barrier<S, C> *, ptrdiff_t, C = C());
namespace device {
template <thread_scope S, class C> __device__ unsigned long long *barrier_native_handle(barrier<S, C> &);
template <thread_scope S, class C> __device__ unsigned long long barrier_arrive_tx(barrier<S, C> &, ptrdiff_t, ptrdiff_t);
namespace experimental { using ::cuda::device::barrier_arrive_tx; template <class... A> __device__ void cp_async_bulk_global_to_shared(A &&...); template <class... A> __device__ void cp_async_bulk_shared_to_global(A &&...); template <class... A> __device__ void cp_async_bulk_commit_group(A &&...); template <int> __device__ void cp_async_bulk_wait_group_read(); __device__ void fence_proxy_async_shared_cta(); template <class... A> __device__ void cp_async_bulk_tensor_2d_global_to_shared(A &&...); template <class... A> __device__ void cp_async_bulk_tensor_2d_shared_to_global(A &&...); }
}
template <thread_scope S, unsigned char Stages> struct pipeline_shared_state { unsigned long long cudalint_words[2 * Stages]; };
enum class pipeline_role { producer, consumer };
template <thread_scope S> class pipeline {
 public:
  CUDALINT_HDM void producer_acquire();
  CUDALINT_HDM void producer_commit();
  CUDALINT_HDM void consumer_wait();
  CUDALINT_HDM void consumer_release();
  CUDALINT_HDM bool quit();
 private:
  unsigned long long cudalint_words[4];
};
__device__ pipeline<thread_scope_thread> make_pipeline();
template <class G, thread_scope S, unsigned char N> __device__ pipeline<S> make_pipeline(const G &, pipeline_shared_state<S, N> *);
template <class G, thread_scope S, unsigned char N> __device__ pipeline<S> make_pipeline(const G &, pipeline_shared_state<S, N> *, pipeline_role);
template <class G, thread_scope S, unsigned char N> __device__ pipeline<S> make_pipeline(const G &, pipeline_shared_state<S, N> *, size_t);
template <unsigned char Prior, thread_scope S> __device__ void pipeline_consumer_wait_prior(pipeline<S> &);
template <thread_scope S> __device__ void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<S> &);
template <size_t A> struct aligned_size_t { size_t value; static constexpr size_t align = A; CUDALINT_HDM constexpr explicit aligned_size_t(size_t n) : value(n) {} CUDALINT_HDM constexpr operator size_t() const { return value; } };
template <class D, class S, class N, class P> __device__ void memcpy_async(D *, const S *, N, P &);
template <class G, class D, class S, class N, class P> __device__ void memcpy_async(const G &, D *, const S *, N, P &);
struct access_property { struct shared {}; struct global {}; struct persisting {}; struct streaming {}; struct normal {}; access_property() = default; template <class T> CUDALINT_HDM access_property(T); };
template <class T, class S> __device__ void apply_access_property(const volatile T *, S, access_property::persisting);
template <class T, class P> __device__ T *associate_access_property(T *, P);
template <class T, class P = access_property> struct annotated_ptr { CUDALINT_HDM annotated_ptr(T *p) : cudalint_pointer(p) {} CUDALINT_HDM T &operator[](ptrdiff_t i) const { return cudalint_pointer[i]; } CUDALINT_HDM T &operator*() const { return *cudalint_pointer; } T *cudalint_pointer; };
template <class T> CUDALINT_HDM constexpr T ceil_div(T a, T b) { return (a + b - 1) / b; }
template <class F> struct cudalint_proclaimed { F f; template <class... A> CUDALINT_HDM auto operator()(A &&...a) const -> decltype(f((A &&)a...)) { return f((A &&)a...); } };
template <class R, class F> CUDALINT_HDM F proclaim_return_type(F f) { return f; }
template <class T> struct maximum { CUDALINT_HDM T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
template <class T> struct minimum { CUDALINT_HDM T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
namespace ptx {
template <class... A> __device__ unsigned long long mbarrier_arrive(A &&...);
template <class... A> __device__ unsigned long long mbarrier_arrive_expect_tx(A &&...);
template <class... A> __device__ bool mbarrier_try_wait(A &&...);
template <class... A> __device__ bool mbarrier_try_wait_parity(A &&...);
template <class... A> __device__ void cp_async_bulk(A &&...);
template <class... A> __device__ void cp_async_bulk_tensor(A &&...);
template <class... A> __device__ void fence_proxy_async(A &&...);
__device__ void cp_async_bulk_commit_group();
}
#undef CUDALINT_HDM
}
