// Collectives between devices.
#pragma once
#pragma clang system_header
#include "cudalint_prelude.h"
typedef struct ncclComm *ncclComm_t;
typedef struct { char internal[128]; } ncclUniqueId;
typedef enum { ncclSuccess, ncclUnhandledCudaError, ncclSystemError, ncclInternalError, ncclInvalidArgument, ncclInvalidUsage, ncclRemoteError, ncclInProgress } ncclResult_t;
typedef enum { ncclSum, ncclProd, ncclMax, ncclMin, ncclAvg } ncclRedOp_t;
typedef enum { ncclInt8 = 0, ncclChar = 0, ncclUint8 = 1, ncclInt32 = 2, ncclInt = 2, ncclUint32 = 3, ncclInt64 = 4, ncclUint64 = 5, ncclFloat16 = 6, ncclHalf = 6, ncclFloat32 = 7, ncclFloat = 7, ncclFloat64 = 8, ncclDouble = 8, ncclBfloat16 = 9 } ncclDataType_t;
#define NCCL_UNIQUE_ID_BYTES 128
#define NCCL_VERSION_CODE 22005
extern "C" {
const char *ncclGetErrorString(ncclResult_t);
const char *ncclGetLastError(ncclComm_t);
#define __F(n) ncclResult_t n(...);
__F(ncclGetVersion) __F(ncclGetUniqueId) __F(ncclCommInitRank) __F(ncclCommInitAll) __F(ncclCommFinalize) __F(ncclCommDestroy) __F(ncclCommAbort)
__F(ncclCommGetAsyncError) __F(ncclCommCount) __F(ncclCommCuDevice) __F(ncclCommUserRank) __F(ncclReduce) __F(ncclBcast) __F(ncclBroadcast)
__F(ncclAllReduce) __F(ncclReduceScatter) __F(ncclAllGather) __F(ncclSend) __F(ncclRecv) __F(ncclGroupStart) __F(ncclGroupEnd) __F(ncclMemAlloc) __F(ncclMemFree)
#undef __F
}
