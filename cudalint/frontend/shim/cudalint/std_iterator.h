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
template <class C, class T, class D = ptrdiff_t, class P = T *, class R = T &> struct iterator {
  using iterator_category = C;
  using value_type = T;
  using difference_type = D;
  using pointer = P;
  using reference = R;
};
template <class I, class = void> struct iterator_traits {};
template <class I> struct iterator_traits<I, void_t<typename I::iterator_category>> {
  using iterator_category = typename I::iterator_category;
  using value_type = typename I::value_type;
  using difference_type = typename I::difference_type;
  using pointer = typename I::pointer;
  using reference = typename I::reference;
};
template <class T> struct iterator_traits<T *, void> {
  using iterator_category = random_access_iterator_tag;
  using value_type = remove_cv_t<T>;
  using difference_type = ptrdiff_t;
  using pointer = T *;
  using reference = T &;
};
template <class I> using cudalint_value = typename iterator_traits<I>::value_type;
template <class I> constexpr typename iterator_traits<I>::difference_type distance(I a, I b) {
  if constexpr (is_base_of_v<random_access_iterator_tag, typename iterator_traits<I>::iterator_category>) return b - a;
  else { typename iterator_traits<I>::difference_type n = 0; for (; a != b; ++a) ++n; return n; }
}
template <class I, class N> constexpr void advance(I &i, N n) {
  if constexpr (is_base_of_v<random_access_iterator_tag, typename iterator_traits<I>::iterator_category>) i += n;
  else for (; n > 0; --n) ++i;
}
template <class I> constexpr I next(I i, typename iterator_traits<I>::difference_type n = 1) { advance(i, n); return i; }
template <class I> constexpr I prev(I i, typename iterator_traits<I>::difference_type n = 1);
template <class C> constexpr auto begin(C &c) -> decltype(c.begin()) { return c.begin(); }
template <class C> constexpr auto begin(const C &c) -> decltype(c.begin()) { return c.begin(); }
template <class C> constexpr auto end(C &c) -> decltype(c.end()) { return c.end(); }
template <class C> constexpr auto end(const C &c) -> decltype(c.end()) { return c.end(); }
template <class T, size_t N> constexpr T *begin(T (&a)[N]) { return a; }
template <class T, size_t N> constexpr T *end(T (&a)[N]) { return a + N; }
template <class C> constexpr auto cbegin(const C &c) -> decltype(std::begin(c)) { return std::begin(c); }
template <class C> constexpr auto cend(const C &c) -> decltype(std::end(c)) { return std::end(c); }
template <class C> constexpr auto rbegin(C &c) -> decltype(c.rbegin()) { return c.rbegin(); }
template <class C> constexpr auto rend(C &c) -> decltype(c.rend()) { return c.rend(); }
template <class C> constexpr auto size(const C &c) -> decltype(c.size()) { return c.size(); }
template <class T, size_t N> constexpr size_t size(const T (&)[N]) { return N; }
template <class C> constexpr auto empty(const C &c) -> decltype(c.empty()) { return c.empty(); }
template <class C> constexpr auto data(C &c) -> decltype(c.data()) { return c.data(); }
template <class C> constexpr auto data(const C &c) -> decltype(c.data()) { return c.data(); }
template <class T, size_t N> constexpr T *data(T (&a)[N]) { return a; }
template <class I> class reverse_iterator {
public:
  using iterator_type = I;
  using iterator_category = typename iterator_traits<I>::iterator_category;
  using value_type = typename iterator_traits<I>::value_type;
  using difference_type = typename iterator_traits<I>::difference_type;
  using pointer = typename iterator_traits<I>::pointer;
  using reference = typename iterator_traits<I>::reference;
  reverse_iterator();
  explicit reverse_iterator(I);
  template <class U> reverse_iterator(const reverse_iterator<U> &);
  I base() const;
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
template <class I> reverse_iterator<I> make_reverse_iterator(I);
template <class I> class move_iterator : public iterator_traits<I> {
public:
  explicit move_iterator(I);
  cudalint_value<I> &&operator*() const;
  move_iterator &operator++();
  move_iterator operator++(int);
  ptrdiff_t operator-(const move_iterator &) const;
  bool operator==(const move_iterator &) const;
  bool operator!=(const move_iterator &) const;
};
template <class I> move_iterator<I> make_move_iterator(I);
struct cudalint_output_iterator {
  using iterator_category = output_iterator_tag;
  using value_type = void;
  using difference_type = ptrdiff_t;
  using pointer = void;
  using reference = void;
};
#define CUDALINT_INSERTER(name) \
  template <class C> struct name : cudalint_output_iterator { \
    explicit name(C &); \
    template <class T> name &operator=(T &&); \
    name &operator*(); name &operator++(); name operator++(int); \
  };
CUDALINT_INSERTER(back_insert_iterator) CUDALINT_INSERTER(front_insert_iterator) CUDALINT_INSERTER(insert_iterator)
#undef CUDALINT_INSERTER
template <class C> back_insert_iterator<C> back_inserter(C &);
template <class C> front_insert_iterator<C> front_inserter(C &);
template <class C, class I> insert_iterator<C> inserter(C &, I);
// The iterator of node-based containers; vectors and strings use one that is a class too.
template <class T, class Tag = bidirectional_iterator_tag> struct cudalint_iterator {
  using iterator_category = Tag;
  using value_type = remove_cv_t<T>;
  using difference_type = ptrdiff_t;
  using pointer = T *;
  using reference = T &;
  T *at;
  cudalint_iterator() = default;
  template <class U, enable_if_t<__is_convertible_to(U *, T *), int> = 0> cudalint_iterator(const cudalint_iterator<U, Tag> &o) : at(o.at) {}
  T &operator*() const { return *at; }
  T *operator->() const { return at; }
  T &operator[](ptrdiff_t n) const { return at[n]; }
  cudalint_iterator &operator++() { ++at; return *this; }
  cudalint_iterator operator++(int) { cudalint_iterator old = *this; ++at; return old; }
  cudalint_iterator &operator--() { --at; return *this; }
  cudalint_iterator operator--(int) { cudalint_iterator old = *this; --at; return old; }
  cudalint_iterator &operator+=(ptrdiff_t n) { at += n; return *this; }
  cudalint_iterator &operator-=(ptrdiff_t n) { at -= n; return *this; }
  cudalint_iterator operator+(ptrdiff_t n) const { cudalint_iterator r = *this; r.at += n; return r; }
  cudalint_iterator operator-(ptrdiff_t n) const { cudalint_iterator r = *this; r.at -= n; return r; }
};
template <class T, class U, class G> ptrdiff_t operator-(const cudalint_iterator<T, G> &a, const cudalint_iterator<U, G> &b) { return a.at - b.at; }
template <class T, class U, class G> bool operator==(const cudalint_iterator<T, G> &a, const cudalint_iterator<U, G> &b) { return a.at == b.at; }
template <class T, class U, class G> bool operator!=(const cudalint_iterator<T, G> &a, const cudalint_iterator<U, G> &b) { return a.at != b.at; }
template <class T, class U, class G> bool operator<(const cudalint_iterator<T, G> &a, const cudalint_iterator<U, G> &b) { return a.at < b.at; }
template <class T, class U, class G> bool operator>(const cudalint_iterator<T, G> &a, const cudalint_iterator<U, G> &b) { return a.at > b.at; }
template <class T, class U, class G> bool operator<=(const cudalint_iterator<T, G> &a, const cudalint_iterator<U, G> &b) { return a.at <= b.at; }
template <class T, class U, class G> bool operator>=(const cudalint_iterator<T, G> &a, const cudalint_iterator<U, G> &b) { return a.at >= b.at; }
template <class T, class G> cudalint_iterator<T, G> operator+(ptrdiff_t n, const cudalint_iterator<T, G> &i) { return i + n; }
template <class T> using cudalint_random = cudalint_iterator<T, random_access_iterator_tag>;
}
#pragma clang force_cuda_host_device end
