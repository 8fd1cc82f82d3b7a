#pragma once
#pragma clang system_header
extern "C" { void err(int, const char *, ...); void errx(int, const char *, ...); void warn(const char *, ...); void warnx(const char *, ...); }
