// Functions that the device has too are host and device; the rest stay host only, as their redeclarations in user
// code are.
#pragma once
#pragma clang system_header
#include "stddef.h"
#include "sys/types.h"
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
extern "C" {
__host__ __device__ void *malloc(size_t);
__host__ __device__ void free(void *);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void *aligned_alloc(size_t, size_t);
int posix_memalign(void **, size_t, size_t);
void *memalign(size_t, size_t);
void *valloc(size_t);
__host__ __device__ __attribute__((noreturn)) void abort(void);
__attribute__((noreturn)) void exit(int);
__attribute__((noreturn)) void _exit(int);
__attribute__((noreturn)) void _Exit(int);
__attribute__((noreturn)) void quick_exit(int);
int atexit(void (*)(void));
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
double atof(const char *);
double strtod(const char *, char **);
float strtof(const char *, char **);
long double strtold(const char *, char **);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
long long strtoll(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
int rand(void);
int rand_r(unsigned int *);
void srand(unsigned int);
long random(void);
void srandom(unsigned int);
char *initstate(unsigned int, char *, size_t);
double drand48(void);
double erand48(unsigned short[3]);
long lrand48(void);
long nrand48(unsigned short[3]);
long mrand48(void);
long jrand48(unsigned short[3]);
void srand48(long);
unsigned short *seed48(unsigned short[3]);
char *getenv(const char *);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
int putenv(char *);
int system(const char *);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
__host__ __device__ int abs(int) noexcept;
__host__ __device__ long labs(long) noexcept;
__host__ __device__ long long llabs(long long) noexcept;
div_t div(int, int);
ldiv_t ldiv(long, long);
lldiv_t lldiv(long long, long long);
int mkstemp(char *);
char *mkdtemp(char *);
char *realpath(const char *, char *);
int mblen(const char *, size_t);
size_t mbstowcs(wchar_t *, const char *, size_t);
size_t wcstombs(char *, const wchar_t *, size_t);
int getloadavg(double[], int);
}
namespace std {
using ::malloc; using ::free; using ::calloc; using ::realloc; using ::aligned_alloc; using ::abort; using ::exit;
using ::_Exit; using ::quick_exit; using ::atexit; using ::atoi; using ::atol; using ::atoll; using ::atof; using ::strtod;
using ::strtof; using ::strtold; using ::strtol; using ::strtoul; using ::strtoll; using ::strtoull; using ::rand;
using ::srand; using ::getenv; using ::system; using ::qsort; using ::bsearch; using ::labs; using ::llabs;
using ::div; using ::ldiv; using ::lldiv; using ::div_t; using ::ldiv_t; using ::lldiv_t; using ::mbstowcs;
using ::wcstombs;
}
