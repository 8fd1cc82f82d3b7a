#pragma once
#pragma clang system_header
struct sysinfo { long uptime; unsigned long loads[3], totalram, freeram, sharedram, bufferram, totalswap, freeswap; unsigned short procs; unsigned long totalhigh, freehigh; unsigned int mem_unit; };
extern "C" { int sysinfo(struct sysinfo *); int get_nprocs(void); int get_nprocs_conf(void); }
