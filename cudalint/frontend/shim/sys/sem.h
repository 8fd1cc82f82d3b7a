#pragma once
#pragma clang system_header
#include "ipc.h"
struct sembuf { unsigned short sem_num; short sem_op, sem_flg; };
#define SEM_UNDO 0x1000
#define GETVAL 12
#define SETVAL 16
#define SETALL 17
extern "C" { int semget(key_t, int, int); int semop(int, struct sembuf *, size_t); int semctl(int, int, int, ...); }
