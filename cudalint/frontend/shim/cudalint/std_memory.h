#pragma once
#pragma clang system_header
#include "std_utility.h"
#pragma clang force_cuda_host_device begin
namespace std {
template <class T> struct allocator {
  using value_type = T;
  using pointer = T *;
  using const_pointer = const T *;
  using reference = T &;
  using const_reference = const T &;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  template <class U> struct rebind { using other = allocator<U>; };
  allocator() noexcept = default;
  template <class U> allocator(const allocator<U> &) noexcept {}
  T *allocate(size_t);
  void deallocate(T *, size_t);
  size_t max_size() const;
};
template <class T, class U> bool operator==(const allocator<T> &, const allocator<U> &);
template <class T, class U> bool operator!=(const allocator<T> &, const allocator<U> &);
template <class A> struct allocator_traits {
  using allocator_type = A;
  using value_type = typename A::value_type;
  using pointer = value_type *;
  using size_type = size_t;
  template <class U> using rebind_alloc = allocator<U>;
  static pointer allocate(A &, size_t);
  static void deallocate(A &, pointer, size_t);
  template <class T, class... X> static void construct(A &, T *, X &&...);
  template <class T> static void destroy(A &, T *);
};
template <class T> struct default_delete {
  constexpr default_delete() noexcept = default;
  template <class U> default_delete(const default_delete<U> &) noexcept {}
  void operator()(T *p) const { delete p; }
};
template <class T> struct default_delete<T[]> { void operator()(T *p) const { delete[] p; } };
template <class T, class D = default_delete<T>> class unique_ptr {
public:
  using element_type = remove_extent_t<T>;
  using pointer = element_type *;
  using deleter_type = D;
  constexpr unique_ptr() noexcept;
  constexpr unique_ptr(nullptr_t) noexcept;
  explicit unique_ptr(pointer) noexcept;
  template <class E> unique_ptr(pointer, E &&) noexcept;
  unique_ptr(unique_ptr &&) noexcept;
  template <class U, class E> unique_ptr(unique_ptr<U, E> &&) noexcept;
  ~unique_ptr();
  unique_ptr &operator=(unique_ptr &&) noexcept;
  template <class U, class E> unique_ptr &operator=(unique_ptr<U, E> &&) noexcept;
  unique_ptr &operator=(nullptr_t) noexcept;
  element_type &operator*() const;
  pointer operator->() const noexcept;
  element_type &operator[](size_t) const;
  pointer get() const noexcept;
  D &get_deleter() noexcept;
  explicit operator bool() const noexcept;
  pointer release() noexcept;
  void reset(pointer = nullptr) noexcept;
  void swap(unique_ptr &) noexcept;
private:
  pointer p_;
};
template <class T> class weak_ptr;
template <class T> class shared_ptr {
public:
  using element_type = remove_extent_t<T>;
  using weak_type = weak_ptr<T>;
  constexpr shared_ptr() noexcept;
  constexpr shared_ptr(nullptr_t) noexcept;
  template <class U> explicit shared_ptr(U *);
  template <class U, class D> shared_ptr(U *, D);
  template <class U, class D, class A> shared_ptr(U *, D, A);
  shared_ptr(const shared_ptr &) noexcept;
  shared_ptr(shared_ptr &&) noexcept;
  template <class U> shared_ptr(const shared_ptr<U> &) noexcept;
  template <class U> shared_ptr(const shared_ptr<U> &, element_type *) noexcept;
  template <class U, class D> shared_ptr(unique_ptr<U, D> &&);
  template <class U> explicit shared_ptr(const weak_ptr<U> &);
  ~shared_ptr();
  shared_ptr &operator=(const shared_ptr &) noexcept;
  template <class U> shared_ptr &operator=(const shared_ptr<U> &) noexcept;
  template <class U, class D> shared_ptr &operator=(unique_ptr<U, D> &&);
  element_type &operator*() const noexcept;
  element_type *operator->() const noexcept;
  element_type &operator[](ptrdiff_t) const;
  element_type *get() const noexcept;
  long use_count() const noexcept;
  bool unique() const noexcept;
  explicit operator bool() const noexcept;
  void reset() noexcept;
  template <class U> void reset(U *);
  template <class U, class D> void reset(U *, D);
  void swap(shared_ptr &) noexcept;
private:
  element_type *p_;
  void *c_;
};
template <class T> class weak_ptr {
public:
  weak_ptr() noexcept;
  template <class U> weak_ptr(const shared_ptr<U> &) noexcept;
  shared_ptr<T> lock() const noexcept;
  bool expired() const noexcept;
  long use_count() const noexcept;
  void reset() noexcept;
};
#define CUDALINT_PTR_COMPARE(P, ...) \
  bool operator==(const P &, const P &) noexcept; \
  bool operator!=(const P &, const P &) noexcept; \
  bool operator<(const P &, const P &) noexcept; \
  bool operator==(const P &, nullptr_t) noexcept; \
  bool operator!=(const P &, nullptr_t) noexcept; \
  bool operator==(nullptr_t, const P &) noexcept; \
  bool operator!=(nullptr_t, const P &) noexcept;
template <class T> bool operator==(const shared_ptr<T> &, const shared_ptr<T> &) noexcept;
template <class T> bool operator!=(const shared_ptr<T> &, const shared_ptr<T> &) noexcept;
template <class T> bool operator<(const shared_ptr<T> &, const shared_ptr<T> &) noexcept;
template <class T> bool operator==(const shared_ptr<T> &, nullptr_t) noexcept;
template <class T> bool operator!=(const shared_ptr<T> &, nullptr_t) noexcept;
template <class T> bool operator==(nullptr_t, const shared_ptr<T> &) noexcept;
template <class T> bool operator!=(nullptr_t, const shared_ptr<T> &) noexcept;
template <class T, class D> bool operator==(const unique_ptr<T, D> &, const unique_ptr<T, D> &) noexcept;
template <class T, class D> bool operator==(const unique_ptr<T, D> &, nullptr_t) noexcept;
template <class T, class D> bool operator!=(const unique_ptr<T, D> &, nullptr_t) noexcept;
template <class T, class D> bool operator==(nullptr_t, const unique_ptr<T, D> &) noexcept;
template <class T, class D> bool operator!=(nullptr_t, const unique_ptr<T, D> &) noexcept;
#undef CUDALINT_PTR_COMPARE
template <class T> class enable_shared_from_this {
public:
  shared_ptr<T> shared_from_this();
  shared_ptr<const T> shared_from_this() const;
  weak_ptr<T> weak_from_this();
};
template <class T> struct cudalint_unique_result { using type = unique_ptr<T>; };
template <class T, class... A> unique_ptr<T> make_unique(A &&...);
template <class T, class... A> shared_ptr<T> make_shared(A &&...);
template <class T, class A, class... X> shared_ptr<T> allocate_shared(const A &, X &&...);
template <class T, class U> shared_ptr<T> static_pointer_cast(const shared_ptr<U> &) noexcept;
template <class T, class U> shared_ptr<T> dynamic_pointer_cast(const shared_ptr<U> &) noexcept;
template <class T, class U> shared_ptr<T> const_pointer_cast(const shared_ptr<U> &) noexcept;
template <class T, class U> shared_ptr<T> reinterpret_pointer_cast(const shared_ptr<U> &) noexcept;
template <class T> class auto_ptr {
public:
  explicit auto_ptr(T * = nullptr);
  auto_ptr(auto_ptr &);
  auto_ptr &operator=(auto_ptr &);
  ~auto_ptr();
  T &operator*() const;
  T *operator->() const;
  T *get() const;
  T *release();
  void reset(T * = nullptr);
};
template <class P> struct pointer_traits { using pointer = P; using element_type = remove_pointer_t<P>; using difference_type = ptrdiff_t; };
template <class I, class O> O uninitialized_copy(I, I, O);
template <class I, class T> void uninitialized_fill(I, I, const T &);
template <class I, class N, class T> I uninitialized_fill_n(I, N, const T &);
template <class T> void destroy_at(T *);
template <class I> void destroy(I, I);
void *align(size_t, size_t, void *&, size_t &);
template <class T> constexpr T *to_address(T *p) noexcept { return p; }
}
#pragma clang force_cuda_host_device end
