#pragma once
#pragma clang system_header
#include "stddef.h"
extern "C" {
__host__ __device__ void *memcpy(void *, const void *, size_t);
__host__ __device__ void *memset(void *, int, size_t);
__host__ __device__ void *memmove(void *, const void *, size_t);
__host__ __device__ int memcmp(const void *, const void *, size_t);
void *mempcpy(void *, const void *, size_t);
void *memmem(const void *, size_t, const void *, size_t);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
int strcoll(const char *, const char *);
size_t strxfrm(char *, const char *, size_t);
int strcasecmp(const char *, const char *);
int strncasecmp(const char *, const char *, size_t);
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *);
char *strdup(const char *);
char *strndup(const char *, size_t);
char *strtok(char *, const char *);
char *strtok_r(char *, const char *, char **);
char *strsep(char **, const char *);
char *strerror(int);
char *strsignal(int);
char *stpcpy(char *, const char *);
void bzero(void *, size_t);
void bcopy(const void *, void *, size_t);
int bcmp(const void *, const void *, size_t);
int ffs(int);
char *index(const char *, int);
char *rindex(const char *, int);
char *basename(const char *);
size_t strlcpy(char *, const char *, size_t);
size_t strlcat(char *, const char *, size_t);
}
const void *memchr(const void *, int, size_t);
void *memchr(void *, int, size_t);
const char *strchr(const char *, int);
char *strchr(char *, int);
const char *strrchr(const char *, int);
char *strrchr(char *, int);
const char *strstr(const char *, const char *);
char *strstr(char *, const char *);
const char *strpbrk(const char *, const char *);
char *strpbrk(char *, const char *);
const char *strcasestr(const char *, const char *);
char *strcasestr(char *, const char *);
namespace std {
using ::memcpy; using ::memset; using ::memmove; using ::memcmp; using ::memchr; using ::strcpy; using ::strncpy;
using ::strcat; using ::strncat; using ::strcmp; using ::strncmp; using ::strcoll; using ::strxfrm; using ::strlen;
using ::strspn; using ::strcspn; using ::strtok; using ::strerror; using ::strchr; using ::strrchr; using ::strstr;
using ::strpbrk;
}
