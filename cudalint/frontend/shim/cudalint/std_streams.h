#pragma once
#pragma clang system_header
#include "std_string.h"
#include "../algorithm"
#include "../limits"
#include "../pthread.h"
#pragma clang force_cuda_host_device begin
namespace std {
using streamsize = long;
using streamoff = long;
using streampos = long;
class locale { public: locale(); explicit locale(const char *); explicit locale(const string &); template <class __F> locale(const locale &, __F *); static const locale &classic(); string name() const; static locale global(const locale &); bool operator==(const locale &) const; bool operator!=(const locale &) const; };
#define __X1(n) template <class __C> bool n(__C, const locale &);
__X1(isalnum) __X1(isalpha) __X1(isblank) __X1(iscntrl) __X1(isdigit) __X1(isgraph) __X1(islower) __X1(isprint) __X1(ispunct) __X1(isspace) __X1(isupper) __X1(isxdigit)
#undef __X1
template <class __C> __C tolower(__C, const locale &);
template <class __C> __C toupper(__C, const locale &);
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
  static int xalloc();
  long &iword(int);
  void *&pword(int);
  enum event { erase_event, imbue_event, copyfmt_event };
  using event_callback = void (*)(event, ios_base &, int);
  void register_callback(event_callback, int);
  static bool sync_with_stdio(bool = true);
};
template <class __C, class __T = char_traits<__C>> class basic_ostream;
template <class __C, class __T = char_traits<__C>> class basic_streambuf {
public:
  using char_type = __C;
  using traits_type = __T;
  using int_type = int;
  virtual ~basic_streambuf();
  int sgetc(); int sbumpc(); int snextc(); int sputc(__C); streamsize sgetn(__C *, streamsize); streamsize sputn(const __C *, streamsize); streamsize in_avail(); int pubsync();
  streampos pubseekoff(streamoff, int, int = 0); streampos pubseekpos(streampos, int = 0); basic_streambuf *pubsetbuf(__C *, streamsize);
protected:
  basic_streambuf();
  virtual int overflow(int = -1); virtual int underflow(); virtual int uflow(); virtual int sync(); virtual streamsize xsputn(const __C *, streamsize); virtual streamsize xsgetn(__C *, streamsize);
  void setg(__C *, __C *, __C *); void setp(__C *, __C *); __C *eback() const; __C *gptr() const; __C *egptr() const; __C *pbase() const; __C *pptr() const; __C *epptr() const; void gbump(int); void pbump(int);
};
template <class __C, class __T = char_traits<__C>> class basic_ios : public ios_base {
public:
  using char_type = __C;
  using traits_type = __T;
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
  __C fill() const;
  __C fill(__C);
  basic_streambuf<__C, __T> *rdbuf() const;
  basic_streambuf<__C, __T> *rdbuf(basic_streambuf<__C, __T> *);
  basic_ostream<__C, __T> *tie() const;
  basic_ostream<__C, __T> *tie(basic_ostream<__C, __T> *);
  basic_ios &copyfmt(const basic_ios &);
};
template <class __C, class __T> class basic_ostream : virtual public basic_ios<__C, __T> {
public:
  explicit basic_ostream(basic_streambuf<__C, __T> *);
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
  basic_ostream &operator<<(basic_streambuf<__C, __T> *);
  basic_ostream &operator<<(basic_ostream &(*)(basic_ostream &));
  basic_ostream &operator<<(ios_base &(*)(ios_base &));
  basic_ostream &operator<<(basic_ios<__C, __T> &(*)(basic_ios<__C, __T> &));
  basic_ostream &put(__C);
  basic_ostream &write(const __C *, streamsize);
  basic_ostream &flush();
  streampos tellp();
  basic_ostream &seekp(streampos);
  basic_ostream &seekp(streamoff, int);
protected:
  basic_ostream();
};
template <class __T> basic_ostream<char, __T> &operator<<(basic_ostream<char, __T> &, char);
template <class __T> basic_ostream<char, __T> &operator<<(basic_ostream<char, __T> &, signed char);
template <class __T> basic_ostream<char, __T> &operator<<(basic_ostream<char, __T> &, unsigned char);
template <class __T> basic_ostream<char, __T> &operator<<(basic_ostream<char, __T> &, const char *);
template <class __T> basic_ostream<char, __T> &operator<<(basic_ostream<char, __T> &, const signed char *);
template <class __T> basic_ostream<char, __T> &operator<<(basic_ostream<char, __T> &, const unsigned char *);
template <class __T> basic_ostream<wchar_t, __T> &operator<<(basic_ostream<wchar_t, __T> &, const wchar_t *);
template <class __C, class __T, class __A> basic_ostream<__C, __T> &operator<<(basic_ostream<__C, __T> &, const basic_string<__C, __T, __A> &);
template <class __C, class __T> basic_ostream<__C, __T> &operator<<(basic_ostream<__C, __T> &, basic_string_view<__C, __T>);
template <class __S, class __X, enable_if_t<is_base_of_v<ios_base, __S>, int> = 0> __S &&operator<<(__S &&, const __X &);
template <class __C, class __T> basic_ostream<__C, __T> &endl(basic_ostream<__C, __T> &);
template <class __C, class __T> basic_ostream<__C, __T> &ends(basic_ostream<__C, __T> &);
template <class __C, class __T> basic_ostream<__C, __T> &flush(basic_ostream<__C, __T> &);
template <class __C, class __T = char_traits<__C>> class basic_istream : virtual public basic_ios<__C, __T> {
public:
  explicit basic_istream(basic_streambuf<__C, __T> *);
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
  basic_istream &operator>>(basic_streambuf<__C, __T> *);
  basic_istream &operator>>(ios_base &(*)(ios_base &));
  basic_istream &operator>>(basic_istream &(*)(basic_istream &));
  streamsize gcount() const;
  int get();
  basic_istream &get(__C &);
  basic_istream &get(__C *, streamsize);
  basic_istream &get(__C *, streamsize, __C);
  basic_istream &getline(__C *, streamsize);
  basic_istream &getline(__C *, streamsize, __C);
  basic_istream &ignore(streamsize = 1, int = -1);
  int peek();
  basic_istream &read(__C *, streamsize);
  streamsize readsome(__C *, streamsize);
  basic_istream &putback(__C);
  basic_istream &unget();
  int sync();
  streampos tellg();
  basic_istream &seekg(streampos);
  basic_istream &seekg(streamoff, int);
protected:
  basic_istream();
};
template <class __T> basic_istream<char, __T> &operator>>(basic_istream<char, __T> &, char &);
template <class __T> basic_istream<char, __T> &operator>>(basic_istream<char, __T> &, unsigned char &);
template <class __T> basic_istream<char, __T> &operator>>(basic_istream<char, __T> &, signed char &);
template <class __T> basic_istream<char, __T> &operator>>(basic_istream<char, __T> &, char *);
template <class __C, class __T, class __A> basic_istream<__C, __T> &operator>>(basic_istream<__C, __T> &, basic_string<__C, __T, __A> &);
template <class __S, class __X, enable_if_t<is_base_of_v<ios_base, __S>, int> = 0> __S &&operator>>(__S &&, __X &&);
template <class __C, class __T> basic_istream<__C, __T> &ws(basic_istream<__C, __T> &);
template <class __C, class __T, class __A> basic_istream<__C, __T> &getline(basic_istream<__C, __T> &, basic_string<__C, __T, __A> &);
template <class __C, class __T, class __A> basic_istream<__C, __T> &getline(basic_istream<__C, __T> &, basic_string<__C, __T, __A> &, type_identity_t<__C>);
template <class __C, class __T, class __A> basic_istream<__C, __T> &getline(basic_istream<__C, __T> &&, basic_string<__C, __T, __A> &);
template <class __C, class __T, class __A> basic_istream<__C, __T> &getline(basic_istream<__C, __T> &&, basic_string<__C, __T, __A> &, type_identity_t<__C>);
template <class __C, class __T = char_traits<__C>> class basic_iostream : public basic_istream<__C, __T>, public basic_ostream<__C, __T> {
public:
  explicit basic_iostream(basic_streambuf<__C, __T> *);
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
template <class __C, class __T> basic_ostream<__C, __T> &operator<<(basic_ostream<__C, __T> &, cudalint_manipulator);
template <class __C, class __T> basic_istream<__C, __T> &operator>>(basic_istream<__C, __T> &, cudalint_manipulator);
template <class __X, class __C = char, class __T = char_traits<__C>> class ostream_iterator : public cudalint_output_iterator {
public:
  ostream_iterator(basic_ostream<__C, __T> &);
  ostream_iterator(basic_ostream<__C, __T> &, const __C *);
  ostream_iterator &operator=(const __X &);
  ostream_iterator &operator*();
  ostream_iterator &operator++();
  ostream_iterator operator++(int);
};
template <class __X, class __C = char, class __T = char_traits<__C>> class istream_iterator {
public:
  using iterator_category = input_iterator_tag;
  using value_type = __X;
  using difference_type = ptrdiff_t;
  using pointer = const __X *;
  using reference = const __X &;
  istream_iterator();
  istream_iterator(basic_istream<__C, __T> &);
  const __X &operator*() const;
  istream_iterator &operator++();
  istream_iterator operator++(int);
  bool operator==(const istream_iterator &) const;
  bool operator!=(const istream_iterator &) const;
};
template <class __C, class __T = char_traits<__C>> class istreambuf_iterator {
public:
  using iterator_category = input_iterator_tag;
  using value_type = __C;
  using difference_type = ptrdiff_t;
  using pointer = __C *;
  using reference = __C;
  istreambuf_iterator();
  istreambuf_iterator(basic_istream<__C, __T> &);
  istreambuf_iterator(basic_streambuf<__C, __T> *);
  __C operator*() const;
  istreambuf_iterator &operator++();
  istreambuf_iterator operator++(int);
  bool operator==(const istreambuf_iterator &) const;
  bool operator!=(const istreambuf_iterator &) const;
};
}
#pragma clang force_cuda_host_device end
