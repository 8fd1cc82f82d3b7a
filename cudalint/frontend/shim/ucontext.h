#pragma once
#pragma clang system_header
#include "signal.h"
typedef struct { void *ss_sp; int ss_flags; size_t ss_size; } stack_t;
typedef struct { long long gregs[23]; void *fpregs; unsigned long long reserved[8]; } mcontext_t;
typedef struct ucontext_t { unsigned long uc_flags; struct ucontext_t *uc_link; stack_t uc_stack; mcontext_t uc_mcontext; sigset_t uc_sigmask; } ucontext_t;
extern "C" { int getcontext(ucontext_t *); int setcontext(const ucontext_t *); int swapcontext(ucontext_t *, const ucontext_t *); void makecontext(ucontext_t *, void (*)(void), int, ...); }
