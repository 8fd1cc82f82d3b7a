// Thrust: device pointers and references, vectors, execution policies.
#pragma once
#pragma clang system_header
#include "thrust_types.h"
#include "../vector"
namespace thrust {
template <class T> struct device_allocator { using value_type = T; };
template <class T> struct device_malloc_allocator { using value_type = T; };
template <class T> class device_ptr;
template <class T> class device_reference {
 public:
  using value_type = T; using pointer = device_ptr<T>;
  __host__ __device__ device_reference(const device_reference &);
  template <class P> __host__ __device__ explicit device_reference(P *);
  __host__ __device__ operator T() const;
  __host__ __device__ device_reference &operator=(const T &);
  __host__ __device__ device_reference &operator=(const device_reference &);
  __host__ __device__ device_ptr<T> operator&() const;
  template <class U> device_reference &operator+=(const U &);
  template <class U> device_reference &operator-=(const U &);
  template <class U> device_reference &operator*=(const U &);
  device_reference &operator++();
  device_reference &operator--();
};
template <class T, class S> S &operator<<(S &, const device_reference<T> &);
template <class T> class device_ptr : public cudalint_iterator<device_ptr<T>, std::remove_const_t<T>, device_reference<T>> {
 public:
  using reference = device_reference<T>;
  using element_type = T;
  __host__ __device__ device_ptr() : cudalint_p(nullptr) {}
  __host__ __device__ device_ptr(std::nullptr_t) : cudalint_p(nullptr) {}
  template <class U> __host__ __device__ explicit device_ptr(U *p) : cudalint_p((T *)p) {}
  template <class U> __host__ __device__ device_ptr(const device_ptr<U> &p) : cudalint_p((T *)p.get()) {}
  __host__ __device__ T *get() const { return cudalint_p; }
  __host__ __device__ device_reference<T> at(ptrdiff_t i) const { return device_reference<T>(cudalint_p + i); }
  __host__ __device__ device_ptr moved(ptrdiff_t i) const { return device_ptr(cudalint_p + i); }
  explicit operator bool() const { return cudalint_p != nullptr; }
 private:
  T *cudalint_p;
};
namespace cuda { template <class T> using pointer = device_ptr<T>; }
template <class T> __host__ __device__ inline T *raw_pointer_cast(T *p) { return p; }
template <class T> __host__ __device__ inline T *raw_pointer_cast(const device_ptr<T> &p) { return p.get(); }
template <class T> __host__ __device__ inline T *raw_pointer_cast(const std::cudalint_random<T> &p) { return &*p; }
template <class T> __host__ __device__ T &raw_reference_cast(const device_reference<T> &);
template <class T> __host__ __device__ inline T &raw_reference_cast(T &r) { return r; }
template <class T> __host__ __device__ inline device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }
template <class T> __host__ __device__ inline device_ptr<T> device_pointer_cast(const device_ptr<T> &p) { return p; }
template <class T> device_ptr<T> device_malloc(size_t);
device_ptr<void> device_malloc(size_t);
template <class T> void device_free(device_ptr<T>);
template <class T> device_ptr<T> device_new(size_t = 1);
template <class T> void device_delete(device_ptr<T>, size_t = 1);
template <class T, class A = void> class host_vector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  host_vector() = default;
  template <class V, class = typename V::value_type> host_vector(const V &);
  template <class V, class = typename V::value_type> host_vector &operator=(const V &);
};
template <class T, class A = device_allocator<T>> class device_vector {
 public:
  using value_type = T; using size_type = size_t; using difference_type = ptrdiff_t; using allocator_type = A;
  using reference = device_reference<T>; using const_reference = device_reference<const T>;
  using pointer = device_ptr<T>; using const_pointer = device_ptr<const T>;
  using iterator = device_ptr<T>; using const_iterator = device_ptr<const T>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  device_vector();
  explicit device_vector(size_t);
  device_vector(size_t, const T &);
  device_vector(size_t, const T &, const A &);
  device_vector(std::initializer_list<T>);
  device_vector(const device_vector &);
  device_vector(device_vector &&);
  template <class V, class = typename V::value_type> device_vector(const V &);
  template <class I> device_vector(I, I);
  device_vector &operator=(const device_vector &);
  device_vector &operator=(device_vector &&);
  template <class V, class = typename V::value_type> device_vector &operator=(const V &);
  iterator begin(); iterator end(); const_iterator begin() const; const_iterator end() const; const_iterator cbegin() const; const_iterator cend() const;
  reverse_iterator rbegin(); reverse_iterator rend();
  pointer data(); const_pointer data() const;
  size_t size() const; size_t capacity() const; size_t max_size() const; bool empty() const;
  reference operator[](size_t); const_reference operator[](size_t) const;
  reference front(); reference back(); const_reference front() const; const_reference back() const;
  void resize(size_t); void resize(size_t, const T &); void reserve(size_t); void clear(); void shrink_to_fit(); void swap(device_vector &);
  void push_back(const T &); void pop_back();
  template <class I> void assign(I, I); void assign(size_t, const T &);
  template <class... X> iterator insert(X &&...); template <class... X> iterator erase(X &&...);
};
template <class T, class A> bool operator==(const device_vector<T, A> &, const device_vector<T, A> &);
template <class T, class A, class V> bool operator==(const device_vector<T, A> &, const V &);
template <class T, class A> void swap(device_vector<T, A> &, device_vector<T, A> &);
template <class T, class A = void> class universal_vector : public device_vector<T> { public: using device_vector<T>::device_vector; };
struct cudalint_policy { template <class S> cudalint_policy operator()(const S &) const; template <class S> cudalint_policy on(S) const; cudalint_policy after() const; };
template <class P> struct execution_policy : cudalint_policy {};
using host_execution_policy = cudalint_policy; using device_execution_policy = cudalint_policy;
struct host_system_tag : cudalint_policy {}; struct device_system_tag : cudalint_policy {};
inline constexpr cudalint_policy host{}, device{}, seq{};
namespace cuda { inline constexpr cudalint_policy par{}, par_nosync{}; using tag = cudalint_policy; template <class P> struct execution_policy : cudalint_policy {}; namespace experimental { struct pinned_allocator_base {}; template <class T> struct pinned_allocator { using value_type = T; }; } }
namespace omp { inline constexpr cudalint_policy par{}; }
namespace tbb { inline constexpr cudalint_policy par{}; }
namespace system { namespace cuda { inline constexpr cudalint_policy par{}; namespace experimental { template <class T> struct pinned_allocator { using value_type = T; }; } } }
}
