#pragma once
#pragma clang system_header
#define AT_PAGESZ 6
#define AT_HWCAP 16
#define AT_HWCAP2 26
extern "C" unsigned long getauxval(unsigned long);
