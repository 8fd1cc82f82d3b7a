// Formatting of messages, which no kernel and no call of CUDA depends on.
#pragma once
#pragma clang system_header
#include <memory>
#include <string>
namespace fmt {
template <class... T> std::string format(const T &...);
template <class... T> std::string sprintf(const T &...);
template <class... T> std::string to_string(const T &...);
template <class... T> void print(const T &...);
template <class... T> void println(const T &...);
template <class T> const void *ptr(const T &);
template <class T> T join(const T &, std::string);
template <class T, class = char, class = void> struct formatter { template <class P> constexpr auto parse(P &c) { return c.begin(); } template <class V, class X> auto format(const V &, X &x) const { return x.out(); } };
template <class T> T runtime(const T &);
template <class T, class... A> T vformat(const T &, const A &...);
struct cudalint_argument {
  template <class T> cudalint_argument operator=(const T &) const;
};
namespace literals {
cudalint_argument operator""_a(const char *, size_t);
}
}
#define FMT_STRING(text) text
namespace spdlog {
namespace level { enum level_enum { trace, debug, info, warn, err, critical, off }; }
struct logger {
  template <class... T> void trace(const T &...);
  template <class... T> void debug(const T &...);
  template <class... T> void info(const T &...);
  template <class... T> void warn(const T &...);
  template <class... T> void error(const T &...);
  template <class... T> void critical(const T &...);
  template <class... T> void log(const T &...);
  bool should_log(level::level_enum) const;
  void set_level(level::level_enum);
  void set_pattern(const std::string &);
  void flush();
};
template <class... T> void trace(const T &...);
template <class... T> void debug(const T &...);
template <class... T> void info(const T &...);
template <class... T> void warn(const T &...);
template <class... T> void error(const T &...);
template <class... T> void critical(const T &...);
void set_level(level::level_enum);
void set_pattern(const std::string &);
std::shared_ptr<logger> get(const std::string &);
std::shared_ptr<logger> default_logger();
template <class... T> std::shared_ptr<logger> stdout_color_mt(const T &...);
template <class... T> std::shared_ptr<logger> stderr_color_mt(const T &...);
}
#define SPDLOG_TRACE(...) (void)0
#define SPDLOG_DEBUG(...) (void)0
#define SPDLOG_INFO(...) (void)0
#define SPDLOG_WARN(...) (void)0
#define SPDLOG_ERROR(...) (void)0
