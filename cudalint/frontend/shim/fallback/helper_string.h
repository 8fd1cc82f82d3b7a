// Command lines as the CUDA samples read them.
#pragma once
#pragma clang system_header
#include "../cudalint_prelude.h"
#include "../string"
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, size, from) strcpy(to, from)
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#define SPRINTF sprintf
#define FSCANF fscanf
bool checkCmdLineFlag(int argc, const char **argv, const char *name);
int getCmdLineArgumentInt(int argc, const char **argv, const char *name);
float getCmdLineArgumentFloat(int argc, const char **argv, const char *name);
bool getCmdLineArgumentString(int argc, const char **argv, const char *name, char **value);
template <class __T> bool getCmdLineArgumentValue(int argc, const char **argv, const char *name, __T *value);
int stringRemoveDelimiter(char delimiter, const char *string);
int getFileExtension(char *name, char **extension);
char *sdkFindFilePath(const char *name, const char *program);
