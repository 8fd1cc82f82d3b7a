// A logger of the host; its macros are made by the build, under the project's name.
#pragma once
#pragma clang system_header
#include <initializer_list>
#include <memory>
#include <string>
namespace rapids_logger {
enum class level_enum { trace, debug, info, warn, error, critical, off, n_levels };
struct sink { virtual ~sink(); };
typedef std::shared_ptr<sink> sink_ptr;
struct basic_file_sink_mt : sink { basic_file_sink_mt(const std::string &, bool = false); };
struct stderr_sink_mt : sink { stderr_sink_mt(); };
struct ostream_sink_mt : sink { template <class... A> ostream_sink_mt(A &&...); };
struct callback_sink_mt : sink { template <class... A> callback_sink_mt(A &&...); };
struct null_sink_mt : sink { null_sink_mt(); };
class logger {
public:
  logger(const std::string &, const std::string & = "");
  logger(const std::string &, std::initializer_list<sink_ptr>);
  logger(const logger &);
  template <class... A> void log(level_enum, const std::string &, A &&...);
  template <class... A> void trace(const std::string &, A &&...);
  template <class... A> void debug(const std::string &, A &&...);
  template <class... A> void info(const std::string &, A &&...);
  template <class... A> void warn(const std::string &, A &&...);
  template <class... A> void error(const std::string &, A &&...);
  template <class... A> void critical(const std::string &, A &&...);
  level_enum level() const;
  void set_level(level_enum);
  void set_pattern(const std::string &);
  void flush();
  void flush_on(level_enum);
  bool should_log(level_enum) const;
  struct sinks_list { void push_back(sink_ptr); void pop_back(); void clear(); size_t size() const; };
  sinks_list &sinks();
};
struct log_level_setter { log_level_setter(logger &, level_enum); };
}
