#pragma once
#pragma clang system_header
#include "std_utility.h"
#pragma clang force_cuda_host_device begin
namespace std {
struct input_iterator_tag {};
struct output_iterator_tag {};
struct forward_iterator_tag : input_iterator_tag {};
struct bidirectional_iterator_tag : forward_iterator_tag {};
struct random_access_iterator_tag : bidirectional_iterator_tag {};
struct contiguous_iterator_tag : random_access_iterator_tag {};
template <class __C, class __T, class __D = ptrdiff_t, class __P = __T *, class __R = __T &> struct iterator {
  using iterator_category = __C;
  using value_type = __T;
  using difference_type = __D;
  using pointer = __P;
  using reference = __R;
};
template <class __I, class = void> struct iterator_traits {};
template <class __I> struct iterator_traits<__I, void_t<typename __I::iterator_category>> {
  using iterator_category = typename __I::iterator_category;
  using value_type = typename __I::value_type;
  using difference_type = typename __I::difference_type;
  using pointer = typename __I::pointer;
  using reference = typename __I::reference;
};
template <class __T> struct iterator_traits<__T *, void> {
  using iterator_category = random_access_iterator_tag;
  using value_type = remove_cv_t<__T>;
  using difference_type = ptrdiff_t;
  using pointer = __T *;
  using reference = __T &;
};
template <class __I> using cudalint_value = typename iterator_traits<__I>::value_type;
template <class __I> constexpr typename iterator_traits<__I>::difference_type distance(__I a, __I b) {
  if constexpr (is_base_of_v<random_access_iterator_tag, typename iterator_traits<__I>::iterator_category>) return b - a;
  else { typename iterator_traits<__I>::difference_type n = 0; for (; a != b; ++a) ++n; return n; }
}
template <class __I, class __N> constexpr void advance(__I &i, __N n) {
  if constexpr (is_base_of_v<random_access_iterator_tag, typename iterator_traits<__I>::iterator_category>) i += n;
  else for (; n > 0; --n) ++i;
}
template <class __I> constexpr __I next(__I i, typename iterator_traits<__I>::difference_type n = 1) { advance(i, n); return i; }
template <class __I> constexpr __I prev(__I i, typename iterator_traits<__I>::difference_type n = 1);
template <class __C> constexpr auto begin(__C &c) -> decltype(c.begin()) { return c.begin(); }
template <class __C> constexpr auto begin(const __C &c) -> decltype(c.begin()) { return c.begin(); }
template <class __C> constexpr auto end(__C &c) -> decltype(c.end()) { return c.end(); }
template <class __C> constexpr auto end(const __C &c) -> decltype(c.end()) { return c.end(); }
template <class __T, size_t __N> constexpr __T *begin(__T (&a)[__N]) { return a; }
template <class __T, size_t __N> constexpr __T *end(__T (&a)[__N]) { return a + __N; }
template <class __C> constexpr auto cbegin(const __C &c) -> decltype(std::begin(c)) { return std::begin(c); }
template <class __C> constexpr auto cend(const __C &c) -> decltype(std::end(c)) { return std::end(c); }
template <class __C> constexpr auto rbegin(__C &c) -> decltype(c.rbegin()) { return c.rbegin(); }
template <class __C> constexpr auto rend(__C &c) -> decltype(c.rend()) { return c.rend(); }
template <class __C> constexpr auto size(const __C &c) -> decltype(c.size()) { return c.size(); }
template <class __T, size_t __N> constexpr size_t size(const __T (&)[__N]) { return __N; }
template <class __C> constexpr auto empty(const __C &c) -> decltype(c.empty()) { return c.empty(); }
template <class __C> constexpr auto data(__C &c) -> decltype(c.data()) { return c.data(); }
template <class __C> constexpr auto data(const __C &c) -> decltype(c.data()) { return c.data(); }
template <class __T, size_t __N> constexpr __T *data(__T (&a)[__N]) { return a; }
template <class __I> class reverse_iterator {
public:
  using iterator_type = __I;
  using iterator_category = typename iterator_traits<__I>::iterator_category;
  using value_type = typename iterator_traits<__I>::value_type;
  using difference_type = typename iterator_traits<__I>::difference_type;
  using pointer = typename iterator_traits<__I>::pointer;
  using reference = typename iterator_traits<__I>::reference;
  reverse_iterator();
  explicit reverse_iterator(__I);
  template <class __U> reverse_iterator(const reverse_iterator<__U> &);
  __I base() const;
  reference operator*() const;
  pointer operator->() const;
  reference operator[](difference_type) const;
  reverse_iterator &operator++();
  reverse_iterator operator++(int);
  reverse_iterator &operator--();
  reverse_iterator operator--(int);
  reverse_iterator operator+(difference_type) const;
  reverse_iterator operator-(difference_type) const;
  difference_type operator-(const reverse_iterator &) const;
  bool operator==(const reverse_iterator &) const;
  bool operator!=(const reverse_iterator &) const;
  bool operator<(const reverse_iterator &) const;
};
template <class __I> reverse_iterator<__I> make_reverse_iterator(__I);
template <class __I> class move_iterator : public iterator_traits<__I> {
public:
  explicit move_iterator(__I);
  cudalint_value<__I> &&operator*() const;
  move_iterator &operator++();
  move_iterator operator++(int);
  ptrdiff_t operator-(const move_iterator &) const;
  bool operator==(const move_iterator &) const;
  bool operator!=(const move_iterator &) const;
};
template <class __I> move_iterator<__I> make_move_iterator(__I);
struct cudalint_output_iterator {
  using iterator_category = output_iterator_tag;
  using value_type = void;
  using difference_type = ptrdiff_t;
  using pointer = void;
  using reference = void;
};
#define CUDALINT_INSERTER(name) \
  template <class __C> struct name : cudalint_output_iterator { \
    explicit name(__C &); \
    template <class __T> name &operator=(__T &&); \
    name &operator*(); name &operator++(); name operator++(int); \
  };
CUDALINT_INSERTER(back_insert_iterator) CUDALINT_INSERTER(front_insert_iterator) CUDALINT_INSERTER(insert_iterator)
#undef CUDALINT_INSERTER
template <class __C> back_insert_iterator<__C> back_inserter(__C &);
template <class __C> front_insert_iterator<__C> front_inserter(__C &);
template <class __C, class __I> insert_iterator<__C> inserter(__C &, __I);
// The iterator of node-based containers; vectors and strings use one that is a class too.
template <class __T, class Tag = bidirectional_iterator_tag> struct cudalint_iterator {
  using iterator_category = Tag;
  using value_type = remove_cv_t<__T>;
  using difference_type = ptrdiff_t;
  using pointer = __T *;
  using reference = __T &;
  __T *at;
  cudalint_iterator() = default;
  template <class __U, enable_if_t<__is_convertible_to(__U *, __T *), int> = 0> cudalint_iterator(const cudalint_iterator<__U, Tag> &o) : at(o.at) {}
  __T &operator*() const { return *at; }
  __T *operator->() const { return at; }
  __T &operator[](ptrdiff_t n) const { return at[n]; }
  cudalint_iterator &operator++() { ++at; return *this; }
  cudalint_iterator operator++(int) { cudalint_iterator old = *this; ++at; return old; }
  cudalint_iterator &operator--() { --at; return *this; }
  cudalint_iterator operator--(int) { cudalint_iterator old = *this; --at; return old; }
  cudalint_iterator &operator+=(ptrdiff_t n) { at += n; return *this; }
  cudalint_iterator &operator-=(ptrdiff_t n) { at -= n; return *this; }
  cudalint_iterator operator+(ptrdiff_t n) const { cudalint_iterator r = *this; r.at += n; return r; }
  cudalint_iterator operator-(ptrdiff_t n) const { cudalint_iterator r = *this; r.at -= n; return r; }
};
template <class __T, class __U, class __G> ptrdiff_t operator-(const cudalint_iterator<__T, __G> &a, const cudalint_iterator<__U, __G> &b) { return a.at - b.at; }
template <class __T, class __U, class __G> bool operator==(const cudalint_iterator<__T, __G> &a, const cudalint_iterator<__U, __G> &b) { return a.at == b.at; }
template <class __T, class __U, class __G> bool operator!=(const cudalint_iterator<__T, __G> &a, const cudalint_iterator<__U, __G> &b) { return a.at != b.at; }
template <class __T, class __U, class __G> bool operator<(const cudalint_iterator<__T, __G> &a, const cudalint_iterator<__U, __G> &b) { return a.at < b.at; }
template <class __T, class __U, class __G> bool operator>(const cudalint_iterator<__T, __G> &a, const cudalint_iterator<__U, __G> &b) { return a.at > b.at; }
template <class __T, class __U, class __G> bool operator<=(const cudalint_iterator<__T, __G> &a, const cudalint_iterator<__U, __G> &b) { return a.at <= b.at; }
template <class __T, class __U, class __G> bool operator>=(const cudalint_iterator<__T, __G> &a, const cudalint_iterator<__U, __G> &b) { return a.at >= b.at; }
template <class __T, class __G> cudalint_iterator<__T, __G> operator+(ptrdiff_t n, const cudalint_iterator<__T, __G> &i) { return i + n; }
template <class __T> using cudalint_random = cudalint_iterator<__T, random_access_iterator_tag>;
}
#pragma clang force_cuda_host_device end
