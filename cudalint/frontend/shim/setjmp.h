#pragma once
#pragma clang system_header
typedef struct { long state[25]; } jmp_buf[1];
extern "C" { int setjmp(jmp_buf); void longjmp(jmp_buf, int); int sigsetjmp(jmp_buf, int); void siglongjmp(jmp_buf, int); }
namespace std { using ::longjmp; }
