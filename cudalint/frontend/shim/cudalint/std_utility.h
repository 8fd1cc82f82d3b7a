// <utility>, <new>, <initializer_list> and the few algorithms that device code calls: small bodies the models can run.
#pragma once
#pragma clang system_header
#include "std_traits.h"
#pragma clang force_cuda_host_device begin
namespace std {
template <class __T> class initializer_list {
  const __T *first;
  size_t count;

public:
  using value_type = __T;
  using reference = const __T &;
  using const_reference = const __T &;
  using size_type = size_t;
  using iterator = const __T *;
  using const_iterator = const __T *;
  constexpr initializer_list() noexcept : first(nullptr), count(0) {}
  constexpr size_t size() const noexcept { return count; }
  constexpr const __T *begin() const noexcept { return first; }
  constexpr const __T *end() const noexcept { return first + count; }
};
template <class __T> constexpr __T &&forward(remove_reference_t<__T> &t) noexcept { return static_cast<__T &&>(t); }
template <class __T> constexpr __T &&forward(remove_reference_t<__T> &&t) noexcept { return static_cast<__T &&>(t); }
template <class __T> constexpr remove_reference_t<__T> &&move(__T &&t) noexcept { return static_cast<remove_reference_t<__T> &&>(t); }
template <class __T> constexpr remove_reference_t<__T> &&move_if_noexcept(__T &t) noexcept { return static_cast<remove_reference_t<__T> &&>(t); }
template <class __T> constexpr const __T &as_const(__T &t) noexcept { return t; }
template <class __T> constexpr __T *addressof(__T &t) noexcept { return __builtin_addressof(t); }
template <class __T> constexpr void swap(__T &a, __T &b) { __T c = static_cast<__T &&>(a); a = static_cast<__T &&>(b); b = static_cast<__T &&>(c); }
template <class __T, size_t __N> constexpr void swap(__T (&a)[__N], __T (&b)[__N]) { for (size_t i = 0; i < __N; ++i) swap(a[i], b[i]); }
template <class __T, class __U = __T> constexpr __T exchange(__T &t, __U &&u) { __T old = static_cast<__T &&>(t); t = static_cast<__U &&>(u); return old; }
template <class __T> constexpr const __T &min(const __T &a, const __T &b) { return b < a ? b : a; }
template <class __T> constexpr const __T &max(const __T &a, const __T &b) { return a < b ? b : a; }
template <class __T, class __C> constexpr const __T &min(const __T &a, const __T &b, __C less) { return less(b, a) ? b : a; }
template <class __T, class __C> constexpr const __T &max(const __T &a, const __T &b, __C less) { return less(a, b) ? b : a; }
template <class __T> constexpr __T min(initializer_list<__T> l) { __T r = *l.begin(); for (const __T *p = l.begin(); p != l.end(); ++p) if (*p < r) r = *p; return r; }
template <class __T> constexpr __T max(initializer_list<__T> l) { __T r = *l.begin(); for (const __T *p = l.begin(); p != l.end(); ++p) if (r < *p) r = *p; return r; }
template <class __T> constexpr const __T &clamp(const __T &v, const __T &lo, const __T &hi) { return v < lo ? lo : hi < v ? hi : v; }

struct piecewise_construct_t { explicit piecewise_construct_t() = default; };
constexpr piecewise_construct_t piecewise_construct{};
struct in_place_t { explicit in_place_t() = default; };
constexpr in_place_t in_place{};
template <class __T> struct in_place_type_t { explicit in_place_type_t() = default; };
template <class __T> constexpr in_place_type_t<__T> in_place_type{};
template <class... __T> class tuple;
template <class __A, class __B> struct pair {
  using first_type = __A;
  using second_type = __B;
  __A first;
  __B second;
  constexpr pair() : first(), second() {}
  constexpr pair(const __A &a, const __B &b) : first(a), second(b) {}
  template <class __U, class __V, enable_if_t<__is_constructible(__A, __U &&) && __is_constructible(__B, __V &&), int> = 0>
  constexpr pair(__U &&u, __V &&v) : first(static_cast<__U &&>(u)), second(static_cast<__V &&>(v)) {}
  template <class __U, class __V> constexpr pair(const pair<__U, __V> &p) : first(p.first), second(p.second) {}
  template <class __U, class __V> constexpr pair(pair<__U, __V> &&p) : first(static_cast<__U &&>(p.first)), second(static_cast<__V &&>(p.second)) {}
  template <class... __U, class... __V> pair(piecewise_construct_t, tuple<__U...>, tuple<__V...>);
  pair(const pair &) = default;
  pair(pair &&) = default;
  pair &operator=(const pair &) = default;
  pair &operator=(pair &&) = default;
  template <class __U, class __V> constexpr pair &operator=(const pair<__U, __V> &p) { first = p.first; second = p.second; return *this; }
  void swap(pair &p) { std::swap(first, p.first); std::swap(second, p.second); }
};
template <class __A, class __B> pair(__A, __B) -> pair<__A, __B>;
template <class __A, class __B> constexpr pair<decay_t<__A>, decay_t<__B>> make_pair(__A &&a, __B &&b) { return pair<decay_t<__A>, decay_t<__B>>(static_cast<__A &&>(a), static_cast<__B &&>(b)); }
template <class __A, class __B> constexpr bool operator==(const pair<__A, __B> &p, const pair<__A, __B> &q) { return p.first == q.first && p.second == q.second; }
template <class __A, class __B> constexpr bool operator!=(const pair<__A, __B> &p, const pair<__A, __B> &q) { return !(p == q); }
template <class __A, class __B> constexpr bool operator<(const pair<__A, __B> &p, const pair<__A, __B> &q) { return p.first < q.first || (!(q.first < p.first) && p.second < q.second); }
template <class __A, class __B> constexpr bool operator>(const pair<__A, __B> &p, const pair<__A, __B> &q) { return q < p; }
template <class __A, class __B> constexpr bool operator<=(const pair<__A, __B> &p, const pair<__A, __B> &q) { return !(q < p); }
template <class __A, class __B> constexpr bool operator>=(const pair<__A, __B> &p, const pair<__A, __B> &q) { return !(p < q); }
template <class __T> struct tuple_size;
template <class __T, class = void> struct cudalint_const_size {};
template <class __T> struct cudalint_const_size<__T, void_t<decltype(tuple_size<__T>::value)>> : integral_constant<size_t, tuple_size<__T>::value> {};
template <class __T> struct tuple_size<const __T> : cudalint_const_size<__T> {};
template <size_t __I, class __T> struct tuple_element;
template <size_t __I, class __T> struct tuple_element<__I, const __T> { using type = const typename tuple_element<__I, __T>::type; };
template <size_t __I, class __T> using tuple_element_t = typename tuple_element<__I, __T>::type;
template <class __T> constexpr size_t tuple_size_v = tuple_size<__T>::value;
template <class __A, class __B> struct tuple_size<pair<__A, __B>> : integral_constant<size_t, 2> {};
template <class __A, class __B> struct tuple_element<0, pair<__A, __B>> { using type = __A; };
template <class __A, class __B> struct tuple_element<1, pair<__A, __B>> { using type = __B; };
template <size_t __I, class __A, class __B> constexpr auto &get(pair<__A, __B> &p) { if constexpr (__I == 0) return p.first; else return p.second; }
template <size_t __I, class __A, class __B> constexpr const auto &get(const pair<__A, __B> &p) { if constexpr (__I == 0) return p.first; else return p.second; }
template <size_t __I, class __A, class __B> constexpr auto &&get(pair<__A, __B> &&p) { if constexpr (__I == 0) return static_cast<__A &&>(p.first); else return static_cast<__B &&>(p.second); }
struct nothrow_t { explicit nothrow_t() = default; };
extern const nothrow_t nothrow;
enum class align_val_t : size_t {};
using new_handler = void (*)();
new_handler set_new_handler(new_handler) noexcept;
template <class __T> constexpr __T *launder(__T *p) noexcept { return p; }
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
// What typeid gives: whether two types are one is known when the template is, but for objects that may be of a derived class.
template <class __T> struct cudalint_typed : type_info {
  using type_info::operator==;
  using type_info::operator!=;
  template <class __U> constexpr bool operator==(const cudalint_typed<__U> &other) const noexcept {
    if constexpr (__is_polymorphic(__T) || __is_polymorphic(__U)) return type_info::operator==(other);
    else return __is_same(__T, __U);
  }
  template <class __U> constexpr bool operator!=(const cudalint_typed<__U> &other) const noexcept {
    if constexpr (__is_polymorphic(__T) || __is_polymorphic(__U)) return type_info::operator!=(other);
    else return !__is_same(__T, __U);
  }
};
template <class __T> const cudalint_typed<__T> &cudalint_type() noexcept;
#define typeid(...) ::std::cudalint_type<__remove_cvref(__typeof__(__VA_ARGS__))>()
class exception_ptr {
public:
  exception_ptr();
  exception_ptr(nullptr_t);
  explicit operator bool() const;
};
exception_ptr current_exception() noexcept;
[[noreturn]] void rethrow_exception(exception_ptr);
template <class __E> exception_ptr make_exception_ptr(__E);
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
