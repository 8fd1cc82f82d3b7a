#pragma once
#pragma clang system_header
#include "std_utility.h"
#pragma clang force_cuda_host_device begin
namespace std {
template <class __T> struct allocator {
  using value_type = __T;
  using pointer = __T *;
  using const_pointer = const __T *;
  using reference = __T &;
  using const_reference = const __T &;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  template <class __U> struct rebind { using other = allocator<__U>; };
  allocator() noexcept = default;
  template <class __U> allocator(const allocator<__U> &) noexcept {}
  __T *allocate(size_t);
  void deallocate(__T *, size_t);
  size_t max_size() const;
};
template <class __T, class __U> bool operator==(const allocator<__T> &, const allocator<__U> &);
template <class __T, class __U> bool operator!=(const allocator<__T> &, const allocator<__U> &);
template <class __A> struct allocator_traits {
  using allocator_type = __A;
  using value_type = typename __A::value_type;
  using pointer = value_type *;
  using const_pointer = const value_type *;
  using void_pointer = void *;
  using const_void_pointer = const void *;
  using difference_type = ptrdiff_t;
  using size_type = size_t;
  template <class __U> using rebind_alloc = allocator<__U>;
  static pointer allocate(__A &, size_t);
  static void deallocate(__A &, pointer, size_t);
  template <class __T, class... __X> static void construct(__A &, __T *, __X &&...);
  template <class __T> static void destroy(__A &, __T *);
};
template <class __T> struct default_delete {
  constexpr default_delete() noexcept = default;
  template <class __U> default_delete(const default_delete<__U> &) noexcept {}
  void operator()(__T *p) const { delete p; }
};
template <class __T> struct default_delete<__T[]> { void operator()(__T *p) const { delete[] p; } };
// What the destructor calls, so that the deleter of a template is instantiated; nothing where it takes another type.
template <class __D, class __P> auto __deleted(int, __D &__d, __P __p) -> decltype(__d(__p), void()) { __d(__p); }
template <class __D, class __P> void __deleted(long, __D &, __P) {}
template <class __T, class __D = default_delete<__T>> class unique_ptr {
public:
  using element_type = remove_extent_t<__T>;
  using pointer = element_type *;
  using deleter_type = __D;
  constexpr unique_ptr() noexcept;
  constexpr unique_ptr(nullptr_t) noexcept;
  explicit unique_ptr(pointer) noexcept;
  template <class __E> unique_ptr(pointer, __E &&) noexcept;
  unique_ptr(unique_ptr &&) noexcept;
  template <class __U, class __E> unique_ptr(unique_ptr<__U, __E> &&) noexcept;
  ~unique_ptr() { __deleted(0, get_deleter(), p_); }
  unique_ptr &operator=(unique_ptr &&) noexcept;
  template <class __U, class __E> unique_ptr &operator=(unique_ptr<__U, __E> &&) noexcept;
  unique_ptr &operator=(nullptr_t) noexcept;
  add_lvalue_reference_t<element_type> operator*() const;
  pointer operator->() const noexcept;
  add_lvalue_reference_t<element_type> operator[](size_t) const;
  pointer get() const noexcept;
  __D &get_deleter() noexcept;
  explicit operator bool() const noexcept;
  pointer release() noexcept;
  void reset(pointer = nullptr) noexcept;
  void swap(unique_ptr &) noexcept;
private:
  pointer p_;
};
template <class __T> class weak_ptr;
template <class __T> class shared_ptr {
public:
  using element_type = remove_extent_t<__T>;
  using weak_type = weak_ptr<__T>;
  constexpr shared_ptr() noexcept;
  constexpr shared_ptr(nullptr_t) noexcept;
  template <class __U> explicit shared_ptr(__U *);
  template <class __U, class __D> shared_ptr(__U *, __D);
  template <class __U, class __D, class __A> shared_ptr(__U *, __D, __A);
  shared_ptr(const shared_ptr &) noexcept;
  shared_ptr(shared_ptr &&) noexcept;
  template <class __U> shared_ptr(const shared_ptr<__U> &) noexcept;
  template <class __U> shared_ptr(const shared_ptr<__U> &, element_type *) noexcept;
  template <class __U, class __D> shared_ptr(unique_ptr<__U, __D> &&);
  template <class __U> explicit shared_ptr(const weak_ptr<__U> &);
  ~shared_ptr();
  shared_ptr &operator=(const shared_ptr &) noexcept;
  template <class __U> shared_ptr &operator=(const shared_ptr<__U> &) noexcept;
  template <class __U, class __D> shared_ptr &operator=(unique_ptr<__U, __D> &&);
  add_lvalue_reference_t<element_type> operator*() const noexcept;
  element_type *operator->() const noexcept;
  add_lvalue_reference_t<element_type> operator[](ptrdiff_t) const;
  element_type *get() const noexcept;
  long use_count() const noexcept;
  bool unique() const noexcept;
  explicit operator bool() const noexcept;
  void reset() noexcept;
  template <class __U> void reset(__U *);
  template <class __U, class __D> void reset(__U *, __D);
  void swap(shared_ptr &) noexcept;
private:
  element_type *p_;
  void *c_;
};
template <class __T> class weak_ptr {
public:
  weak_ptr() noexcept;
  template <class __U> weak_ptr(const shared_ptr<__U> &) noexcept;
  shared_ptr<__T> lock() const noexcept;
  bool expired() const noexcept;
  long use_count() const noexcept;
  void reset() noexcept;
  void swap(weak_ptr &) noexcept;
};
#define CUDALINT_PTR_COMPARE(__P, ...) \
  bool operator==(const __P &, const __P &) noexcept; \
  bool operator!=(const __P &, const __P &) noexcept; \
  bool operator<(const __P &, const __P &) noexcept; \
  bool operator==(const __P &, nullptr_t) noexcept; \
  bool operator!=(const __P &, nullptr_t) noexcept; \
  bool operator==(nullptr_t, const __P &) noexcept; \
  bool operator!=(nullptr_t, const __P &) noexcept;
template <class __T> bool operator==(const shared_ptr<__T> &, const shared_ptr<__T> &) noexcept;
template <class __T> bool operator!=(const shared_ptr<__T> &, const shared_ptr<__T> &) noexcept;
template <class __T> bool operator<(const shared_ptr<__T> &, const shared_ptr<__T> &) noexcept;
template <class __T> bool operator==(const shared_ptr<__T> &, nullptr_t) noexcept;
template <class __T> bool operator!=(const shared_ptr<__T> &, nullptr_t) noexcept;
template <class __T> bool operator==(nullptr_t, const shared_ptr<__T> &) noexcept;
template <class __T> bool operator!=(nullptr_t, const shared_ptr<__T> &) noexcept;
template <class __T, class __D> bool operator==(const unique_ptr<__T, __D> &, const unique_ptr<__T, __D> &) noexcept;
template <class __T, class __D> bool operator==(const unique_ptr<__T, __D> &, nullptr_t) noexcept;
template <class __T, class __D> bool operator!=(const unique_ptr<__T, __D> &, nullptr_t) noexcept;
template <class __T, class __D> bool operator==(nullptr_t, const unique_ptr<__T, __D> &) noexcept;
template <class __T, class __D> bool operator!=(nullptr_t, const unique_ptr<__T, __D> &) noexcept;
#undef CUDALINT_PTR_COMPARE
template <class __T> class enable_shared_from_this {
public:
  shared_ptr<__T> shared_from_this();
  shared_ptr<const __T> shared_from_this() const;
  weak_ptr<__T> weak_from_this();
};
template <class __T> struct cudalint_unique_result { using type = unique_ptr<__T>; };
template <class __T, class... __A> unique_ptr<__T> make_unique(__A &&...a) {
  if constexpr (__is_array(__T)) return unique_ptr<__T>(static_cast<remove_extent_t<__T> *>(::operator new[]((a, ...) * sizeof(remove_extent_t<__T>))));
  else return unique_ptr<__T>(new __T(static_cast<__A &&>(a)...));
}
template <class __T, class... __A> shared_ptr<__T> make_shared(__A &&...a) {
  if constexpr (__is_array(__T)) return shared_ptr<__T>(static_cast<remove_extent_t<__T> *>(::operator new[]((a, ...) * sizeof(remove_extent_t<__T>))));
  else return shared_ptr<__T>(new __T(static_cast<__A &&>(a)...));
}
template <class __T, class __A, class... __X> shared_ptr<__T> allocate_shared(const __A &, __X &&...);
template <class __T, class __U> shared_ptr<__T> static_pointer_cast(const shared_ptr<__U> &) noexcept;
template <class __T, class __U> shared_ptr<__T> dynamic_pointer_cast(const shared_ptr<__U> &) noexcept;
template <class __T, class __U> shared_ptr<__T> const_pointer_cast(const shared_ptr<__U> &) noexcept;
template <class __T, class __U> shared_ptr<__T> reinterpret_pointer_cast(const shared_ptr<__U> &) noexcept;
template <class __T> class auto_ptr {
public:
  explicit auto_ptr(__T * = nullptr);
  auto_ptr(auto_ptr &);
  auto_ptr &operator=(auto_ptr &);
  ~auto_ptr();
  __T &operator*() const;
  __T *operator->() const;
  __T *get() const;
  __T *release();
  void reset(__T * = nullptr);
};
template <class __P> struct pointer_traits { using pointer = __P; using element_type = remove_pointer_t<__P>; using difference_type = ptrdiff_t; };
template <class __I, class __O> __O uninitialized_copy(__I, __I, __O);
template <class __I, class __T> void uninitialized_fill(__I, __I, const __T &);
template <class __I, class __N, class __T> __I uninitialized_fill_n(__I, __N, const __T &);
template <class __T> void destroy_at(__T *);
template <class __I> void destroy(__I, __I);
void *align(size_t, size_t, void *&, size_t &);
template <class __T> constexpr __T *to_address(__T *p) noexcept { return p; }
}
#pragma clang force_cuda_host_device end
