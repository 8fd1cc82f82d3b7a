#pragma once
#pragma clang system_header
#include "sys/types.h"
struct cudalint_dir;
typedef struct cudalint_dir DIR;
struct dirent { ino_t d_ino; off_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
#define DT_DIR 4
#define DT_REG 8
extern "C" { DIR *opendir(const char *); struct dirent *readdir(DIR *); int closedir(DIR *); void rewinddir(DIR *); int scandir(const char *, struct dirent ***, int (*)(const struct dirent *), int (*)(const struct dirent **, const struct dirent **)); int alphasort(const struct dirent **, const struct dirent **); }
