// The driver API: its types, and its functions by name. Arguments are not checked: the models ask for names only.
#pragma once
#pragma clang system_header
#include "cudalint_prelude.h"
#define __cuda_cuda_h__
typedef unsigned long long CUdeviceptr;
typedef unsigned long long CUdeviceptr_v2;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUlib_st *CUlibrary;
typedef struct CUkern_st *CUkernel;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;
typedef struct CUmipmappedArray_st *CUmipmappedArray;
typedef struct CUtexref_st *CUtexref;
typedef struct CUsurfref_st *CUsurfref;
typedef struct CUgraphicsResource_st *CUgraphicsResource;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUmemPoolHandle_st *CUmemoryPool;
typedef struct CUexternalMemory_st *CUexternalMemory;
typedef struct CUexternalSemaphore_st *CUexternalSemaphore;
typedef struct CUlinkState_st *CUlinkState;
typedef struct CUeglStreamConnection_st *CUeglStreamConnection;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef unsigned long long CUmemGenericAllocationHandle;
typedef size_t (*CUoccupancyB2DSize)(int);
typedef void (*CUhostFn)(void *);
typedef struct CUuuid_st CUuuid;
typedef struct { char reserved[64]; } CUipcMemHandle;
typedef struct { char reserved[64]; } CUipcEventHandle;
#define CU_IPC_HANDLE_SIZE 64

typedef enum cudaError_enum {
  CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_OUT_OF_MEMORY = 2, CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_DEINITIALIZED = 4, CUDA_ERROR_PROFILER_DISABLED = 5, CUDA_ERROR_PROFILER_NOT_INITIALIZED = 6,
  CUDA_ERROR_PROFILER_ALREADY_STARTED = 7, CUDA_ERROR_PROFILER_ALREADY_STOPPED = 8, CUDA_ERROR_STUB_LIBRARY = 34,
  CUDA_ERROR_DEVICE_UNAVAILABLE = 46, CUDA_ERROR_NO_DEVICE = 100, CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_DEVICE_NOT_LICENSED = 102, CUDA_ERROR_INVALID_IMAGE = 200, CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_CONTEXT_ALREADY_CURRENT = 202, CUDA_ERROR_MAP_FAILED = 205, CUDA_ERROR_UNMAP_FAILED = 206,
  CUDA_ERROR_ARRAY_IS_MAPPED = 207, CUDA_ERROR_ALREADY_MAPPED = 208, CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_ALREADY_ACQUIRED = 210, CUDA_ERROR_NOT_MAPPED = 211, CUDA_ERROR_NOT_MAPPED_AS_ARRAY = 212,
  CUDA_ERROR_NOT_MAPPED_AS_POINTER = 213, CUDA_ERROR_ECC_UNCORRECTABLE = 214, CUDA_ERROR_UNSUPPORTED_LIMIT = 215,
  CUDA_ERROR_CONTEXT_ALREADY_IN_USE = 216, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217, CUDA_ERROR_INVALID_PTX = 218,
  CUDA_ERROR_INVALID_GRAPHICS_CONTEXT = 219, CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
  CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221, CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222, CUDA_ERROR_INVALID_SOURCE = 300,
  CUDA_ERROR_FILE_NOT_FOUND = 301, CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND = 302,
  CUDA_ERROR_SHARED_OBJECT_INIT_FAILED = 303, CUDA_ERROR_OPERATING_SYSTEM = 304, CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_ILLEGAL_STATE = 401, CUDA_ERROR_NOT_FOUND = 500, CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701, CUDA_ERROR_LAUNCH_TIMEOUT = 702,
  CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING = 703, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
  CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705, CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE = 708,
  CUDA_ERROR_CONTEXT_IS_DESTROYED = 709, CUDA_ERROR_ASSERT = 710, CUDA_ERROR_TOO_MANY_PEERS = 711,
  CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
  CUDA_ERROR_HARDWARE_STACK_ERROR = 714, CUDA_ERROR_ILLEGAL_INSTRUCTION = 715, CUDA_ERROR_MISALIGNED_ADDRESS = 716,
  CUDA_ERROR_INVALID_ADDRESS_SPACE = 717, CUDA_ERROR_INVALID_PC = 718, CUDA_ERROR_LAUNCH_FAILED = 719,
  CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720, CUDA_ERROR_NOT_PERMITTED = 800, CUDA_ERROR_NOT_SUPPORTED = 801,
  CUDA_ERROR_UNKNOWN = 999
} CUresult;
typedef void (*CUstreamCallback)(CUstream, CUresult, void *);

#define CUDALINT_ATTRIBUTE(n, v) CU_DEVICE_ATTRIBUTE_##n = v,
typedef enum CUdevice_attribute_enum {
#define __A CUDALINT_ATTRIBUTE
  __A(MAX_THREADS_PER_BLOCK, 1) __A(MAX_BLOCK_DIM_X, 2) __A(MAX_BLOCK_DIM_Y, 3) __A(MAX_BLOCK_DIM_Z, 4) __A(MAX_GRID_DIM_X, 5)
  __A(MAX_GRID_DIM_Y, 6) __A(MAX_GRID_DIM_Z, 7) __A(MAX_SHARED_MEMORY_PER_BLOCK, 8) __A(SHARED_MEMORY_PER_BLOCK, 8)
  __A(TOTAL_CONSTANT_MEMORY, 9) __A(WARP_SIZE, 10) __A(MAX_PITCH, 11) __A(MAX_REGISTERS_PER_BLOCK, 12)
  __A(REGISTERS_PER_BLOCK, 12) __A(CLOCK_RATE, 13) __A(TEXTURE_ALIGNMENT, 14) __A(GPU_OVERLAP, 15) __A(MULTIPROCESSOR_COUNT, 16)
  __A(KERNEL_EXEC_TIMEOUT, 17) __A(INTEGRATED, 18) __A(CAN_MAP_HOST_MEMORY, 19) __A(COMPUTE_MODE, 20)
  __A(MAXIMUM_TEXTURE1D_WIDTH, 21) __A(MAXIMUM_TEXTURE2D_WIDTH, 22) __A(MAXIMUM_TEXTURE2D_HEIGHT, 23)
  __A(MAXIMUM_TEXTURE3D_WIDTH, 24) __A(MAXIMUM_TEXTURE3D_HEIGHT, 25) __A(MAXIMUM_TEXTURE3D_DEPTH, 26)
  __A(MAXIMUM_TEXTURE2D_LAYERED_WIDTH, 27) __A(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, 28)
  __A(MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 29) __A(SURFACE_ALIGNMENT, 30) __A(CONCURRENT_KERNELS, 31) __A(ECC_ENABLED, 32)
  __A(PCI_BUS_ID, 33) __A(PCI_DEVICE_ID, 34) __A(TCC_DRIVER, 35) __A(MEMORY_CLOCK_RATE, 36) __A(GLOBAL_MEMORY_BUS_WIDTH, 37)
  __A(L2_CACHE_SIZE, 38) __A(MAX_THREADS_PER_MULTIPROCESSOR, 39) __A(ASYNC_ENGINE_COUNT, 40) __A(UNIFIED_ADDRESSING, 41)
  __A(MAXIMUM_TEXTURE1D_LAYERED_WIDTH, 42) __A(MAXIMUM_TEXTURE1D_LAYERED_LAYERS, 43) __A(PCI_DOMAIN_ID, 50)
  __A(COMPUTE_CAPABILITY_MAJOR, 75) __A(COMPUTE_CAPABILITY_MINOR, 76) __A(STREAM_PRIORITIES_SUPPORTED, 78)
  __A(GLOBAL_L1_CACHE_SUPPORTED, 79) __A(LOCAL_L1_CACHE_SUPPORTED, 80) __A(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, 81)
  __A(MAX_REGISTERS_PER_MULTIPROCESSOR, 82) __A(MANAGED_MEMORY, 83) __A(MULTI_GPU_BOARD, 84) __A(MULTI_GPU_BOARD_GROUP_ID, 85)
  __A(HOST_NATIVE_ATOMIC_SUPPORTED, 86) __A(SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, 87) __A(PAGEABLE_MEMORY_ACCESS, 88)
  __A(CONCURRENT_MANAGED_ACCESS, 89) __A(COMPUTE_PREEMPTION_SUPPORTED, 90) __A(COOPERATIVE_LAUNCH, 95)
  __A(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 97) __A(VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED, 102)
  __A(VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 102) __A(HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 103)
  __A(HANDLE_TYPE_WIN32_HANDLE_SUPPORTED, 104) __A(MAX_BLOCKS_PER_MULTIPROCESSOR, 106) __A(MEMORY_POOLS_SUPPORTED, 115)
  __A(CAN_TEX2D_GATHER, 44) __A(MAXIMUM_TEXTURECUBEMAP_WIDTH, 52) __A(MAXIMUM_SURFACE2D_WIDTH, 56)
  __A(CAN_USE_STREAM_MEM_OPS, 92) __A(CAN_USE_64_BIT_STREAM_MEM_OPS, 93) __A(CAN_USE_STREAM_WAIT_VALUE_NOR, 94)
  __A(COOPERATIVE_MULTI_DEVICE_LAUNCH, 96) __A(CAN_FLUSH_REMOTE_WRITES, 98) __A(HOST_REGISTER_SUPPORTED, 99)
  __A(PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, 100) __A(DIRECT_MANAGED_MEM_ACCESS_FROM_HOST, 101)
  __A(HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED, 105) __A(GENERIC_COMPRESSION_SUPPORTED, 107)
  __A(MAX_PERSISTING_L2_CACHE_SIZE, 108) __A(MAX_ACCESS_POLICY_WINDOW_SIZE, 109) __A(GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED, 110)
  __A(RESERVED_SHARED_MEMORY_PER_BLOCK, 111) __A(SPARSE_CUDA_ARRAY_SUPPORTED, 112) __A(READ_ONLY_HOST_REGISTER_SUPPORTED, 113)
  __A(TIMELINE_SEMAPHORE_INTEROP_SUPPORTED, 114) __A(GPU_DIRECT_RDMA_SUPPORTED, 116) __A(GPU_DIRECT_RDMA_WRITES_ORDERING, 118)
  __A(MEMPOOL_SUPPORTED_HANDLE_TYPES, 119) __A(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED, 121) __A(IPC_EVENT_SUPPORTED, 125)
  __A(MEM_SYNC_DOMAIN_COUNT, 126) __A(TENSOR_MAP_ACCESS_SUPPORTED, 127) __A(HANDLE_TYPE_FABRIC_SUPPORTED, 128)
  __A(UNIFIED_FUNCTION_POINTERS, 129) __A(NUMA_CONFIG, 130) __A(NUMA_ID, 131) __A(CLUSTER_LAUNCH, 120) __A(MULTICAST_SUPPORTED, 132)
#undef __A
  CU_DEVICE_ATTRIBUTE_MAX
} CUdevice_attribute;
#undef CUDALINT_ATTRIBUTE
typedef enum CUcomputemode_enum { CU_COMPUTEMODE_DEFAULT = 0, CU_COMPUTEMODE_EXCLUSIVE = 1, CU_COMPUTEMODE_PROHIBITED = 2, CU_COMPUTEMODE_EXCLUSIVE_PROCESS = 3 } CUcomputemode;
typedef enum CUctx_flags_enum { CU_CTX_SCHED_AUTO = 0, CU_CTX_SCHED_SPIN = 1, CU_CTX_SCHED_YIELD = 2, CU_CTX_SCHED_BLOCKING_SYNC = 4, CU_CTX_BLOCKING_SYNC = 4, CU_CTX_SCHED_MASK = 7, CU_CTX_MAP_HOST = 8, CU_CTX_LMEM_RESIZE_TO_MAX = 16, CU_CTX_FLAGS_MASK = 31 } CUctx_flags;
typedef enum CUstream_flags_enum { CU_STREAM_DEFAULT = 0, CU_STREAM_NON_BLOCKING = 1 } CUstream_flags;
typedef enum CUevent_flags_enum { CU_EVENT_DEFAULT = 0, CU_EVENT_BLOCKING_SYNC = 1, CU_EVENT_DISABLE_TIMING = 2, CU_EVENT_INTERPROCESS = 4 } CUevent_flags;
typedef enum CUarray_format_enum { CU_AD_FORMAT_UNSIGNED_INT8 = 1, CU_AD_FORMAT_UNSIGNED_INT16 = 2, CU_AD_FORMAT_UNSIGNED_INT32 = 3, CU_AD_FORMAT_SIGNED_INT8 = 8, CU_AD_FORMAT_SIGNED_INT16 = 9, CU_AD_FORMAT_SIGNED_INT32 = 10, CU_AD_FORMAT_HALF = 16, CU_AD_FORMAT_FLOAT = 32 } CUarray_format;
typedef enum CUaddress_mode_enum { CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_MIRROR, CU_TR_ADDRESS_MODE_BORDER } CUaddress_mode;
typedef enum CUfilter_mode_enum { CU_TR_FILTER_MODE_POINT, CU_TR_FILTER_MODE_LINEAR } CUfilter_mode;
typedef enum CUmemorytype_enum { CU_MEMORYTYPE_HOST = 1, CU_MEMORYTYPE_DEVICE = 2, CU_MEMORYTYPE_ARRAY = 3, CU_MEMORYTYPE_UNIFIED = 4 } CUmemorytype;
typedef enum CUresourcetype_enum { CU_RESOURCE_TYPE_ARRAY, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, CU_RESOURCE_TYPE_LINEAR, CU_RESOURCE_TYPE_PITCH2D } CUresourcetype;
typedef enum CUfunc_cache_enum { CU_FUNC_CACHE_PREFER_NONE, CU_FUNC_CACHE_PREFER_SHARED, CU_FUNC_CACHE_PREFER_L1, CU_FUNC_CACHE_PREFER_EQUAL } CUfunc_cache;
typedef enum CUsharedconfig_enum { CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE, CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE } CUsharedconfig;
typedef enum CUlimit_enum { CU_LIMIT_STACK_SIZE, CU_LIMIT_PRINTF_FIFO_SIZE, CU_LIMIT_MALLOC_HEAP_SIZE, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT, CU_LIMIT_MAX_L2_FETCH_GRANULARITY } CUlimit;
typedef enum CUfunction_attribute_enum { CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, CU_FUNC_ATTRIBUTE_NUM_REGS, CU_FUNC_ATTRIBUTE_PTX_VERSION, CU_FUNC_ATTRIBUTE_BINARY_VERSION, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT } CUfunction_attribute;
typedef enum CUjit_option_enum { CU_JIT_MAX_REGISTERS, CU_JIT_THREADS_PER_BLOCK, CU_JIT_WALL_TIME, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_OPTIMIZATION_LEVEL, CU_JIT_TARGET_FROM_CUCONTEXT, CU_JIT_TARGET, CU_JIT_FALLBACK_STRATEGY, CU_JIT_GENERATE_DEBUG_INFO, CU_JIT_LOG_VERBOSE, CU_JIT_GENERATE_LINE_INFO, CU_JIT_CACHE_MODE } CUjit_option;
typedef enum CUjitInputType_enum { CU_JIT_INPUT_CUBIN, CU_JIT_INPUT_PTX, CU_JIT_INPUT_FATBINARY, CU_JIT_INPUT_OBJECT, CU_JIT_INPUT_LIBRARY, CU_JIT_INPUT_NVVM } CUjitInputType;
typedef struct CUmemDecompressParams_st { size_t srcNumBytes, dstNumBytes; unsigned int *dstActBytes; const void *src; void *dst; int algo; } CUmemDecompressParams;
typedef enum CUmemLocationType_enum { CU_MEM_LOCATION_TYPE_INVALID, CU_MEM_LOCATION_TYPE_DEVICE, CU_MEM_LOCATION_TYPE_HOST } CUmemLocationType;
typedef enum CUmemAllocationType_enum { CU_MEM_ALLOCATION_TYPE_INVALID, CU_MEM_ALLOCATION_TYPE_PINNED } CUmemAllocationType;
typedef enum CUmemAllocationHandleType_enum { CU_MEM_HANDLE_TYPE_NONE, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, CU_MEM_HANDLE_TYPE_WIN32, CU_MEM_HANDLE_TYPE_WIN32_KMT = 4, CU_MEM_HANDLE_TYPE_FABRIC = 8 } CUmemAllocationHandleType;
typedef enum CUmemAllocationGranularity_flags_enum { CU_MEM_ALLOC_GRANULARITY_MINIMUM, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED } CUmemAllocationGranularity_flags;
typedef enum CUmemAccess_flags_enum { CU_MEM_ACCESS_FLAGS_PROT_NONE = 0, CU_MEM_ACCESS_FLAGS_PROT_READ = 1, CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3 } CUmemAccess_flags;
enum { CU_MEM_ALLOCATION_COMP_NONE, CU_MEM_ALLOCATION_COMP_GENERIC };
enum { CU_GRAPHICS_REGISTER_FLAGS_NONE, CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY, CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD };
typedef enum CUpointer_attribute_enum { CU_POINTER_ATTRIBUTE_CONTEXT = 1, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, CU_POINTER_ATTRIBUTE_HOST_POINTER, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6, CU_POINTER_ATTRIBUTE_BUFFER_ID, CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE, CU_POINTER_ATTRIBUTE_MAPPED, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES } CUpointer_attribute;
typedef struct { CUmemLocationType type; int id; } CUmemLocation;
typedef struct { CUmemLocation location; CUmemAccess_flags flags; } CUmemAccessDesc;
typedef struct { CUmemAllocationType type; CUmemAllocationHandleType requestedHandleTypes; CUmemLocation location; void *win32HandleMetaData; struct { unsigned char compressionType, gpuDirectRDMACapable; unsigned short usage; unsigned char reserved[4]; } allocFlags; } CUmemAllocationProp;
typedef struct { size_t Width, Height; CUarray_format Format; unsigned int NumChannels; } CUDA_ARRAY_DESCRIPTOR;
typedef struct { size_t Width, Height, Depth; CUarray_format Format; unsigned int NumChannels, Flags; } CUDA_ARRAY3D_DESCRIPTOR;
typedef struct { size_t srcXInBytes, srcY; CUmemorytype srcMemoryType; const void *srcHost; CUdeviceptr srcDevice; CUarray srcArray; size_t srcPitch, dstXInBytes, dstY; CUmemorytype dstMemoryType; void *dstHost; CUdeviceptr dstDevice; CUarray dstArray; size_t dstPitch, WidthInBytes, Height; } CUDA_MEMCPY2D;
typedef struct { size_t srcXInBytes, srcY, srcZ, srcLOD; CUmemorytype srcMemoryType; const void *srcHost; CUdeviceptr srcDevice; CUarray srcArray; void *reserved0; size_t srcPitch, srcHeight, dstXInBytes, dstY, dstZ, dstLOD; CUmemorytype dstMemoryType; void *dstHost; CUdeviceptr dstDevice; CUarray dstArray; void *reserved1; size_t dstPitch, dstHeight, WidthInBytes, Height, Depth; } CUDA_MEMCPY3D;
typedef struct { CUresourcetype resType; union { struct { CUarray hArray; } array; struct { CUmipmappedArray hMipmappedArray; } mipmap; struct { CUdeviceptr devPtr; CUarray_format format; unsigned int numChannels; size_t sizeInBytes; } linear; struct { CUdeviceptr devPtr; CUarray_format format; unsigned int numChannels; size_t width, height, pitchInBytes; } pitch2D; } res; unsigned int flags; } CUDA_RESOURCE_DESC;
typedef struct { CUaddress_mode addressMode[3]; CUfilter_mode filterMode; unsigned int flags, maxAnisotropy; CUfilter_mode mipmapFilterMode; float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4]; } CUDA_TEXTURE_DESC;
typedef struct { int format; size_t width, height, depth; unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer; } CUDA_RESOURCE_VIEW_DESC;
typedef struct { unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes; CUstream hStream; void *attrs; unsigned int numAttrs; } CUlaunchConfig;
typedef struct { CUfunction func; unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes; void **kernelParams; void **extra; } CUDA_KERNEL_NODE_PARAMS;
typedef struct { int flags; } CUctxCreateParams;
typedef struct { alignas(64) unsigned long long opaque[16]; } CUtensorMap;
typedef enum CUtensorMapDataType_enum { CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT32, CU_TENSOR_MAP_DATA_TYPE_INT32, CU_TENSOR_MAP_DATA_TYPE_UINT64, CU_TENSOR_MAP_DATA_TYPE_INT64, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_FLOAT64, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B, CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B } CUtensorMapDataType;
typedef enum CUtensorMapInterleave_enum { CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_INTERLEAVE_32B } CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle_enum { CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B } CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion_enum { CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_64B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B } CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill_enum { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA } CUtensorMapFloatOOBfill;
#define CU_LAUNCH_PARAM_END ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)
#define CU_MEMHOSTALLOC_PORTABLE 0x01
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04
#define CU_MEMHOSTREGISTER_PORTABLE 0x01
#define CU_MEMHOSTREGISTER_DEVICEMAP 0x02
#define CU_MEMPEERREGISTER_DEVICEMAP 0x02
#define CU_MEM_ATTACH_GLOBAL 0x1
#define CU_MEM_ATTACH_HOST 0x2
#define CU_TRSA_OVERRIDE_FORMAT 0x01
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_TRSF_SRGB 0x10
#define CU_PARAM_TR_DEFAULT (-1)
#define CU_DEVICE_CPU ((CUdevice)-1)
#define CU_DEVICE_INVALID ((CUdevice)-2)
#define CU_ARRAY3D_LAYERED 0x01
#define CU_ARRAY3D_SURFACE_LDST 0x02
#define CU_ARRAY3D_CUBEMAP 0x04
extern "C" {
#define __F(n) CUresult n(...);
__F(cuInit) __F(cuDriverGetVersion) __F(cuGetErrorString) __F(cuGetErrorName) __F(cuGetProcAddress) __F(cuGetExportTable)
__F(cuDeviceGet) __F(cuDeviceGetCount) __F(cuDeviceGetName) __F(cuDeviceGetUuid) __F(cuDeviceGetUuid_v2) __F(cuDeviceTotalMem)
__F(cuDeviceGetAttribute) __F(cuDeviceComputeCapability) __F(cuDeviceGetProperties) __F(cuDeviceCanAccessPeer)
__F(cuDeviceGetByPCIBusId) __F(cuDeviceGetPCIBusId) __F(cuDevicePrimaryCtxRetain) __F(cuDevicePrimaryCtxRelease)
__F(cuDevicePrimaryCtxReset) __F(cuDeviceGetDefaultMemPool) __F(cuDeviceGetP2PAttribute)
__F(cuCtxCreate) __F(cuCtxCreate_v4) __F(cuCtxDestroy) __F(cuCtxPushCurrent) __F(cuCtxPopCurrent) __F(cuCtxSetCurrent) __F(cuCtxGetCurrent)
__F(cuCtxGetDevice) __F(cuCtxSynchronize) __F(cuCtxSetLimit) __F(cuCtxGetLimit) __F(cuCtxGetCacheConfig) __F(cuCtxSetCacheConfig)
__F(cuCtxGetApiVersion) __F(cuCtxEnablePeerAccess) __F(cuCtxDisablePeerAccess) __F(cuCtxAttach) __F(cuCtxDetach)
__F(cuCtxGetSharedMemConfig) __F(cuCtxSetSharedMemConfig) __F(cuCtxResetPersistingL2Cache) __F(cuCtxGetStreamPriorityRange)
__F(cuModuleLoad) __F(cuModuleLoadData) __F(cuModuleLoadDataEx) __F(cuModuleLoadFatBinary) __F(cuModuleUnload)
__F(cuModuleGetFunction) __F(cuModuleGetGlobal) __F(cuModuleGetTexRef) __F(cuModuleGetSurfRef) __F(cuLibraryLoadData)
__F(cuLibraryLoadFromFile) __F(cuLibraryUnload) __F(cuLibraryGetKernel) __F(cuKernelGetFunction)
__F(cuLinkCreate) __F(cuLinkAddData) __F(cuLinkAddFile) __F(cuLinkComplete) __F(cuLinkDestroy)
__F(cuMemGetInfo) __F(cuMemAlloc) __F(cuMemAllocPitch) __F(cuMemFree) __F(cuMemGetAddressRange) __F(cuMemAllocHost) __F(cuMemFreeHost)
__F(cuMemHostAlloc) __F(cuMemHostGetDevicePointer) __F(cuMemHostGetFlags) __F(cuMemAllocManaged) __F(cuMemHostRegister)
__F(cuMemHostUnregister) __F(cuMemPrefetchAsync) __F(cuMemAdvise) __F(cuMemAllocAsync) __F(cuMemFreeAsync) __F(cuMemcpy)
__F(cuMemcpyPeer) __F(cuMemcpyPeerAsync) __F(cuMemcpyAsync) __F(cuMemcpyHtoD) __F(cuMemcpyDtoH) __F(cuMemcpyDtoD) __F(cuMemcpyDtoA)
__F(cuMemcpyAtoD) __F(cuMemcpyHtoA) __F(cuMemcpyAtoH) __F(cuMemcpyAtoA) __F(cuMemcpy2D) __F(cuMemcpy2DUnaligned) __F(cuMemcpy3D)
__F(cuMemcpyHtoDAsync) __F(cuMemcpyDtoHAsync) __F(cuMemcpyDtoDAsync) __F(cuMemcpyHtoAAsync) __F(cuMemcpyAtoHAsync)
__F(cuMemcpy2DAsync) __F(cuMemcpy3DAsync) __F(cuMemsetD8) __F(cuMemsetD16) __F(cuMemsetD32) __F(cuMemsetD2D8) __F(cuMemsetD2D16)
__F(cuMemsetD2D32) __F(cuMemsetD8Async) __F(cuMemsetD16Async) __F(cuMemsetD32Async) __F(cuMemAddressReserve) __F(cuMemAddressFree)
__F(cuMemCreate) __F(cuMemRelease) __F(cuMemMap) __F(cuMemUnmap) __F(cuMemSetAccess) __F(cuMemGetAllocationGranularity)
__F(cuMemGetAllocationPropertiesFromHandle) __F(cuMemExportToShareableHandle) __F(cuMemImportFromShareableHandle)
__F(cuMemPoolCreate) __F(cuMemPoolDestroy) __F(cuMemPoolSetAttribute) __F(cuPointerGetAttribute) __F(cuPointerSetAttribute)
__F(cuMemPeerRegister) __F(cuMemPeerUnregister) __F(cuMemPeerGetDevicePointer) __F(cuIpcGetMemHandle) __F(cuIpcOpenMemHandle)
__F(cuIpcCloseMemHandle) __F(cuIpcGetEventHandle) __F(cuIpcOpenEventHandle)
__F(cuArrayCreate) __F(cuArray3DCreate) __F(cuArrayDestroy) __F(cuArrayGetDescriptor) __F(cuArray3DGetDescriptor)
__F(cuMipmappedArrayCreate) __F(cuMipmappedArrayDestroy) __F(cuMipmappedArrayGetLevel)
__F(cuStreamCreate) __F(cuStreamCreateWithPriority) __F(cuStreamDestroy) __F(cuStreamQuery) __F(cuStreamSynchronize)
__F(cuStreamWaitEvent) __F(cuStreamAddCallback) __F(cuStreamAttachMemAsync) __F(cuStreamBeginCapture) __F(cuStreamEndCapture)
__F(cuStreamWaitValue32) __F(cuStreamWriteValue32) __F(cuEventCreate) __F(cuEventRecord) __F(cuEventQuery) __F(cuEventSynchronize)
__F(cuEventDestroy) __F(cuEventElapsedTime) __F(cuLaunchKernel) __F(cuLaunchKernelEx) __F(cuLaunchCooperativeKernel) __F(cuLaunchHostFunc)
__F(cuLaunchCooperativeKernelMultiDevice) __F(cuLaunch) __F(cuLaunchGrid) __F(cuLaunchGridAsync) __F(cuFuncGetAttribute)
__F(cuFuncSetAttribute) __F(cuFuncSetCacheConfig) __F(cuFuncSetSharedMemConfig) __F(cuFuncSetBlockShape) __F(cuFuncSetSharedSize)
__F(cuParamSetSize) __F(cuParamSeti) __F(cuParamSetf) __F(cuParamSetv) __F(cuParamSetTexRef)
__F(cuGraphCreate) __F(cuGraphInstantiate) __F(cuGraphLaunch) __F(cuGraphDestroy) __F(cuGraphExecDestroy) __F(cuGraphAddKernelNode)
__F(cuOccupancyMaxActiveBlocksPerMultiprocessor) __F(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
__F(cuOccupancyMaxPotentialBlockSize) __F(cuTexRefCreate) __F(cuTexRefDestroy) __F(cuTexRefSetArray) __F(cuTexRefSetAddress)
__F(cuTexRefSetAddress2D) __F(cuTexRefSetFormat) __F(cuTexRefSetAddressMode) __F(cuTexRefSetFilterMode) __F(cuTexRefSetFlags)
__F(cuTexRefGetAddress) __F(cuTexRefGetArray) __F(cuTexRefGetFormat) __F(cuTexRefGetFlags) __F(cuTexObjectCreate)
__F(cuTexObjectDestroy) __F(cuSurfObjectCreate) __F(cuSurfObjectDestroy) __F(cuSurfRefSetArray) __F(cuGraphicsUnregisterResource)
__F(cuGraphicsMapResources) __F(cuGraphicsUnmapResources) __F(cuGraphicsResourceGetMappedPointer)
__F(cuGraphicsSubResourceGetMappedArray) __F(cuGraphicsResourceSetMapFlags) __F(cuGraphicsGLRegisterBuffer)
__F(cuGraphicsGLRegisterImage) __F(cuProfilerStart) __F(cuProfilerStop) __F(cuTensorMapEncodeTiled) __F(cuImportExternalMemory)
#undef __F
}
