#pragma once
#pragma clang system_header
#include "types.h"
#define WNOHANG 1
#define WIFEXITED(s) (((s) & 0x7f) == 0)
#define WEXITSTATUS(s) (((s) >> 8) & 0xff)
#define WIFSIGNALED(s) (((s) & 0x7f) != 0)
#define WTERMSIG(s) ((s) & 0x7f)
extern "C" { pid_t wait(int *); pid_t waitpid(pid_t, int *, int); }
