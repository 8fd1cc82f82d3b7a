#pragma once
#pragma clang system_header
#include "std_string.h"
#pragma clang force_cuda_host_device begin
namespace std {
using streamsize = long;
using streamoff = long;
using streampos = long;
class locale { public: locale(); explicit locale(const char *); explicit locale(const string &); template <class F> locale(const locale &, F *); static const locale &classic(); string name() const; static locale global(const locale &); };
class ios_base {
public:
  using fmtflags = int;
  using iostate = int;
  using openmode = int;
  using seekdir = int;
  static constexpr fmtflags boolalpha = 1, dec = 2, fixed = 4, hex = 8, internal = 16, left = 32, oct = 64, right = 128, scientific = 256, showbase = 512, showpoint = 1024, showpos = 2048, skipws = 4096, unitbuf = 8192, uppercase = 16384, adjustfield = 176, basefield = 74, floatfield = 260;
  static constexpr iostate goodbit = 0, badbit = 1, eofbit = 2, failbit = 4;
  static constexpr openmode app = 1, ate = 2, binary = 4, in = 8, out = 16, trunc = 32;
  static constexpr seekdir beg = 0, cur = 1, end = 2;
  class failure : public runtime_error { public: using runtime_error::runtime_error; };
  struct Init { Init(); ~Init(); };
  virtual ~ios_base();
  fmtflags flags() const;
  fmtflags flags(fmtflags);
  fmtflags setf(fmtflags);
  fmtflags setf(fmtflags, fmtflags);
  void unsetf(fmtflags);
  streamsize precision() const;
  streamsize precision(streamsize);
  streamsize width() const;
  streamsize width(streamsize);
  locale imbue(const locale &);
  locale getloc() const;
  static bool sync_with_stdio(bool = true);
};
template <class C, class T = char_traits<C>> class basic_ostream;
template <class C, class T = char_traits<C>> class basic_streambuf {
public:
  using char_type = C;
  using traits_type = T;
  using int_type = int;
  virtual ~basic_streambuf();
  int sgetc(); int sbumpc(); int snextc(); int sputc(C); streamsize sgetn(C *, streamsize); streamsize sputn(const C *, streamsize); streamsize in_avail(); int pubsync();
  streampos pubseekoff(streamoff, int, int = 0); streampos pubseekpos(streampos, int = 0); basic_streambuf *pubsetbuf(C *, streamsize);
protected:
  basic_streambuf();
  virtual int overflow(int = -1); virtual int underflow(); virtual int uflow(); virtual int sync(); virtual streamsize xsputn(const C *, streamsize); virtual streamsize xsgetn(C *, streamsize);
  void setg(C *, C *, C *); void setp(C *, C *); C *eback() const; C *gptr() const; C *egptr() const; C *pbase() const; C *pptr() const; C *epptr() const; void gbump(int); void pbump(int);
};
template <class C, class T = char_traits<C>> class basic_ios : public ios_base {
public:
  using char_type = C;
  using traits_type = T;
  explicit operator bool() const;
  bool operator!() const;
  bool good() const;
  bool eof() const;
  bool fail() const;
  bool bad() const;
  iostate rdstate() const;
  void clear(iostate = goodbit);
  void setstate(iostate);
  iostate exceptions() const;
  void exceptions(iostate);
  C fill() const;
  C fill(C);
  basic_streambuf<C, T> *rdbuf() const;
  basic_streambuf<C, T> *rdbuf(basic_streambuf<C, T> *);
  basic_ostream<C, T> *tie() const;
  basic_ostream<C, T> *tie(basic_ostream<C, T> *);
  basic_ios &copyfmt(const basic_ios &);
};
template <class C, class T> class basic_ostream : virtual public basic_ios<C, T> {
public:
  explicit basic_ostream(basic_streambuf<C, T> *);
  basic_ostream &operator<<(bool);
  basic_ostream &operator<<(short);
  basic_ostream &operator<<(unsigned short);
  basic_ostream &operator<<(int);
  basic_ostream &operator<<(unsigned int);
  basic_ostream &operator<<(long);
  basic_ostream &operator<<(unsigned long);
  basic_ostream &operator<<(long long);
  basic_ostream &operator<<(unsigned long long);
  basic_ostream &operator<<(float);
  basic_ostream &operator<<(double);
  __attribute__((host)) basic_ostream &operator<<(long double);
  basic_ostream &operator<<(const void *);
  basic_ostream &operator<<(nullptr_t);
  basic_ostream &operator<<(basic_streambuf<C, T> *);
  basic_ostream &operator<<(basic_ostream &(*)(basic_ostream &));
  basic_ostream &operator<<(ios_base &(*)(ios_base &));
  basic_ostream &operator<<(basic_ios<C, T> &(*)(basic_ios<C, T> &));
  basic_ostream &put(C);
  basic_ostream &write(const C *, streamsize);
  basic_ostream &flush();
  streampos tellp();
  basic_ostream &seekp(streampos);
  basic_ostream &seekp(streamoff, int);
protected:
  basic_ostream();
};
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &, char);
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &, signed char);
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &, unsigned char);
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &, const char *);
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &, const signed char *);
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &, const unsigned char *);
template <class T> basic_ostream<wchar_t, T> &operator<<(basic_ostream<wchar_t, T> &, const wchar_t *);
template <class C, class T, class A> basic_ostream<C, T> &operator<<(basic_ostream<C, T> &, const basic_string<C, T, A> &);
template <class C, class T> basic_ostream<C, T> &operator<<(basic_ostream<C, T> &, basic_string_view<C, T>);
template <class S, class X, enable_if_t<is_base_of_v<ios_base, S>, int> = 0> S &&operator<<(S &&, const X &);
template <class C, class T> basic_ostream<C, T> &endl(basic_ostream<C, T> &);
template <class C, class T> basic_ostream<C, T> &ends(basic_ostream<C, T> &);
template <class C, class T> basic_ostream<C, T> &flush(basic_ostream<C, T> &);
template <class C, class T = char_traits<C>> class basic_istream : virtual public basic_ios<C, T> {
public:
  explicit basic_istream(basic_streambuf<C, T> *);
  basic_istream &operator>>(bool &);
  basic_istream &operator>>(short &);
  basic_istream &operator>>(unsigned short &);
  basic_istream &operator>>(int &);
  basic_istream &operator>>(unsigned int &);
  basic_istream &operator>>(long &);
  basic_istream &operator>>(unsigned long &);
  basic_istream &operator>>(long long &);
  basic_istream &operator>>(unsigned long long &);
  basic_istream &operator>>(float &);
  basic_istream &operator>>(double &);
  __attribute__((host)) basic_istream &operator>>(long double &);
  basic_istream &operator>>(void *&);
  basic_istream &operator>>(basic_streambuf<C, T> *);
  basic_istream &operator>>(ios_base &(*)(ios_base &));
  basic_istream &operator>>(basic_istream &(*)(basic_istream &));
  streamsize gcount() const;
  int get();
  basic_istream &get(C &);
  basic_istream &get(C *, streamsize);
  basic_istream &get(C *, streamsize, C);
  basic_istream &getline(C *, streamsize);
  basic_istream &getline(C *, streamsize, C);
  basic_istream &ignore(streamsize = 1, int = -1);
  int peek();
  basic_istream &read(C *, streamsize);
  streamsize readsome(C *, streamsize);
  basic_istream &putback(C);
  basic_istream &unget();
  int sync();
  streampos tellg();
  basic_istream &seekg(streampos);
  basic_istream &seekg(streamoff, int);
protected:
  basic_istream();
};
template <class T> basic_istream<char, T> &operator>>(basic_istream<char, T> &, char &);
template <class T> basic_istream<char, T> &operator>>(basic_istream<char, T> &, unsigned char &);
template <class T> basic_istream<char, T> &operator>>(basic_istream<char, T> &, signed char &);
template <class T> basic_istream<char, T> &operator>>(basic_istream<char, T> &, char *);
template <class C, class T, class A> basic_istream<C, T> &operator>>(basic_istream<C, T> &, basic_string<C, T, A> &);
template <class S, class X, enable_if_t<is_base_of_v<ios_base, S>, int> = 0> S &&operator>>(S &&, X &&);
template <class C, class T> basic_istream<C, T> &ws(basic_istream<C, T> &);
template <class C, class T, class A> basic_istream<C, T> &getline(basic_istream<C, T> &, basic_string<C, T, A> &);
template <class C, class T, class A> basic_istream<C, T> &getline(basic_istream<C, T> &, basic_string<C, T, A> &, type_identity_t<C>);
template <class C, class T, class A> basic_istream<C, T> &getline(basic_istream<C, T> &&, basic_string<C, T, A> &);
template <class C, class T, class A> basic_istream<C, T> &getline(basic_istream<C, T> &&, basic_string<C, T, A> &, type_identity_t<C>);
template <class C, class T = char_traits<C>> class basic_iostream : public basic_istream<C, T>, public basic_ostream<C, T> {
public:
  explicit basic_iostream(basic_streambuf<C, T> *);
protected:
  basic_iostream();
};
#define CUDALINT_BASE(n) ios_base &n(ios_base &);
CUDALINT_BASE(boolalpha) CUDALINT_BASE(noboolalpha) CUDALINT_BASE(dec) CUDALINT_BASE(hex) CUDALINT_BASE(oct) CUDALINT_BASE(fixed) CUDALINT_BASE(scientific) CUDALINT_BASE(defaultfloat)
CUDALINT_BASE(left) CUDALINT_BASE(right) CUDALINT_BASE(internal) CUDALINT_BASE(showbase) CUDALINT_BASE(noshowbase) CUDALINT_BASE(showpoint) CUDALINT_BASE(noshowpoint) CUDALINT_BASE(showpos) CUDALINT_BASE(noshowpos)
CUDALINT_BASE(skipws) CUDALINT_BASE(noskipws) CUDALINT_BASE(uppercase) CUDALINT_BASE(nouppercase) CUDALINT_BASE(unitbuf) CUDALINT_BASE(nounitbuf) CUDALINT_BASE(hexfloat)
#undef CUDALINT_BASE
using ios = basic_ios<char>;
using wios = basic_ios<wchar_t>;
using streambuf = basic_streambuf<char>;
using ostream = basic_ostream<char>;
using wostream = basic_ostream<wchar_t>;
using istream = basic_istream<char>;
using iostream = basic_iostream<char>;
struct cudalint_manipulator {};
template <class C, class T> basic_ostream<C, T> &operator<<(basic_ostream<C, T> &, cudalint_manipulator);
template <class C, class T> basic_istream<C, T> &operator>>(basic_istream<C, T> &, cudalint_manipulator);
template <class X, class C = char, class T = char_traits<C>> class ostream_iterator : public cudalint_output_iterator {
public:
  ostream_iterator(basic_ostream<C, T> &);
  ostream_iterator(basic_ostream<C, T> &, const C *);
  ostream_iterator &operator=(const X &);
  ostream_iterator &operator*();
  ostream_iterator &operator++();
  ostream_iterator operator++(int);
};
template <class X, class C = char, class T = char_traits<C>> class istream_iterator {
public:
  using iterator_category = input_iterator_tag;
  using value_type = X;
  using difference_type = ptrdiff_t;
  using pointer = const X *;
  using reference = const X &;
  istream_iterator();
  istream_iterator(basic_istream<C, T> &);
  const X &operator*() const;
  istream_iterator &operator++();
  istream_iterator operator++(int);
  bool operator==(const istream_iterator &) const;
  bool operator!=(const istream_iterator &) const;
};
template <class C, class T = char_traits<C>> class istreambuf_iterator {
public:
  using iterator_category = input_iterator_tag;
  using value_type = C;
  using difference_type = ptrdiff_t;
  using pointer = C *;
  using reference = C;
  istreambuf_iterator();
  istreambuf_iterator(basic_istream<C, T> &);
  istreambuf_iterator(basic_streambuf<C, T> *);
  C operator*() const;
  istreambuf_iterator &operator++();
  istreambuf_iterator operator++(int);
  bool operator==(const istreambuf_iterator &) const;
  bool operator!=(const istreambuf_iterator &) const;
};
}
#pragma clang force_cuda_host_device end
