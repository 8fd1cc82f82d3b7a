// Thrust: device pointers and references, vectors, execution policies.
#pragma once
#pragma clang system_header
#include "thrust_types.h"
#include "../vector"
namespace thrust {
template <class __T> class device_ptr;
template <class __T> class device_reference;
template <class __T> struct cudalint_allocator {
  using value_type = __T; using pointer = device_ptr<__T>; using const_pointer = device_ptr<const __T>; using reference = device_reference<__T>; using const_reference = device_reference<const __T>; using size_type = size_t; using difference_type = ptrdiff_t;
  pointer allocate(size_t, const void * = nullptr); void deallocate(pointer, size_t); size_t max_size() const;
};
template <class __T> struct device_allocator : cudalint_allocator<__T> { template <class __U> struct rebind { using other = device_allocator<__U>; }; };
template <class __T> struct device_malloc_allocator : cudalint_allocator<__T> { template <class __U> struct rebind { using other = device_malloc_allocator<__U>; }; };
template <class __T> class device_reference {
 public:
  using value_type = __T; using pointer = device_ptr<__T>;
  __host__ __device__ device_reference(const device_reference &);
  template <class __P> __host__ __device__ explicit device_reference(__P *);
  __host__ __device__ operator __T() const;
  __host__ __device__ device_reference &operator=(const __T &);
  __host__ __device__ device_reference &operator=(const device_reference &);
  __host__ __device__ device_ptr<__T> operator&() const;
  template <class __U> device_reference &operator+=(const __U &);
  template <class __U> device_reference &operator-=(const __U &);
  template <class __U> device_reference &operator*=(const __U &);
  template <class __U> device_reference &operator/=(const __U &);
  template <class __U> device_reference &operator&=(const __U &);
  template <class __U> device_reference &operator|=(const __U &);
  template <class __U> device_reference &operator^=(const __U &);
  device_reference &operator++();
  device_reference &operator--();
  __T operator++(int);
  __T operator--(int);
  void swap(device_reference &);
};
template <class __T, class __S> __S &operator<<(__S &, const device_reference<__T> &);
template <class __T> __host__ __device__ void swap(device_reference<__T>, device_reference<__T>);
template <class __T> class device_ptr : public cudalint_iterator<device_ptr<__T>, std::remove_const_t<__T>, device_reference<__T>> {
 public:
  using reference = device_reference<__T>;
  using element_type = __T;
  __host__ __device__ device_ptr() : cudalint_p(nullptr) {}
  __host__ __device__ device_ptr(std::nullptr_t) : cudalint_p(nullptr) {}
  template <class __U> __host__ __device__ explicit device_ptr(__U *p) : cudalint_p((__T *)p) {}
  template <class __U> __host__ __device__ device_ptr(const device_ptr<__U> &p) : cudalint_p((__T *)p.get()) {}
  __host__ __device__ __T *get() const { return cudalint_p; }
  __host__ __device__ device_reference<__T> at(ptrdiff_t i) const { return device_reference<__T>(cudalint_p + i); }
  __host__ __device__ device_ptr moved(ptrdiff_t i) const { return device_ptr(cudalint_p + i); }
  explicit operator bool() const { return cudalint_p != nullptr; }
 private:
  __T *cudalint_p;
};
namespace cuda { template <class __T> using pointer = device_ptr<__T>; }
template <class __T> __host__ __device__ inline __T *cudalint_raw(__T *p) { return p; }
template <class __T> __host__ __device__ inline __T *cudalint_raw(const device_ptr<__T> &p) { return p.get(); }
template <class __T> __host__ __device__ inline __T *cudalint_raw(const std::cudalint_random<__T> &p) { return &*p; }
// Takes anything, so that a program's own overload for a kind of pointer is the better one.
template <class __P> __host__ __device__ inline auto raw_pointer_cast(const __P &p) -> decltype(cudalint_raw(p)) { return cudalint_raw(p); }
template <class __T> __host__ __device__ __T &raw_reference_cast(const device_reference<__T> &);
template <class __T> __host__ __device__ inline __T &raw_reference_cast(__T &r) { return r; }
template <class __T> __host__ __device__ inline device_ptr<__T> device_pointer_cast(__T *p) { return device_ptr<__T>(p); }
template <class __T> __host__ __device__ inline device_ptr<__T> device_pointer_cast(const device_ptr<__T> &p) { return p; }
template <class __T> device_ptr<__T> device_malloc(size_t);
device_ptr<void> device_malloc(size_t);
template <class __T> void device_free(device_ptr<__T>);
template <class __T> device_ptr<__T> device_new(size_t = 1);
template <class __T> void device_delete(device_ptr<__T>, size_t = 1);
template <class __T, class __A = void> class host_vector : public std::vector<__T> {
 public:
  using std::vector<__T>::vector;
  host_vector() = default;
  template <class __V, class = typename __V::value_type> host_vector(const __V &);
  template <class __V, class = typename __V::value_type> host_vector &operator=(const __V &);
};
template <class __T, class __A = device_allocator<__T>> class device_vector {
 public:
  using value_type = __T; using size_type = size_t; using difference_type = ptrdiff_t; using allocator_type = __A;
  using reference = device_reference<__T>; using const_reference = device_reference<const __T>;
  using pointer = device_ptr<__T>; using const_pointer = device_ptr<const __T>;
  using iterator = device_ptr<__T>; using const_iterator = device_ptr<const __T>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  device_vector();
  explicit device_vector(size_t);
  device_vector(size_t, const __T &);
  device_vector(size_t, const __T &, const __A &);
  device_vector(std::initializer_list<__T>);
  device_vector(const device_vector &);
  device_vector(device_vector &&);
  template <class __V, class = typename __V::value_type> device_vector(const __V &);
  template <class __I> device_vector(__I, __I);
  device_vector &operator=(const device_vector &);
  device_vector &operator=(device_vector &&);
  template <class __V, class = typename __V::value_type> device_vector &operator=(const __V &);
  iterator begin(); iterator end(); const_iterator begin() const; const_iterator end() const; const_iterator cbegin() const; const_iterator cend() const;
  reverse_iterator rbegin(); reverse_iterator rend();
  pointer data(); const_pointer data() const;
  size_t size() const; size_t capacity() const; size_t max_size() const; bool empty() const;
  reference operator[](size_t); const_reference operator[](size_t) const;
  reference front(); reference back(); const_reference front() const; const_reference back() const;
  void resize(size_t); void resize(size_t, const __T &); void reserve(size_t); void clear(); void shrink_to_fit(); void swap(device_vector &);
  void push_back(const __T &); void pop_back();
  template <class __I> void assign(__I, __I); void assign(size_t, const __T &);
  template <class... __X> iterator insert(__X &&...); template <class... __X> iterator erase(__X &&...);
 private:
  __T *cudalint_p; size_t cudalint_n, cudalint_room;
};
#define __Q(op, __L, __R) template <class __T, class __A, class __B> bool operator op(const __L<__T, __A> &, const __R<__T, __B> &);
__Q(==, device_vector, device_vector) __Q(!=, device_vector, device_vector) __Q(==, device_vector, host_vector) __Q(!=, device_vector, host_vector)
__Q(==, host_vector, device_vector) __Q(!=, host_vector, device_vector) __Q(==, device_vector, std::vector) __Q(!=, device_vector, std::vector)
__Q(==, std::vector, device_vector) __Q(!=, std::vector, device_vector)
#undef __Q
template <class __T, class __A> void swap(device_vector<__T, __A> &, device_vector<__T, __A> &);
template <class __T, class __A = void> class universal_vector : public device_vector<__T> { public: using device_vector<__T>::device_vector; };
namespace detail {
struct cudalint_room { void allocate(size_t); void deallocate(); size_t size() const; };
template <class __T, class __A> class vector_base : public device_vector<__T, __A> { public: using device_vector<__T, __A>::device_vector; protected: cudalint_room m_storage; size_t m_size; };
template <class __I, class __J> bool vector_equal(__I, __I, __J);
template <class __P> struct execution_policy_base {};
}
struct cudalint_policy : detail::execution_policy_base<cudalint_policy> { template <class __S> cudalint_policy operator()(const __S &) const; template <class __S> cudalint_policy on(__S) const; cudalint_policy after() const; };
template <class __P> struct execution_policy : cudalint_policy {};
struct cudalint_host_policy : cudalint_policy {};
using host_execution_policy = cudalint_host_policy; using device_execution_policy = cudalint_policy;
struct host_system_tag : cudalint_host_policy {}; struct device_system_tag : cudalint_policy {}; struct any_system_tag : cudalint_policy {};
inline constexpr cudalint_host_policy host{}, seq{};
inline constexpr cudalint_policy device{};
namespace cuda { inline constexpr cudalint_policy par{}, par_nosync{}; using tag = cudalint_policy; template <class __P> struct execution_policy : cudalint_policy {}; namespace experimental { struct pinned_allocator_base {}; template <class __T> struct pinned_allocator { using value_type = __T; }; } }
namespace omp { inline constexpr cudalint_host_policy par{}; }
namespace tbb { inline constexpr cudalint_host_policy par{}; }
namespace system { namespace cuda { inline constexpr cudalint_policy par{}; namespace experimental { template <class __T> struct pinned_allocator { using value_type = __T; }; } } }
}
