// Memory spread over several devices.
#pragma once
#pragma clang system_header
#include "cudalint_prelude.h"
typedef struct cudaXtDesc_t { int version, nGPUs, GPUs[64]; void *data[64]; size_t size[64]; void *cudaXtState; } cudaXtDesc;
typedef struct cudaLibXtDesc_t { int version; cudaXtDesc *descriptor; int library, subFormat; void *libDescriptor; } cudaLibXtDesc;
