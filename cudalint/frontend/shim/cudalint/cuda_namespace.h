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
#include "../bit"
#include "../algorithm"
#include "../numeric"
namespace cuda {
namespace std {
using namespace ::std;
template <class __T = void> struct plus : ::std::plus<__T> {};
template <class __T = void> struct multiplies : ::std::multiplies<__T> {};
struct identity { template <class __T> __host__ __device__ constexpr __T &&operator()(__T &&t) const { return (__T &&)t; } };
}
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
using ::std::memory_order;
using ::std::memory_order_relaxed;
using ::std::memory_order_acquire;
using ::std::memory_order_release;
using ::std::memory_order_acq_rel;
using ::std::memory_order_seq_cst;
#define CUDALINT_HDM __host__ __device__
#define CUDALINT_ATOMIC_MEMBERS(__T) \
    CUDALINT_HDM __T load(memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM void store(__T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM __T exchange(__T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM bool compare_exchange_weak(__T &, __T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM bool compare_exchange_strong(__T &, __T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM bool compare_exchange_weak(__T &, __T, memory_order, memory_order) const; \
    CUDALINT_HDM bool compare_exchange_strong(__T &, __T, memory_order, memory_order) const; \
    CUDALINT_HDM __T fetch_add(__T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM __T fetch_sub(__T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM __T fetch_and(__T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM __T fetch_or(__T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM __T fetch_xor(__T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM __T fetch_min(__T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM __T fetch_max(__T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM operator __T() const; \
    CUDALINT_HDM __T operator=(__T) const; \
    CUDALINT_HDM __T operator++() const; CUDALINT_HDM __T operator++(int) const; \
    CUDALINT_HDM __T operator--() const; CUDALINT_HDM __T operator--(int) const; \
    CUDALINT_HDM __T operator+=(__T) const; CUDALINT_HDM __T operator-=(__T) const; \
    CUDALINT_HDM __T operator&=(__T) const; CUDALINT_HDM __T operator|=(__T) const; CUDALINT_HDM __T operator^=(__T) const; \
    CUDALINT_HDM void wait(__T, memory_order = memory_order_seq_cst) const; \
    CUDALINT_HDM void notify_one() const; CUDALINT_HDM void notify_all() const;
template <class __T, thread_scope __S = thread_scope_system> struct atomic {
  atomic() = default;
  CUDALINT_HDM constexpr atomic(__T v) : cudalint_value(v) {}
  atomic(const atomic &) = delete;
  atomic &operator=(const atomic &) = delete;
  CUDALINT_HDM __T operator=(__T);
  CUDALINT_ATOMIC_MEMBERS(__T)
  __T cudalint_value;
};
template <class __T, thread_scope __S = thread_scope_system> struct atomic_ref {
  CUDALINT_HDM explicit atomic_ref(__T &);
  CUDALINT_ATOMIC_MEMBERS(__T)
  __T *cudalint_target;
};
#undef CUDALINT_ATOMIC_MEMBERS
struct atomic_flag {
  CUDALINT_HDM bool test_and_set(memory_order = memory_order_seq_cst);
  CUDALINT_HDM bool test(memory_order = memory_order_seq_cst) const;
  CUDALINT_HDM void clear(memory_order = memory_order_seq_cst);
  bool cudalint_value;
};
template <thread_scope __S = thread_scope_system, ptrdiff_t __N = 0x7fffffff> class counting_semaphore {
 public:
  CUDALINT_HDM constexpr explicit counting_semaphore(ptrdiff_t n = 0) : cudalint_count(n) {}
  CUDALINT_HDM void acquire();
  CUDALINT_HDM bool try_acquire();
  CUDALINT_HDM void release(ptrdiff_t = 1);
  template <class __D> CUDALINT_HDM bool try_acquire_for(const __D &);
 private:
  ptrdiff_t cudalint_count;
};
template <thread_scope __S = thread_scope_system> using binary_semaphore = counting_semaphore<__S, 1>;
template <thread_scope __S = thread_scope_system> class latch {
 public:
  CUDALINT_HDM constexpr explicit latch(ptrdiff_t n) : cudalint_count(n) {}
  CUDALINT_HDM void count_down(ptrdiff_t = 1);
  CUDALINT_HDM bool try_wait() const;
  CUDALINT_HDM void wait() const;
  CUDALINT_HDM void arrive_and_wait(ptrdiff_t = 1);
 private:
  ptrdiff_t cudalint_count;
};
struct stream_ref { stream_ref(cudaStream_t s) : cudalint_stream(s) {} cudaStream_t get() const { return cudalint_stream; } void wait() const; bool ready() const; cudaStream_t cudalint_stream; };
CUDALINT_HDM void atomic_thread_fence(memory_order, thread_scope = thread_scope_system);
namespace std { using ::cuda::atomic_thread_fence; using ::cuda::thread_scope; using ::cuda::atomic_flag; using ::cuda::counting_semaphore; using ::cuda::latch; template <class __T> using atomic = ::cuda::atomic<__T>; template <class __T> using atomic_ref = ::cuda::atomic_ref<__T>; }
struct cudalint_empty_completion { CUDALINT_HDM void operator()() const {} };
template <thread_scope __S = thread_scope_system, class __C = cudalint_empty_completion> class barrier {
 public:
  using arrival_token = unsigned long long;
  barrier() = default;
  CUDALINT_HDM barrier(ptrdiff_t, __C = __C());
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
template <thread_scope __S, class __C> CUDALINT_HDM void init(barrier<__S, __C> *, ptrdiff_t, __C = __C());
namespace device {
template <thread_scope __S, class __C> __device__ unsigned long long *barrier_native_handle(barrier<__S, __C> &);
template <thread_scope __S, class __C> __device__ unsigned long long barrier_arrive_tx(barrier<__S, __C> &, ptrdiff_t, ptrdiff_t);
namespace experimental { using ::cuda::device::barrier_arrive_tx; template <class... __A> __device__ void cp_async_bulk_global_to_shared(__A &&...); template <class... __A> __device__ void cp_async_bulk_shared_to_global(__A &&...); template <class... __A> __device__ void cp_async_bulk_commit_group(__A &&...); template <int> __device__ void cp_async_bulk_wait_group_read(); __device__ void fence_proxy_async_shared_cta(); template <class... __A> __device__ void cp_async_bulk_tensor_2d_global_to_shared(__A &&...); template <class... __A> __device__ void cp_async_bulk_tensor_2d_shared_to_global(__A &&...); }
}
template <thread_scope __S, unsigned char Stages> struct pipeline_shared_state { unsigned long long cudalint_words[2 * Stages]; };
enum class pipeline_role { producer, consumer };
template <thread_scope __S> class pipeline {
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
template <class __G, thread_scope __S, unsigned char __N> __device__ pipeline<__S> make_pipeline(const __G &, pipeline_shared_state<__S, __N> *);
template <class __G, thread_scope __S, unsigned char __N> __device__ pipeline<__S> make_pipeline(const __G &, pipeline_shared_state<__S, __N> *, pipeline_role);
template <class __G, thread_scope __S, unsigned char __N> __device__ pipeline<__S> make_pipeline(const __G &, pipeline_shared_state<__S, __N> *, size_t);
template <unsigned char Prior, thread_scope __S> __device__ void pipeline_consumer_wait_prior(pipeline<__S> &);
template <thread_scope __S> __device__ void pipeline_producer_commit(pipeline<thread_scope_thread> &, barrier<__S> &);
template <size_t __A> struct aligned_size_t { size_t value; static constexpr size_t align = __A; CUDALINT_HDM constexpr explicit aligned_size_t(size_t n) : value(n) {} CUDALINT_HDM constexpr operator size_t() const { return value; } };
template <class __D, class __S, class __N, class __P> __device__ void memcpy_async(__D *, const __S *, __N, __P &);
template <class __G, class __D, class __S, class __N, class __P> __device__ void memcpy_async(const __G &, __D *, const __S *, __N, __P &);
struct access_property { struct shared {}; struct global {}; struct persisting {}; struct streaming {}; struct normal {}; access_property() = default; template <class __T> CUDALINT_HDM access_property(__T); };
template <class __T, class __S> __device__ void apply_access_property(const volatile __T *, __S, access_property::persisting);
template <class __T, class __P> __device__ __T *associate_access_property(__T *, __P);
template <class __T, class __P = access_property> struct annotated_ptr { CUDALINT_HDM annotated_ptr(__T *p) : cudalint_pointer(p) {} CUDALINT_HDM __T &operator[](ptrdiff_t i) const { return cudalint_pointer[i]; } CUDALINT_HDM __T &operator*() const { return *cudalint_pointer; } __T *cudalint_pointer; };
template <class __T> CUDALINT_HDM constexpr __T ceil_div(__T a, __T b) { return (a + b - 1) / b; }
template <class __F> struct cudalint_proclaimed { __F f; template <class... __A> CUDALINT_HDM auto operator()(__A &&...a) const -> decltype(f((__A &&)a...)) { return f((__A &&)a...); } };
template <class __R, class __F> CUDALINT_HDM __F proclaim_return_type(__F f) { return f; }
template <class __T, class __U> CUDALINT_HDM constexpr __T round_up(__T a, __U b) { return (a + b - 1) / b * b; }
template <class __T, class __U> CUDALINT_HDM constexpr __T round_down(__T a, __U b) { return a / b * b; }
template <class __T> CUDALINT_HDM inline bool is_aligned(__T *p, size_t n) { return (size_t)p % n == 0; }
template <class __T> CUDALINT_HDM constexpr bool is_power_of_two(__T a) { return a > 0 && (a & (a - 1)) == 0; }
template <class __T = void> struct maximum;
template <class __T = void> struct minimum;
template <> struct maximum<void> { template <class __A, class __B> CUDALINT_HDM auto operator()(const __A &a, const __B &b) const { return a < b ? b : a; } };
template <> struct minimum<void> { template <class __A, class __B> CUDALINT_HDM auto operator()(const __A &a, const __B &b) const { return b < a ? b : a; } };
template <class __T> struct maximum { CUDALINT_HDM __T operator()(const __T &a, const __T &b) const { return a < b ? b : a; } };
template <class __T> struct minimum { CUDALINT_HDM __T operator()(const __T &a, const __T &b) const { return b < a ? b : a; } };
template <class __T, bool = false> class fast_mod_div {
public:
    CUDALINT_HDM explicit fast_mod_div(__T);
    CUDALINT_HDM operator __T() const;
    template <class __N> friend CUDALINT_HDM __N operator/(__N, fast_mod_div);
    template <class __N> friend CUDALINT_HDM __N operator%(__N, fast_mod_div);
};
namespace ptx {
template <class... __A> __device__ unsigned long long mbarrier_arrive(__A &&...);
template <class... __A> __device__ unsigned long long mbarrier_arrive_expect_tx(__A &&...);
template <class... __A> __device__ bool mbarrier_try_wait(__A &&...);
template <class... __A> __device__ bool mbarrier_try_wait_parity(__A &&...);
template <class... __A> __device__ void cp_async_bulk(__A &&...);
template <class... __A> __device__ void cp_async_bulk_tensor(__A &&...);
template <class... __A> __device__ void fence_proxy_async(__A &&...);
__device__ void cp_async_bulk_commit_group();
}
#undef CUDALINT_HDM
}
