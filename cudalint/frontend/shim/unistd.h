#pragma once
#pragma clang system_header
#include "sys/types.h"
#include "getopt.h"
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define X_OK 1
#define W_OK 2
#define R_OK 4
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_CLK_TCK 2
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
#define _SC_PHYS_PAGES 85
#define _SC_OPEN_MAX 4
extern char **environ;
extern "C" {
ssize_t read(int, void *, size_t); ssize_t write(int, const void *, size_t); ssize_t pread(int, void *, size_t, off_t); ssize_t pwrite(int, const void *, size_t, off_t);
int close(int); off_t lseek(int, off_t, int); int access(const char *, int); int unlink(const char *); int rmdir(const char *); int chdir(const char *);
int dup(int); int dup2(int, int); int pipe(int[2]); pid_t fork(void); pid_t vfork(void); pid_t getpid(void); pid_t getppid(void); uid_t getuid(void); gid_t getgid(void); uid_t geteuid(void);
int execl(const char *, const char *, ...); int execlp(const char *, const char *, ...); int execv(const char *, char *const[]); int execvp(const char *, char *const[]);
unsigned int sleep(unsigned int); int usleep(useconds_t); unsigned int alarm(unsigned int); int pause(void); char *getcwd(char *, size_t); int gethostname(char *, size_t);
long sysconf(int); int isatty(int); int ftruncate(int, off_t); int truncate(const char *, off_t); int fsync(int); int link(const char *, const char *); int symlink(const char *, const char *);
ssize_t readlink(const char *, char *, size_t); int getpagesize(void); void sync(void); char *getlogin(void); int nice(int); long syscall(long, ...); int brk(void *); void *sbrk(long);
int lockf(int, int, off_t); char *ttyname(int); int chown(const char *, uid_t, gid_t); int setpgid(pid_t, pid_t); pid_t setsid(void);
__attribute__((noreturn)) void _exit(int);
}
