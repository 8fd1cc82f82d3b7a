// Image files and comparisons of the CUDA samples.
#pragma once
#pragma clang system_header
#include "../string"
template <class __T> bool sdkLoadPGM(const char *, __T **, unsigned int *, unsigned int *);
template <class __T> bool sdkSavePGM(const char *, __T *, unsigned int, unsigned int);
template <class __T> bool sdkLoadPPM4(const char *, __T **, unsigned int *, unsigned int *);
bool sdkLoadPPM4ub(const char *, unsigned char **, unsigned int *, unsigned int *);
bool sdkSavePPM4ub(const char *, unsigned char *, unsigned int, unsigned int);
template <class __T> bool sdkReadFile(const char *, __T **, unsigned int *, bool);
template <class __T> bool sdkWriteFile(const char *, const __T *, unsigned int, const __T, bool, bool = false);
template <class __T, class __S> bool compareData(const __T *, const __T *, unsigned int, __S, float);
bool sdkCompareL2fe(const float *, const float *, unsigned int, float);
bool sdkComparePPM(const char *, const char *, float, float, bool);
bool sdkComparePGM(const char *, const char *, float, float);
bool sdkCompareBin2BinFloat(const char *, const char *, unsigned int, float, float, char *);
bool sdkCompareBin2BinUint(const char *, const char *, unsigned int, float, float, char *);
template <class __T> void sdkDumpBin(__T *, unsigned int, const char *);
