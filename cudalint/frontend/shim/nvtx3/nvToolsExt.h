// Profiler annotations.
#pragma once
#pragma clang system_header
#include "../cudalint_prelude.h"
typedef unsigned long long nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef union { const char *ascii; const wchar_t *unicode; nvtxStringHandle_t registered; } nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 { unsigned short version, size; unsigned int category; int colorType; unsigned int color; int payloadType, reserved0; union { unsigned long long ullValue; long long llValue; double dValue; unsigned int uiValue; int iValue; float fValue; } payload; int messageType; nvtxMessageValue_t message; } nvtxEventAttributes_t;
#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((unsigned short)sizeof(nvtxEventAttributes_t))
enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB };
enum { NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_TYPE_UNICODE, NVTX_MESSAGE_TYPE_REGISTERED };
extern "C" {
int nvtxRangePushA(const char *); int nvtxRangePushW(const wchar_t *); int nvtxRangePushEx(const nvtxEventAttributes_t *); int nvtxRangePop();
nvtxRangeId_t nvtxRangeStartA(const char *); nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *); void nvtxRangeEnd(nvtxRangeId_t);
void nvtxMarkA(const char *); void nvtxMarkEx(const nvtxEventAttributes_t *); void nvtxNameOsThreadA(unsigned int, const char *);
void nvtxNameCudaStreamA(...); void nvtxNameCudaEventA(...); nvtxDomainHandle_t nvtxDomainCreateA(const char *); void nvtxDomainDestroy(nvtxDomainHandle_t);
int nvtxDomainRangePushEx(nvtxDomainHandle_t, const nvtxEventAttributes_t *); int nvtxDomainRangePop(nvtxDomainHandle_t);
}
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxDomainCreate nvtxDomainCreateA
