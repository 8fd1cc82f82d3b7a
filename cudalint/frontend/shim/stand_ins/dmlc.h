// dmlc-core: checks and logs as glog's, streams, serializers, and what is kept by thread.
#pragma once
#pragma clang system_header
#include <cstdint>
#include <cstring>
#include <istream>
#include <map>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#include <omp.h>
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
typedef unsigned omp_uint;
typedef unsigned long omp_ulong;
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
struct DateLogger { const char *HumanDate(); };
struct LogMessageFatal { LogMessageFatal(const char *, int); std::ostream &stream(); };
struct OMPException {
  template <class F, class... A> void Run(F, A...);
  void Rethrow();
};
struct istream : std::istream { explicit istream(Stream *, size_t = 0); };
struct ostream : std::ostream { explicit ostream(Stream *, size_t = 0); };
template <class T> struct DataIter {
  virtual ~DataIter();
  virtual void BeforeFirst() = 0;
  virtual bool Next() = 0;
  virtual const T &Value() const = 0;
};
template <class I, class D = real_t> struct RowBlock {
  size_t size;
  const size_t *offset;
  const real_t *label, *weight;
  const uint64_t *qid;
  const I *field, *index;
  const D *value;
};
template <class I, class D = real_t> struct Parser : DataIter<RowBlock<I, D>> {
  static Parser *Create(const char *, unsigned, unsigned, const char *);
};
// A parameter's fields: how they are set is not seen.
struct cudalint_entry {
  template <class... T> cudalint_entry &set_default(const T &...);
  template <class... T> cudalint_entry &set_range(const T &...);
  template <class... T> cudalint_entry &set_lower_bound(const T &...);
  template <class... T> cudalint_entry &set_upper_bound(const T &...);
  template <class... T> cudalint_entry &add_enum(const T &...);
  template <class... T> cudalint_entry &describe(const T &...);
};
struct ParamFieldInfo { std::string name, type, type_info_str, description; };
struct ParamError : Error { using Error::Error; };
template <class P> struct Parameter {
  template <class... A> void Init(const A &...);
  template <class... A> std::vector<std::pair<std::string, std::string>> InitAllowUnknown(const A &...);
  template <class... A> std::vector<std::pair<std::string, std::string>> UpdateAllowUnknown(const A &...);
  std::map<std::string, std::string> __DICT__() const;
  static std::vector<ParamFieldInfo> __FIELDS__();
  void Save(JSONWriter *) const;
  void Load(JSONReader *);
};
template <class E, class F> struct FunctionRegEntryBase {
  std::string name, description;
  std::vector<ParamFieldInfo> arguments;
  F body;
  E &describe(const std::string &);
  E &set_body(F);
  E &add_argument(const std::string &, const std::string &, const std::string &);
  E &add_arguments(const std::vector<ParamFieldInfo> &);
};
template <class E> struct Registry {
  static const std::vector<const E *> &List();
  static const E *Find(const std::string &);
  static Registry *Get();
  E &__REGISTER__(const std::string &);
  E &__REGISTER_OR_GET__(const std::string &);
};
}
#define DMLC_DECLARE_PARAMETER(type) template <class cudalint_manager> inline void __DECLARE__(cudalint_manager *)
#define DMLC_DECLARE_FIELD(field) dmlc::cudalint_entry()
#define DMLC_DECLARE_ALIAS(field, alias) (void)0
#define DMLC_REGISTER_PARAMETER(type) static_assert(true, "")
#define DMLC_REGISTRY_ENABLE(type) static_assert(true, "")
#define DMLC_REGISTRY_FILE_TAG(tag) static_assert(true, "")
#define DMLC_REGISTRY_LINK_TAG(tag) static_assert(true, "")
#define DMLC_REGISTRY_REGISTER(type, name, key) static __attribute__((unused)) type &__make_##name##_##key##__ = ::dmlc::Registry<type>::Get()->__REGISTER__(#key)
