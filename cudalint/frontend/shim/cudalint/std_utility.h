// <utility>, <new>, <initializer_list> and the few algorithms that device code calls: small bodies the models can run.
#pragma once
#pragma clang system_header
#include "std_traits.h"
#pragma clang force_cuda_host_device begin
namespace std {
template <class T> class initializer_list {
  const T *first;
  size_t count;

public:
  using value_type = T;
  using reference = const T &;
  using const_reference = const T &;
  using size_type = size_t;
  using iterator = const T *;
  using const_iterator = const T *;
  constexpr initializer_list() noexcept : first(nullptr), count(0) {}
  constexpr size_t size() const noexcept { return count; }
  constexpr const T *begin() const noexcept { return first; }
  constexpr const T *end() const noexcept { return first + count; }
};
template <class T> constexpr T &&forward(remove_reference_t<T> &t) noexcept { return static_cast<T &&>(t); }
template <class T> constexpr T &&forward(remove_reference_t<T> &&t) noexcept { return static_cast<T &&>(t); }
template <class T> constexpr remove_reference_t<T> &&move(T &&t) noexcept { return static_cast<remove_reference_t<T> &&>(t); }
template <class T> constexpr remove_reference_t<T> &&move_if_noexcept(T &t) noexcept { return static_cast<remove_reference_t<T> &&>(t); }
template <class T> constexpr const T &as_const(T &t) noexcept { return t; }
template <class T> constexpr T *addressof(T &t) noexcept { return __builtin_addressof(t); }
template <class T> constexpr void swap(T &a, T &b) { T c = static_cast<T &&>(a); a = static_cast<T &&>(b); b = static_cast<T &&>(c); }
template <class T, size_t N> constexpr void swap(T (&a)[N], T (&b)[N]) { for (size_t i = 0; i < N; ++i) swap(a[i], b[i]); }
template <class T, class U = T> constexpr T exchange(T &t, U &&u) { T old = static_cast<T &&>(t); t = static_cast<U &&>(u); return old; }
template <class T> constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T, class C> constexpr const T &min(const T &a, const T &b, C less) { return less(b, a) ? b : a; }
template <class T, class C> constexpr const T &max(const T &a, const T &b, C less) { return less(a, b) ? b : a; }
template <class T> constexpr T min(initializer_list<T> l) { T r = *l.begin(); for (const T *p = l.begin(); p != l.end(); ++p) if (*p < r) r = *p; return r; }
template <class T> constexpr T max(initializer_list<T> l) { T r = *l.begin(); for (const T *p = l.begin(); p != l.end(); ++p) if (r < *p) r = *p; return r; }
template <class T> constexpr const T &clamp(const T &v, const T &lo, const T &hi) { return v < lo ? lo : hi < v ? hi : v; }

struct piecewise_construct_t { explicit piecewise_construct_t() = default; };
constexpr piecewise_construct_t piecewise_construct{};
struct in_place_t { explicit in_place_t() = default; };
constexpr in_place_t in_place{};
template <class T> struct in_place_type_t { explicit in_place_type_t() = default; };
template <class T> constexpr in_place_type_t<T> in_place_type{};
template <class... T> class tuple;
template <class A, class B> struct pair {
  using first_type = A;
  using second_type = B;
  A first;
  B second;
  constexpr pair() : first(), second() {}
  constexpr pair(const A &a, const B &b) : first(a), second(b) {}
  template <class U, class V, enable_if_t<__is_constructible(A, U &&) && __is_constructible(B, V &&), int> = 0>
  constexpr pair(U &&u, V &&v) : first(static_cast<U &&>(u)), second(static_cast<V &&>(v)) {}
  template <class U, class V> constexpr pair(const pair<U, V> &p) : first(p.first), second(p.second) {}
  template <class U, class V> constexpr pair(pair<U, V> &&p) : first(static_cast<U &&>(p.first)), second(static_cast<V &&>(p.second)) {}
  template <class... U, class... V> pair(piecewise_construct_t, tuple<U...>, tuple<V...>);
  pair(const pair &) = default;
  pair(pair &&) = default;
  pair &operator=(const pair &) = default;
  pair &operator=(pair &&) = default;
  template <class U, class V> constexpr pair &operator=(const pair<U, V> &p) { first = p.first; second = p.second; return *this; }
  void swap(pair &p) { std::swap(first, p.first); std::swap(second, p.second); }
};
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class A, class B> constexpr pair<decay_t<A>, decay_t<B>> make_pair(A &&a, B &&b) { return pair<decay_t<A>, decay_t<B>>(static_cast<A &&>(a), static_cast<B &&>(b)); }
template <class A, class B> constexpr bool operator==(const pair<A, B> &p, const pair<A, B> &q) { return p.first == q.first && p.second == q.second; }
template <class A, class B> constexpr bool operator!=(const pair<A, B> &p, const pair<A, B> &q) { return !(p == q); }
template <class A, class B> constexpr bool operator<(const pair<A, B> &p, const pair<A, B> &q) { return p.first < q.first || (!(q.first < p.first) && p.second < q.second); }
template <class A, class B> constexpr bool operator>(const pair<A, B> &p, const pair<A, B> &q) { return q < p; }
template <class A, class B> constexpr bool operator<=(const pair<A, B> &p, const pair<A, B> &q) { return !(q < p); }
template <class A, class B> constexpr bool operator>=(const pair<A, B> &p, const pair<A, B> &q) { return !(p < q); }
template <class T> struct tuple_size;
template <class T, class = void> struct cudalint_const_size {};
template <class T> struct cudalint_const_size<T, void_t<decltype(tuple_size<T>::value)>> : integral_constant<size_t, tuple_size<T>::value> {};
template <class T> struct tuple_size<const T> : cudalint_const_size<T> {};
template <size_t I, class T> struct tuple_element;
template <size_t I, class T> struct tuple_element<I, const T> { using type = const typename tuple_element<I, T>::type; };
template <size_t I, class T> using tuple_element_t = typename tuple_element<I, T>::type;
template <class T> constexpr size_t tuple_size_v = tuple_size<T>::value;
template <class A, class B> struct tuple_size<pair<A, B>> : integral_constant<size_t, 2> {};
template <class A, class B> struct tuple_element<0, pair<A, B>> { using type = A; };
template <class A, class B> struct tuple_element<1, pair<A, B>> { using type = B; };
template <size_t I, class A, class B> constexpr auto &get(pair<A, B> &p) { if constexpr (I == 0) return p.first; else return p.second; }
template <size_t I, class A, class B> constexpr const auto &get(const pair<A, B> &p) { if constexpr (I == 0) return p.first; else return p.second; }
template <size_t I, class A, class B> constexpr auto &&get(pair<A, B> &&p) { if constexpr (I == 0) return static_cast<A &&>(p.first); else return static_cast<B &&>(p.second); }
struct nothrow_t { explicit nothrow_t() = default; };
extern const nothrow_t nothrow;
enum class align_val_t : size_t {};
using new_handler = void (*)();
new_handler set_new_handler(new_handler) noexcept;
template <class T> constexpr T *launder(T *p) noexcept { return p; }
// Host only, or a class of the host's could not override them.
#pragma clang force_cuda_host_device end
class exception {
public:
  exception() noexcept {}
  exception(const exception &) noexcept {}
  exception &operator=(const exception &) noexcept;
  virtual ~exception() {}
  virtual const char *what() const noexcept;
};
#pragma clang force_cuda_host_device begin
class bad_exception : public exception {};
class bad_alloc : public exception {};
class bad_array_new_length : public bad_alloc {};
class bad_cast : public exception {};
class bad_typeid : public exception {};
using terminate_handler = void (*)();
[[noreturn]] void terminate() noexcept;
terminate_handler set_terminate(terminate_handler) noexcept;
int uncaught_exceptions() noexcept;
bool uncaught_exception() noexcept;
class type_info {
public:
  virtual ~type_info();
  const char *name() const noexcept;
  size_t hash_code() const noexcept;
  bool before(const type_info &) const noexcept;
  bool operator==(const type_info &) const noexcept;
  bool operator!=(const type_info &) const noexcept;
};
class exception_ptr {
public:
  exception_ptr();
  exception_ptr(nullptr_t);
  explicit operator bool() const;
};
exception_ptr current_exception() noexcept;
[[noreturn]] void rethrow_exception(exception_ptr);
template <class E> exception_ptr make_exception_ptr(E);
}
#pragma clang force_cuda_host_device end
__host__ __device__ inline void *operator new(size_t, void *p) noexcept { return p; }
__host__ __device__ inline void *operator new[](size_t, void *p) noexcept { return p; }
__host__ __device__ inline void operator delete(void *, void *) noexcept {}
__host__ __device__ inline void operator delete[](void *, void *) noexcept {}
__device__ void *operator new(size_t);
__device__ void *operator new[](size_t);
__device__ void operator delete(void *) noexcept;
__device__ void operator delete[](void *) noexcept;
__device__ void operator delete(void *, size_t) noexcept;
__device__ void operator delete[](void *, size_t) noexcept;
void *operator new(size_t, const std::nothrow_t &) noexcept;
void *operator new[](size_t, const std::nothrow_t &) noexcept;
void operator delete(void *, const std::nothrow_t &) noexcept;
void operator delete[](void *, const std::nothrow_t &) noexcept;
