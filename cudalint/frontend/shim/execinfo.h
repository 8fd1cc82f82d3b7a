#pragma once
#pragma clang system_header
extern "C" { int backtrace(void **, int); char **backtrace_symbols(void *const *, int); void backtrace_symbols_fd(void *const *, int, int); }
