// dmlc-core: checks and logs as glog's, streams, serializers, and what is kept by thread.
#pragma once
#pragma clang system_header
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#include "glog.h"
#define DMLC_USE_CXX11 1
#define DMLC_LITTLE_ENDIAN 1
#define DMLC_IO_NO_ENDIAN_SWAP 1
#define DMLC_THROW_EXCEPTION noexcept(false)
#define DMLC_NO_EXCEPTION noexcept
#define DMLC_ATTRIBUTE_UNUSED __attribute__((unused))
#define DMLC_DECLARE_TRAITS(trait, type, of) template <> struct trait<type> { static constexpr bool value = of; }
namespace dmlc {
typedef uint64_t index_type;
typedef float real_t;
struct Error : std::runtime_error { explicit Error(const std::string &); };
template <class T> struct is_pod : std::bool_constant<std::is_pod<T>::value> {};
template <class T> struct is_integral : std::is_integral<T> {};
template <class T> struct is_floating_point : std::is_floating_point<T> {};
template <class T> struct is_arithmetic : std::is_arithmetic<T> {};
template <class T> struct has_saveload { static constexpr bool value = false; };
template <bool which, class A, class B> struct IfThenElseType : std::conditional<which, A, B> {};
class Stream {
public:
  virtual ~Stream();
  static Stream *Create(const char *, const char *, bool = false);
  virtual size_t Read(void *, size_t) = 0;
  virtual size_t Write(const void *, size_t) = 0;
  template <class T> void Write(const T &);
  template <class T> bool Read(T *);
  template <class T> void WriteArray(const T *, size_t);
  template <class T> bool ReadArray(T *, size_t);
};
class SeekStream : public Stream {
public:
  virtual void Seek(size_t) = 0;
  virtual size_t Tell() = 0;
};
struct MemoryFixedSizeStream : SeekStream {
  MemoryFixedSizeStream(void *, size_t);
  using Stream::Read;
  using Stream::Write;
  size_t Read(void *, size_t) override;
  size_t Write(const void *, size_t) override;
  void Seek(size_t) override;
  size_t Tell() override;
};
struct MemoryStringStream : SeekStream {
  explicit MemoryStringStream(std::string *);
  using Stream::Read;
  using Stream::Write;
  size_t Read(void *, size_t) override;
  size_t Write(const void *, size_t) override;
  void Seek(size_t) override;
  size_t Tell() override;
};
class Serializable {
public:
  virtual ~Serializable();
  virtual void Load(Stream *) = 0;
  virtual void Save(Stream *) const = 0;
};
namespace serializer {
template <class T> struct Handler {
  static void Write(Stream *, const T &);
  static bool Read(Stream *, T *);
};
}
template <class T> struct ThreadLocalStore { static T *Get(); };
template <class T> T *BeginPtr(std::vector<T> &);
template <class T> const T *BeginPtr(const std::vector<T> &);
char *BeginPtr(std::string &);
const char *BeginPtr(const std::string &);
inline void ByteSwap(void *, size_t, size_t) {}
struct JSONReader;
struct JSONWriter;
}
