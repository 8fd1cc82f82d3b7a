#pragma once
#pragma clang system_header
#include "std_utility.h"
#include "std_iterator.h"
#include "std_memory.h"
#include "std_functional.h"
#include "../string.h"
#include "../stdio.h"
#include "../ctype.h"
#include "../wchar.h"
#include "../errno.h"
#pragma clang force_cuda_host_device begin
namespace std {
template <class __C> struct char_traits {
  using char_type = __C;
  using int_type = int;
  using off_type = long;
  using pos_type = long;
  static size_t length(const __C *);
  static int compare(const __C *, const __C *, size_t);
  static __C *copy(__C *, const __C *, size_t);
  static const __C *find(const __C *, size_t, const __C &);
  static constexpr int eof() { return -1; }
  static constexpr bool eq(__C a, __C b) { return a == b; }
  static constexpr bool lt(__C a, __C b) { return a < b; }
  static constexpr void assign(__C &a, const __C &b) { a = b; }
  static constexpr int_type not_eof(int_type a) { return a == -1 ? 0 : a; }
  static constexpr int_type to_int_type(__C a) { return a; }
  static constexpr __C to_char_type(int_type a) { return static_cast<__C>(a); }
  static constexpr bool eq_int_type(int_type a, int_type b) { return a == b; }
};
template <class __C, class __T = char_traits<__C>> class basic_string_view {
public:
  using value_type = __C;
  using size_type = size_t;
  using iterator = const __C *;
  using const_iterator = const __C *;
  static constexpr size_t npos = size_t(-1);
  constexpr basic_string_view() noexcept : p_(nullptr), n_(0) {}
  constexpr basic_string_view(const __C *p, size_t n) : p_(p), n_(n) {}
  constexpr basic_string_view(const __C *p) : p_(p), n_(0) { while (p[n_]) ++n_; }
  constexpr size_t size() const noexcept { return n_; }
  constexpr size_t length() const noexcept { return n_; }
  constexpr bool empty() const noexcept { return n_ == 0; }
  constexpr const __C *data() const noexcept { return p_; }
  constexpr const __C *begin() const noexcept { return p_; }
  constexpr const __C *end() const noexcept { return p_ + n_; }
  constexpr const __C &operator[](size_t i) const { return p_[i]; }
  constexpr const __C &at(size_t i) const { return p_[i]; }
  constexpr const __C &front() const { return p_[0]; }
  constexpr const __C &back() const { return p_[n_ - 1]; }
  constexpr void remove_prefix(size_t n) { p_ += n; n_ -= n; }
  constexpr void remove_suffix(size_t n) { n_ -= n; }
  constexpr basic_string_view substr(size_t p = 0, size_t n = npos) const { return basic_string_view(p_ + p, n < n_ - p ? n : n_ - p); }
  int compare(basic_string_view) const;
  size_t find(basic_string_view, size_t = 0) const;
  size_t find(__C, size_t = 0) const;
  size_t rfind(basic_string_view, size_t = npos) const;
  size_t rfind(__C, size_t = npos) const;
  size_t find_first_of(basic_string_view, size_t = 0) const;
  size_t find_first_of(__C, size_t = 0) const;
  size_t find_last_of(basic_string_view, size_t = npos) const;
  size_t find_last_of(__C, size_t = npos) const;
  size_t find_first_not_of(basic_string_view, size_t = 0) const;
  size_t find_last_not_of(basic_string_view, size_t = npos) const;
  bool starts_with(basic_string_view) const;
  bool ends_with(basic_string_view) const;
private:
  const __C *p_;
  size_t n_;
};
template <class __C, class __T = char_traits<__C>, class __A = allocator<__C>> class basic_string {
public:
  using value_type = __C;
  using traits_type = __T;
  using allocator_type = __A;
  using size_type = size_t;
  using difference_type = ptrdiff_t;
  using reference = __C &;
  using const_reference = const __C &;
  using pointer = __C *;
  using const_pointer = const __C *;
  using iterator = cudalint_random<__C>;
  using const_iterator = cudalint_random<const __C>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using view = basic_string_view<__C, __T>;
  static const size_t npos = size_t(-1);
  basic_string();
  basic_string(const __C *, const __A & = __A());
  basic_string(const __C *, size_t);
  basic_string(size_t, __C);
  basic_string(const basic_string &);
  basic_string(basic_string &&) noexcept;
  basic_string(const basic_string &, size_t, size_t = npos);
  basic_string(initializer_list<__C>);
  explicit basic_string(view);
  template <class __I, class = typename iterator_traits<__I>::iterator_category> basic_string(__I, __I);
  ~basic_string();
  basic_string &operator=(const basic_string &);
  basic_string &operator=(basic_string &&) noexcept;
  basic_string &operator=(const __C *);
  basic_string &operator=(__C);
  basic_string &operator=(view);
  operator view() const noexcept;
  const __C *c_str() const noexcept;
  const __C *data() const noexcept;
  __C *data() noexcept;
  size_t size() const noexcept;
  size_t length() const noexcept;
  size_t capacity() const noexcept;
  size_t max_size() const noexcept;
  bool empty() const noexcept;
  void clear() noexcept;
  void reserve(size_t = 0);
  void resize(size_t);
  void resize(size_t, __C);
  void shrink_to_fit();
  __C &operator[](size_t);
  const __C &operator[](size_t) const;
  __C &at(size_t);
  const __C &at(size_t) const;
  __C &front();
  const __C &front() const;
  __C &back();
  const __C &back() const;
  iterator begin() noexcept;
  const_iterator begin() const noexcept;
  iterator end() noexcept;
  const_iterator end() const noexcept;
  const_iterator cbegin() const noexcept;
  const_iterator cend() const noexcept;
  reverse_iterator rbegin() noexcept;
  reverse_iterator rend() noexcept;
  const_reverse_iterator rbegin() const noexcept;
  const_reverse_iterator rend() const noexcept;
  basic_string &operator+=(const basic_string &);
  basic_string &operator+=(const __C *);
  basic_string &operator+=(__C);
  basic_string &append(const basic_string &);
  basic_string &append(const basic_string &, size_t, size_t = npos);
  basic_string &append(const __C *);
  basic_string &append(const __C *, size_t);
  basic_string &append(size_t, __C);
  template <class __I, class = typename iterator_traits<__I>::iterator_category> basic_string &append(__I, __I);
  basic_string &assign(const basic_string &);
  basic_string &assign(const basic_string &, size_t, size_t);
  basic_string &assign(const __C *);
  basic_string &assign(const __C *, size_t);
  basic_string &assign(size_t, __C);
  template <class __I, class = typename iterator_traits<__I>::iterator_category> basic_string &assign(__I, __I);
  void push_back(__C);
  void pop_back();
  basic_string &insert(size_t, const basic_string &);
  basic_string &insert(size_t, const __C *);
  basic_string &insert(size_t, size_t, __C);
  iterator insert(const_iterator, __C);
  template <class __I, class = typename iterator_traits<__I>::iterator_category> iterator insert(const_iterator, __I, __I);
  iterator insert(const_iterator, size_t, __C);
  basic_string &insert(size_t, const __C *, size_t);
  basic_string &insert(size_t, const basic_string &, size_t, size_t = size_t(-1));
  basic_string &erase(size_t = 0, size_t = npos);
  iterator erase(const_iterator);
  iterator erase(const_iterator, const_iterator);
  basic_string &replace(size_t, size_t, const basic_string &);
  basic_string &replace(size_t, size_t, const __C *);
  basic_string &replace(size_t, size_t, size_t, __C);
  template <class __X> basic_string &replace(const_iterator, const_iterator, __X &&);
  basic_string substr(size_t = 0, size_t = npos) const;
  size_t copy(__C *, size_t, size_t = 0) const;
  void swap(basic_string &);
  int compare(const basic_string &) const;
  int compare(const __C *) const;
  int compare(size_t, size_t, const basic_string &) const;
  int compare(size_t, size_t, const __C *) const;
#define CUDALINT_FIND(name, from) \
  size_t name(const basic_string &, size_t = from) const; \
  size_t name(const __C *, size_t = from) const; \
  size_t name(const __C *, size_t, size_t) const; \
  size_t name(__C, size_t = from) const;
  CUDALINT_FIND(find, 0) CUDALINT_FIND(rfind, npos) CUDALINT_FIND(find_first_of, 0) CUDALINT_FIND(find_last_of, npos)
  CUDALINT_FIND(find_first_not_of, 0) CUDALINT_FIND(find_last_not_of, npos)
#undef CUDALINT_FIND
  bool starts_with(view) const;
  bool ends_with(view) const;
private:
  __C *p_;
  size_t n_;
  __C buffer_[16 / sizeof(__C)];
};
using string = basic_string<char>;
using wstring = basic_string<wchar_t>;
using u16string = basic_string<char16_t>;
using u32string = basic_string<char32_t>;
using string_view = basic_string_view<char>;
using wstring_view = basic_string_view<wchar_t>;
#define __S basic_string<__C, __T, __A>
template <class __C, class __T, class __A> __S operator+(const __S &, const __S &);
template <class __C, class __T, class __A> __S operator+(const __S &, const __C *);
template <class __C, class __T, class __A> __S operator+(const __C *, const __S &);
template <class __C, class __T, class __A> __S operator+(const __S &, __C);
template <class __C, class __T, class __A> __S operator+(__C, const __S &);
#define CUDALINT_COMPARE(op) \
  template <class __C, class __T, class __A> bool operator op(const __S &, const __S &) noexcept; \
  template <class __C, class __T, class __A> bool operator op(const __S &, const __C *); \
  template <class __C, class __T, class __A> bool operator op(const __C *, const __S &); \
  template <class __C, class __T> bool operator op(basic_string_view<__C, __T>, type_identity_t<basic_string_view<__C, __T>>) noexcept;
CUDALINT_COMPARE(==) CUDALINT_COMPARE(!=) CUDALINT_COMPARE(<) CUDALINT_COMPARE(>) CUDALINT_COMPARE(<=) CUDALINT_COMPARE(>=)
#undef CUDALINT_COMPARE
#undef __S
int stoi(const string &, size_t * = nullptr, int = 10);
long stol(const string &, size_t * = nullptr, int = 10);
long long stoll(const string &, size_t * = nullptr, int = 10);
unsigned long stoul(const string &, size_t * = nullptr, int = 10);
unsigned long long stoull(const string &, size_t * = nullptr, int = 10);
float stof(const string &, size_t * = nullptr);
double stod(const string &, size_t * = nullptr);
__attribute__((host)) long double stold(const string &, size_t * = nullptr);
string to_string(int);
string to_string(unsigned);
string to_string(long);
string to_string(unsigned long);
string to_string(long long);
string to_string(unsigned long long);
string to_string(float);
string to_string(double);
wstring to_wstring(int);
inline namespace literals {
inline namespace string_literals { string operator""s(const char *, size_t); }
inline namespace string_view_literals { constexpr string_view operator""sv(const char *p, size_t n) noexcept { return string_view(p, n); } }
}
class logic_error : public exception { public: explicit logic_error(const string &); explicit logic_error(const char *); };
class runtime_error : public exception { public: explicit runtime_error(const string &); explicit runtime_error(const char *); };
#define CUDALINT_ERROR(name, base) class name : public base { public: explicit name(const string &); explicit name(const char *); };
CUDALINT_ERROR(invalid_argument, logic_error) CUDALINT_ERROR(domain_error, logic_error) CUDALINT_ERROR(length_error, logic_error)
CUDALINT_ERROR(out_of_range, logic_error) CUDALINT_ERROR(range_error, runtime_error) CUDALINT_ERROR(overflow_error, runtime_error)
CUDALINT_ERROR(underflow_error, runtime_error)
#undef CUDALINT_ERROR
class error_category { public: virtual ~error_category(); virtual const char *name() const noexcept; virtual string message(int) const; };
class error_code { public: error_code() noexcept; error_code(int, const error_category &) noexcept; int value() const noexcept; string message() const; const error_category &category() const noexcept; explicit operator bool() const noexcept; };
class system_error : public runtime_error { public: system_error(error_code); system_error(error_code, const string &); system_error(int, const error_category &, const string &); const error_code &code() const noexcept; };
const error_category &system_category() noexcept;
const error_category &generic_category() noexcept;
enum class errc { invalid_argument = 22, result_out_of_range = 34 };
bool operator==(const error_code &, errc) noexcept;
bool operator==(const error_code &, const error_code &) noexcept;
bool operator!=(const error_code &, const error_code &) noexcept;
bool operator!=(const error_code &, errc) noexcept;
}
#pragma clang force_cuda_host_device end
