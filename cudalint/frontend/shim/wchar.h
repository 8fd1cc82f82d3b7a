#pragma once
#pragma clang system_header
#include "stddef.h"
#include "stdarg.h"
typedef unsigned int wint_t;
typedef struct { int count; unsigned value; } mbstate_t;
#define WEOF (0xffffffffu)
struct cudalint_file;
extern "C" {
size_t wcslen(const wchar_t *); wchar_t *wcscpy(wchar_t *, const wchar_t *); wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t);
wchar_t *wcscat(wchar_t *, const wchar_t *); int wcscmp(const wchar_t *, const wchar_t *); int wprintf(const wchar_t *, ...);
int swprintf(wchar_t *, size_t, const wchar_t *, ...); int fwprintf(cudalint_file *, const wchar_t *, ...);
wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t); wchar_t *wmemset(wchar_t *, wchar_t, size_t);
size_t mbrtowc(wchar_t *, const char *, size_t, mbstate_t *); size_t wcrtomb(char *, wchar_t, mbstate_t *); wint_t btowc(int);
long wcstol(const wchar_t *, wchar_t **, int); double wcstod(const wchar_t *, wchar_t **);
}
namespace std { using ::wint_t; using ::mbstate_t; using ::wcslen; using ::wmemcpy; using ::wprintf; using ::mbrtowc; using ::wcrtomb; }
