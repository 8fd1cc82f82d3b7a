#pragma once
#pragma clang system_header
#include "sys/types.h"
#include "time.h"
typedef struct { unsigned long bits[16]; } cpu_set_t;
struct sched_param { int sched_priority; };
#define CPU_ZERO(s) ((void)(s))
#define CPU_SET(c, s) ((void)(c), (void)(s))
#define CPU_ISSET(c, s) ((void)(c), (void)(s), 0)
#define CPU_COUNT(s) 1
#define CPU_SETSIZE 1024
#define SCHED_FIFO 1
extern "C" { int sched_yield(void); int sched_setaffinity(pid_t, size_t, const cpu_set_t *); int sched_getaffinity(pid_t, size_t, cpu_set_t *); int sched_getcpu(void); }
