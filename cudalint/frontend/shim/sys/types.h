#pragma once
#pragma clang system_header
#include "../stddef.h"
#include "../stdint.h"
typedef long ssize_t;
typedef long off_t;
typedef long off64_t;
typedef long loff_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int id_t;
typedef unsigned int mode_t;
typedef unsigned long ino_t;
typedef unsigned long dev_t;
typedef unsigned long nlink_t;
typedef long blksize_t;
typedef long blkcnt_t;
typedef long time_t;
typedef long clock_t;
typedef int clockid_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
typedef int key_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
typedef unsigned long u_int64_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
typedef struct { long bits[16]; } fd_set;
typedef unsigned long pthread_t;
typedef struct { long state[5]; } pthread_mutex_t;
typedef struct { long state[6]; } pthread_cond_t;
typedef struct { long state[7]; } pthread_rwlock_t;
typedef struct { long state[7]; } pthread_attr_t;
typedef struct { long state[4]; } pthread_barrier_t;
typedef struct { int state; } pthread_mutexattr_t;
typedef struct { int state; } pthread_condattr_t;
typedef struct { int state; } pthread_barrierattr_t;
typedef int pthread_spinlock_t;
typedef unsigned pthread_key_t;
typedef int pthread_once_t;
