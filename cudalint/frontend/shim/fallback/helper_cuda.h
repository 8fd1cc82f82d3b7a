// The error checks of the CUDA samples, for programs that do not carry that header.
#pragma once
#pragma clang system_header
#include "../cudalint_prelude.h"
#include "helper_string.h"
template <class __T> inline void check(__T result, const char *, const char *, int) { if (result) exit(1); }
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
#define getLastCudaError(msg) check(cudaGetLastError(), msg, __FILE__, __LINE__)
#define printLastCudaError(msg) check(cudaGetLastError(), msg, __FILE__, __LINE__)
#define DEVICE_RESET cudaDeviceReset();
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
inline int ftoi(float value) { return (int)(value >= 0 ? value + 0.5f : value - 0.5f); }
int _ConvertSMVer2Cores(int major, int minor);
const char *_ConvertSMVer2ArchName(int major, int minor);
int gpuDeviceInit(int device);
int gpuGetMaxGflopsDeviceId();
int findCudaDevice(int argc, const char **argv);
int findIntegratedGPU();
bool checkCudaCapabilities(int major, int minor);
template <class __T> const char *_cudaGetErrorEnum(__T);
