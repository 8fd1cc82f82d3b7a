// Thrust: functors, pairs and tuples, complex numbers, iterators.
#pragma once
#pragma clang system_header
#include "../cudalint_prelude.h"
#include "../complex"
#include "../functional"
#include "../iterator"
#include "../tuple"
#include "../utility"
#include "../limits"
#include "../random"
#include "../stdexcept"
#include "../iostream"
#include "../memory"
#define THRUST_VERSION 200300
#define THRUST_MAJOR_VERSION 2
#define THRUST_MINOR_VERSION 3
#define THRUST_SUBMINOR_VERSION 0
#define THRUST_NS_QUALIFIER ::thrust
#define THRUST_DEVICE_SYSTEM_CPP 1
#define THRUST_DEVICE_SYSTEM_CUDA 2
#define THRUST_DEVICE_SYSTEM 2
#pragma clang force_cuda_host_device begin
namespace thrust {
using std::plus; using std::minus; using std::multiplies; using std::divides; using std::modulus; using std::equal_to;
using std::not_equal_to; using std::greater; using std::less; using std::greater_equal; using std::less_equal;
using std::logical_and; using std::logical_or; using std::logical_not; using std::bit_and; using std::bit_or;
using std::bit_xor; using std::negate;
using std::pair; using std::make_pair; using std::tuple; using std::make_tuple; using std::tie; using std::get; using std::tuple_size;
using std::tuple_element; using std::swap; using std::advance; using std::distance; using std::ignore;
template <class A, class R> struct unary_function { using argument_type = A; using result_type = R; };
template <class A, class B, class R> struct binary_function { using first_argument_type = A; using second_argument_type = B; using result_type = R; };
template <class T = void> struct identity { using argument_type = T; using result_type = T; constexpr const T &operator()(const T &a) const { return a; } };
template <class T = void> struct square { constexpr T operator()(const T &a) const { return a * a; } };
template <class T = void> struct maximum { constexpr T operator()(const T &a, const T &b) const { return a < b ? b : a; } };
template <class T = void> struct minimum { constexpr T operator()(const T &a, const T &b) const { return b < a ? b : a; } };
template <> struct maximum<void> { template <class A, class B> constexpr A operator()(const A &a, const B &b) const { return a < b ? b : a; } };
template <> struct minimum<void> { template <class A, class B> constexpr A operator()(const A &a, const B &b) const { return b < a ? b : a; } };
template <class A = void, class B = void> struct project1st { constexpr const A &operator()(const A &a, const B &) const { return a; } };
template <class A = void, class B = void> struct project2nd { constexpr const B &operator()(const A &, const B &b) const { return b; } };
template <class F> struct cudalint_not { F f; template <class... A> constexpr bool operator()(const A &...a) const { return !f(a...); } };
template <class F> cudalint_not<F> not1(F f) { return {f}; }
template <class F> cudalint_not<F> not2(F f) { return {f}; }
template <class F> cudalint_not<F> not_fn(F f) { return {f}; }
template <class F> struct zip_function { F f; template <class T> decltype(auto) operator()(T &&t) const { return std::apply(f, (T &&)t); } };
template <class F> zip_function<F> make_zip_function(F f) { return {f}; }
// A placeholder expression: what it computes is not modelled, only that it is callable.
struct cudalint_expression { template <class... A> std::cudalint_any_value operator()(A &&...) const; };
#define P(op) template <class T> cudalint_expression operator op(cudalint_expression, const T &); template <class T> cudalint_expression operator op(const T &, cudalint_expression); cudalint_expression operator op(cudalint_expression, cudalint_expression);
P(+) P(-) P(*) P(/) P(%) P(==) P(!=) P(<) P(>) P(<=) P(>=) P(&&) P(||) P(&) P(|) P(^)
#undef P
cudalint_expression operator-(cudalint_expression);
cudalint_expression operator!(cudalint_expression);
namespace placeholders { inline constexpr cudalint_expression _1{}, _2{}, _3{}, _4{}; }

template <class T> struct complex {
  using value_type = T;
  T cudalint_re, cudalint_im;
  complex() = default;
  constexpr complex(const T &r) : cudalint_re(r), cudalint_im() {}
  template <class A, class B> constexpr complex(const A &r, const B &i) : cudalint_re(r), cudalint_im(i) {}
  template <class U> constexpr complex(const complex<U> &z) : cudalint_re(z.real()), cudalint_im(z.imag()) {}
  template <class U> constexpr complex(const std::complex<U> &z) : cudalint_re(z.real()), cudalint_im(z.imag()) {}
  constexpr T real() const { return cudalint_re; }
  constexpr T imag() const { return cudalint_im; }
  void real(T r) { cudalint_re = r; }
  void imag(T i) { cudalint_im = i; }
  operator std::complex<T>() const { return std::complex<T>(cudalint_re, cudalint_im); }
  complex &operator=(const T &r) { cudalint_re = r; cudalint_im = T(); return *this; }
  template <class U> complex &operator+=(const complex<U> &z) { return *this = *this + complex(z); }
  template <class U> complex &operator-=(const complex<U> &z) { return *this = *this - complex(z); }
  template <class U> complex &operator*=(const complex<U> &z) { return *this = *this * complex(z); }
  template <class U> complex &operator/=(const complex<U> &z) { return *this = *this / complex(z); }
  complex &operator+=(const T &r) { cudalint_re += r; return *this; }
  complex &operator-=(const T &r) { cudalint_re -= r; return *this; }
  complex &operator*=(const T &r) { cudalint_re *= r; cudalint_im *= r; return *this; }
  complex &operator/=(const T &r) { cudalint_re /= r; cudalint_im /= r; return *this; }
};
template <class T> complex<T> operator+(const complex<T> &a, const complex<T> &b) { return complex<T>(a.real() + b.real(), a.imag() + b.imag()); }
template <class T> complex<T> operator-(const complex<T> &a, const complex<T> &b) { return complex<T>(a.real() - b.real(), a.imag() - b.imag()); }
template <class T> complex<T> operator*(const complex<T> &a, const complex<T> &b) { return complex<T>(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()); }
template <class T> complex<T> operator/(const complex<T> &a, const complex<T> &b);
#define P(op) \
  template <class T> complex<T> operator op(const complex<T> &a, const std::type_identity_t<T> &b) { return a op complex<T>(b); } \
  template <class T> complex<T> operator op(const std::type_identity_t<T> &a, const complex<T> &b) { return complex<T>(a) op b; }
P(+) P(-) P(*) P(/)
#undef P
template <class T> complex<T> operator-(const complex<T> &z) { return complex<T>(-z.real(), -z.imag()); }
template <class T> complex<T> operator+(const complex<T> &z) { return z; }
template <class T> bool operator==(const complex<T> &a, const complex<T> &b) { return a.real() == b.real() && a.imag() == b.imag(); }
template <class T> bool operator!=(const complex<T> &a, const complex<T> &b) { return !(a == b); }
template <class T> bool operator==(const complex<T> &a, const std::type_identity_t<T> &b) { return a.real() == b && a.imag() == T(); }
template <class T> T norm(const complex<T> &z) { return z.real() * z.real() + z.imag() * z.imag(); }
template <class T> complex<T> conj(const complex<T> &z) { return complex<T>(z.real(), -z.imag()); }
template <class T> T abs(const complex<T> &);
template <class T> T arg(const complex<T> &);
template <class T> complex<T> polar(const T &, const T & = T());
#define P(n) template <class T> complex<T> n(const complex<T> &);
P(exp) P(log) P(log10) P(sqrt) P(sin) P(cos) P(tan) P(sinh) P(cosh) P(tanh) P(asin) P(acos) P(atan) P(proj)
#undef P
template <class T, class U> complex<T> pow(const complex<T> &, const U &);
template <class T, class S> S &operator<<(S &, const complex<T> &);

using std::random_access_iterator_tag;
template <class I> using iterator_traits = std::iterator_traits<I>;
template <class I> struct iterator_value { using type = typename std::iterator_traits<I>::value_type; };
template <class I> struct iterator_difference { using type = typename std::iterator_traits<I>::difference_type; };
template <class I> struct iterator_pointer { using type = typename std::iterator_traits<I>::pointer; };
template <class I> struct iterator_reference { using type = typename std::iterator_traits<I>::reference; };
template <class I> struct iterator_system { using type = int; };
// The arithmetic every iterator shares: Self has `at(i)`, the value i places on, and `moved(i)`.
template <class Self, class V, class R = V> struct cudalint_iterator {
  using value_type = V; using reference = R; using pointer = V *; using difference_type = ptrdiff_t;
  using iterator_category = std::random_access_iterator_tag;
  constexpr const Self &self() const { return static_cast<const Self &>(*this); }
  constexpr R operator*() const { return self().at(0); }
  constexpr R operator[](ptrdiff_t i) const { return self().at(i); }
  constexpr Self operator+(ptrdiff_t n) const { return self().moved(n); }
  constexpr Self operator-(ptrdiff_t n) const { return self().moved(-n); }
  Self &operator++() { return static_cast<Self &>(*this) = self().moved(1); }
  Self operator++(int) { Self old = self(); static_cast<Self &>(*this) = self().moved(1); return old; }
  Self &operator--() { return static_cast<Self &>(*this) = self().moved(-1); }
  Self &operator+=(ptrdiff_t n) { return static_cast<Self &>(*this) = self().moved(n); }
  Self &operator-=(ptrdiff_t n) { return static_cast<Self &>(*this) = self().moved(-n); }
  ptrdiff_t operator-(const Self &) const;
  bool operator==(const Self &) const;
  bool operator!=(const Self &) const;
  bool operator<(const Self &) const;
};
template <class T, class... X> struct counting_iterator : cudalint_iterator<counting_iterator<T, X...>, T> { T cudalint_first; constexpr counting_iterator() : cudalint_first() {} constexpr explicit counting_iterator(T v) : cudalint_first(v) {} constexpr T at(ptrdiff_t i) const { return cudalint_first + (T)i; } constexpr counting_iterator moved(ptrdiff_t i) const { return counting_iterator(at(i)); } };
template <class T> constexpr counting_iterator<T> make_counting_iterator(T v) { return counting_iterator<T>(v); }
template <class T, class... X> struct constant_iterator : cudalint_iterator<constant_iterator<T, X...>, T> { T cudalint_constant; constexpr constant_iterator() : cudalint_constant() {} constexpr constant_iterator(T v, ptrdiff_t = 0) : cudalint_constant(v) {} constexpr T at(ptrdiff_t) const { return cudalint_constant; } constexpr constant_iterator moved(ptrdiff_t) const { return *this; } };
template <class T> constexpr constant_iterator<T> make_constant_iterator(T v, ptrdiff_t = 0) { return constant_iterator<T>(v); }
struct cudalint_sink { template <class T> const cudalint_sink &operator=(const T &) const { return *this; } };
template <class X = void> struct discard_iterator : cudalint_iterator<discard_iterator<X>, cudalint_sink> { constexpr cudalint_sink at(ptrdiff_t) const { return {}; } constexpr discard_iterator moved(ptrdiff_t) const { return *this; } };
constexpr discard_iterator<> make_discard_iterator(ptrdiff_t = 0) { return {}; }
template <class F, class I, class... X> struct transform_iterator : cudalint_iterator<transform_iterator<F, I, X...>, std::remove_cvref_t<decltype(std::declval<F &>()(*std::declval<I &>()))>> { I cudalint_base; F cudalint_f; transform_iterator() = default; constexpr transform_iterator(I i, F f) : cudalint_base(i), cudalint_f(f) {} constexpr auto at(ptrdiff_t i) const { return const_cast<F &>(cudalint_f)(cudalint_base[i]); } constexpr transform_iterator moved(ptrdiff_t i) const { return transform_iterator(cudalint_base + i, cudalint_f); } const I &base() const { return cudalint_base; } };
template <class F, class I> constexpr transform_iterator<F, I> make_transform_iterator(I i, F f) { return transform_iterator<F, I>(i, f); }
template <class E, class I> struct permutation_iterator : cudalint_iterator<permutation_iterator<E, I>, typename std::iterator_traits<E>::value_type, typename std::iterator_traits<E>::reference> { E cudalint_elements; I cudalint_indices; permutation_iterator() = default; constexpr permutation_iterator(E e, I i) : cudalint_elements(e), cudalint_indices(i) {} constexpr decltype(auto) at(ptrdiff_t i) const { return cudalint_elements[cudalint_indices[i]]; } constexpr permutation_iterator moved(ptrdiff_t i) const { return permutation_iterator(cudalint_elements, cudalint_indices + i); } };
template <class E, class I> constexpr permutation_iterator<E, I> make_permutation_iterator(E e, I i) { return permutation_iterator<E, I>(e, i); }
template <class T> struct zip_iterator;
template <class... I> struct zip_iterator<tuple<I...>> : cudalint_iterator<zip_iterator<tuple<I...>>, tuple<typename std::iterator_traits<I>::value_type...>, tuple<typename std::iterator_traits<I>::reference...>> {
  tuple<I...> cudalint_iterators;
  zip_iterator() = default;
  constexpr zip_iterator(tuple<I...> t) : cudalint_iterators(t) {}
  tuple<typename std::iterator_traits<I>::reference...> at(ptrdiff_t) const;
  zip_iterator moved(ptrdiff_t) const;
  const tuple<I...> &get_iterator_tuple() const { return cudalint_iterators; }
};
template <class... I> zip_iterator<tuple<I...>> make_zip_iterator(tuple<I...> t) { return zip_iterator<tuple<I...>>(t); }
template <class... I> zip_iterator<tuple<I...>> make_zip_iterator(I... i) { return zip_iterator<tuple<I...>>(tuple<I...>(i...)); }
template <class I> using reverse_iterator = std::reverse_iterator<I>;
template <class I> reverse_iterator<I> make_reverse_iterator(I i) { return reverse_iterator<I>(i); }
template <class F, class I> struct transform_output_iterator : cudalint_iterator<transform_output_iterator<F, I>, cudalint_sink> { transform_output_iterator(I, F); cudalint_sink at(ptrdiff_t) const { return {}; } transform_output_iterator moved(ptrdiff_t) const { return *this; } };
template <class F, class I> transform_output_iterator<F, I> make_transform_output_iterator(I i, F f) { return transform_output_iterator<F, I>(i, f); }
namespace random {
template <class T = int> struct uniform_int_distribution { using result_type = T; uniform_int_distribution(T = 0, T = 0); template <class G> T operator()(G &); };
template <class T = double> struct uniform_real_distribution { using result_type = T; uniform_real_distribution(T = 0, T = 1); template <class G> T operator()(G &); };
template <class T = double> struct normal_distribution { using result_type = T; normal_distribution(T = 0, T = 1); template <class G> T operator()(G &); };
using default_random_engine = std::minstd_rand; using std::minstd_rand; using std::minstd_rand0; using std::ranlux24; using std::ranlux48; using taus88 = std::minstd_rand;
}
using namespace random;
namespace system { using error_code = int; struct system_error : std::runtime_error { system_error(...); int code() const; }; }
using system::system_error;
struct cudalint_category {};
const cudalint_category &cuda_category();
namespace detail { using std::enable_if; using std::is_same; template <class T> using remove_const = std::remove_const<T>; }
}
#pragma clang force_cuda_host_device end
