#pragma once
#pragma clang system_header
typedef struct { unsigned short words[16]; } fenv_t;
typedef unsigned short fexcept_t;
#define FE_INVALID 1
#define FE_DIVBYZERO 4
#define FE_OVERFLOW 8
#define FE_UNDERFLOW 16
#define FE_INEXACT 32
#define FE_ALL_EXCEPT 61
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
extern "C" { int feclearexcept(int); int feraiseexcept(int); int fetestexcept(int); int fegetround(void); int fesetround(int);
int fegetenv(fenv_t *); int fesetenv(const fenv_t *); int feenableexcept(int); int fedisableexcept(int); }
namespace std { using ::fegetround; using ::fesetround; using ::feclearexcept; using ::fetestexcept; }
