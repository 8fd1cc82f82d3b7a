#pragma once
#pragma clang system_header
#include "stddef.h"
#include "stdarg.h"
#include "sys/types.h"
struct cudalint_file;
typedef struct cudalint_file FILE;
typedef struct { long position; } fpos_t;
extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
extern "C" {
__host__ __device__ int printf(const char *, ...);
__host__ __device__ int vprintf(const char *, va_list);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int dprintf(int, const char *, ...);
int asprintf(char **, const char *, ...);
int vasprintf(char **, const char *, va_list);
int vfprintf(FILE *, const char *, va_list);
int vsprintf(char *, const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list);
int scanf(const char *, ...);
int fscanf(FILE *, const char *, ...);
int sscanf(const char *, const char *, ...);
int vsscanf(const char *, const char *, va_list);
int vfscanf(FILE *, const char *, va_list);
FILE *fopen(const char *, const char *);
FILE *fopen64(const char *, const char *);
FILE *freopen(const char *, const char *, FILE *);
FILE *fdopen(int, const char *);
FILE *popen(const char *, const char *);
FILE *tmpfile(void);
FILE *fmemopen(void *, size_t, const char *);
char *tmpnam(char *);
int pclose(FILE *);
int fclose(FILE *);
int fflush(FILE *);
int fileno(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
int fseek(FILE *, long, int);
int fseeko(FILE *, off_t, int);
long ftell(FILE *);
off_t ftello(FILE *);
void rewind(FILE *);
int fgetpos(FILE *, fpos_t *);
int fsetpos(FILE *, const fpos_t *);
int feof(FILE *);
int ferror(FILE *);
void clearerr(FILE *);
void perror(const char *);
int getc(FILE *);
int getchar(void);
int fgetc(FILE *);
char *fgets(char *, int, FILE *);
char *gets(char *);
int putc(int, FILE *);
int putchar(int);
int fputc(int, FILE *);
int fputs(const char *, FILE *);
int puts(const char *);
int ungetc(int, FILE *);
int remove(const char *);
int rename(const char *, const char *);
void setbuf(FILE *, char *);
int setvbuf(FILE *, char *, int, size_t);
void setlinebuf(FILE *);
ssize_t getline(char **, size_t *, FILE *);
ssize_t getdelim(char **, size_t *, int, FILE *);
}
namespace std {
using ::FILE; using ::fpos_t; using ::printf; using ::vprintf; using ::fprintf; using ::sprintf; using ::snprintf;
using ::vfprintf; using ::vsprintf; using ::vsnprintf; using ::scanf; using ::fscanf; using ::sscanf; using ::vsscanf;
using ::fopen; using ::freopen; using ::tmpfile; using ::tmpnam; using ::fclose; using ::fflush; using ::fread;
using ::fwrite; using ::fseek; using ::ftell; using ::rewind; using ::fgetpos; using ::fsetpos; using ::feof;
using ::ferror; using ::clearerr; using ::perror; using ::getc; using ::getchar; using ::fgetc; using ::fgets;
using ::putc; using ::putchar; using ::fputc; using ::fputs; using ::puts; using ::ungetc; using ::remove;
using ::rename; using ::setbuf; using ::setvbuf;
}
