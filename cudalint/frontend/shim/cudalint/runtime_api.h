// The runtime API's functions. Those that device code may call too are host and device.
#pragma once
#pragma clang system_header
#include "runtime_types.h"
#define CUDALINT_HD __host__ __device__
extern "C" {
// What a launch with <<<>>> becomes; both names, for both generations of launch lowering.
CUDALINT_HD int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, void *stream = nullptr);
CUDALINT_HD unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, void *stream = nullptr);

CUDALINT_HD cudaError_t cudaGetLastError();
CUDALINT_HD cudaError_t cudaPeekAtLastError();
CUDALINT_HD const char *cudaGetErrorString(cudaError_t);
CUDALINT_HD const char *cudaGetErrorName(cudaError_t);
CUDALINT_HD cudaError_t cudaDeviceSynchronize();
CUDALINT_HD cudaError_t cudaGetDevice(int *);
CUDALINT_HD cudaError_t cudaGetDeviceCount(int *);
CUDALINT_HD cudaError_t cudaDeviceGetAttribute(int *, cudaDeviceAttr, int);
CUDALINT_HD cudaError_t cudaDeviceGetLimit(size_t *, cudaLimit);
CUDALINT_HD cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *);
CUDALINT_HD cudaError_t cudaRuntimeGetVersion(int *);
CUDALINT_HD cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned int);
CUDALINT_HD cudaError_t cudaStreamDestroy(cudaStream_t);
CUDALINT_HD cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int = 0);
CUDALINT_HD cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned int);
CUDALINT_HD cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
CUDALINT_HD cudaError_t cudaEventDestroy(cudaEvent_t);
CUDALINT_HD cudaError_t cudaMalloc(void **, size_t);
CUDALINT_HD cudaError_t cudaFree(void *);
CUDALINT_HD cudaError_t cudaMemcpyAsync(void *, const void *, size_t, cudaMemcpyKind, cudaStream_t = 0);
CUDALINT_HD cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
CUDALINT_HD cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *, cudaStream_t = 0);
CUDALINT_HD cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
CUDALINT_HD cudaError_t cudaMemset2DAsync(void *, size_t, int, size_t, size_t, cudaStream_t = 0);
CUDALINT_HD cudaError_t cudaMemset3DAsync(cudaPitchedPtr, int, cudaExtent, cudaStream_t = 0);
CUDALINT_HD cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
CUDALINT_HD cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, const void *);
CUDALINT_HD cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);
CUDALINT_HD cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *, const void *, int, size_t, unsigned int);

cudaError_t cudaDeviceReset();
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
cudaError_t cudaDeviceGetStreamPriorityRange(int *, int *);
cudaError_t cudaDeviceGetByPCIBusId(int *, const char *);
cudaError_t cudaDeviceGetPCIBusId(char *, int, int);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *, int);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *, int);
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t);
cudaError_t cudaDeviceGetP2PAttribute(int *, cudaDeviceP2PAttr, int, int);
cudaError_t cudaDeviceCanAccessPeer(int *, int, int);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int);
cudaError_t cudaDeviceDisablePeerAccess(int);
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(int, int);
cudaError_t cudaDeviceGraphMemTrim(int);
cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType, void *);
cudaError_t cudaDeviceSetGraphMemAttribute(int, cudaGraphMemAttributeType, void *);
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache);
cudaError_t cudaThreadSetLimit(cudaLimit, size_t);
cudaError_t cudaThreadGetLimit(size_t *, cudaLimit);
cudaError_t cudaSetDevice(int);
cudaError_t cudaInitDevice(int, unsigned int, unsigned int);
cudaError_t cudaSetDeviceFlags(unsigned int);
cudaError_t cudaGetDeviceFlags(unsigned int *);
cudaError_t cudaSetValidDevices(int *, int);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp *, int);
cudaError_t cudaChooseDevice(int *, const cudaDeviceProp *);
cudaError_t cudaDriverGetVersion(int *);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *, cudaEvent_t);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *, cudaIpcEventHandle_t);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *, void *);
cudaError_t cudaIpcOpenMemHandle(void **, cudaIpcMemHandle_t, unsigned int);
cudaError_t cudaIpcCloseMemHandle(void *);

cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned int, int);
cudaError_t cudaStreamGetPriority(cudaStream_t, int *);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned int *);
cudaError_t cudaStreamGetId(cudaStream_t, unsigned long long *);
cudaError_t cudaStreamGetDevice(cudaStream_t, int *);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void *, unsigned int);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t = 0, unsigned int = cudaMemAttachSingle);
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t, cudaGraph_t, const cudaGraphNode_t *, const cudaGraphEdgeData *, size_t, cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus *, unsigned long long * = 0, cudaGraph_t * = 0, const cudaGraphNode_t ** = 0, size_t * = 0);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t, cudaStreamCaptureStatus *, unsigned long long * = 0, cudaGraph_t * = 0, const cudaGraphNode_t ** = 0, size_t * = 0);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t *, size_t, unsigned int = 0);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *);
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue *);
cudaError_t cudaStreamGetAttribute(cudaStream_t, cudaStreamAttrID, cudaStreamAttrValue *);
cudaError_t cudaStreamCopyAttributes(cudaStream_t, cudaStream_t);
cudaError_t cudaCtxResetPersistingL2Cache();
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void *);

cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t = 0, unsigned int = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);

cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *, const void *, void **);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);
cudaError_t cudaLaunchCooperativeKernelMultiDevice(cudaLaunchParams *, unsigned int, unsigned int = 0);
cudaError_t cudaSetupArgument(const void *, size_t, size_t);
cudaError_t cudaLaunch(const void *);
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache);
cudaError_t cudaFuncSetSharedMemConfig(const void *, cudaSharedMemConfig);
cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int);
cudaError_t cudaGetKernel(cudaKernel_t *, const void *);
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t, cudaFuncAttribute, int, int);
cudaError_t cudaLibraryGetKernel(cudaKernel_t *, cudaLibrary_t, const char *);
cudaError_t cudaLibraryUnload(cudaLibrary_t);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *, const void *, int, int);
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *, const void *, const cudaLaunchConfig_t *);
cudaError_t cudaOccupancyMaxActiveClusters(int *, const void *, const cudaLaunchConfig_t *);

cudaError_t cudaMallocHost(void **, size_t);
cudaError_t cudaHostAlloc(void **, size_t, unsigned int);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaHostRegister(void *, size_t, unsigned int);
cudaError_t cudaHostUnregister(void *);
cudaError_t cudaHostGetDevicePointer(void **, void *, unsigned int);
cudaError_t cudaHostGetFlags(unsigned int *, void *);
cudaError_t cudaMallocManaged(void **, size_t, unsigned int = cudaMemAttachGlobal);
cudaError_t cudaMallocPitch(void **, size_t *, size_t, size_t);
cudaError_t cudaMalloc3D(cudaPitchedPtr *, cudaExtent);
cudaError_t cudaMallocArray(cudaArray_t *, const cudaChannelFormatDesc *, size_t, size_t = 0, unsigned int = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t *, const cudaChannelFormatDesc *, cudaExtent, unsigned int = 0);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *, const cudaChannelFormatDesc *, cudaExtent, unsigned int, unsigned int = 0);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *, cudaMipmappedArray_const_t, unsigned int);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *, cudaExtent *, unsigned int *, cudaArray_t);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaMallocFromPoolAsync(void **, size_t, cudaMemPool_t, cudaStream_t);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *, const cudaMemPoolProps *);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *, size_t);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *, cudaMemPool_t, cudaMemLocation *);
cudaError_t cudaMemPoolExportToShareableHandle(void *, cudaMemPool_t, cudaMemAllocationHandleType, unsigned int);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *, void *, cudaMemAllocationHandleType, unsigned int);
cudaError_t cudaMemPoolExportPointer(cudaMemPoolPtrExportData *, void *);
cudaError_t cudaMemPoolImportPointer(void **, cudaMemPool_t, cudaMemPoolPtrExportData *);
cudaError_t cudaMemGetInfo(size_t *, size_t *);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int);
cudaError_t cudaMemRangeGetAttribute(void *, size_t, cudaMemRangeAttribute, const void *, size_t);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *, const void *);

cudaError_t cudaMemcpy(void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *);
cudaError_t cudaMemcpyPeer(void *, int, const void *, int, size_t);
cudaError_t cudaMemcpyPeerAsync(void *, int, const void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms *);
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms *, cudaStream_t = 0);
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t, size_t, size_t, const void *, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyFromArray(void *, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpyFromArrayAsync(void *, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2DFromArray(void *, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t, cudaMemcpyKind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemset2D(void *, size_t, int, size_t, size_t);
cudaError_t cudaMemset3D(cudaPitchedPtr, int, cudaExtent);
cudaError_t cudaMemcpyToSymbol(const void *, const void *, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyFromSymbol(void *, const void *, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost);
cudaError_t cudaMemcpyToSymbolAsync(const void *, const void *, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyFromSymbolAsync(void *, const void *, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaGetSymbolAddress(void **, const void *);
cudaError_t cudaGetSymbolSize(size_t *, const void *);

cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int, cudaChannelFormatKind);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *, cudaArray_const_t);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *, const cudaResourceDesc *, const cudaTextureDesc *, const cudaResourceViewDesc *);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *, cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *, const cudaResourceDesc *);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
cudaError_t cudaBindTexture(size_t *, const textureReference *, const void *, const cudaChannelFormatDesc *, size_t = (size_t)0xffffffff);
cudaError_t cudaBindTexture2D(size_t *, const textureReference *, const void *, const cudaChannelFormatDesc *, size_t, size_t, size_t);
cudaError_t cudaBindTextureToArray(const textureReference *, cudaArray_const_t, const cudaChannelFormatDesc *);
cudaError_t cudaUnbindTexture(const textureReference *);
cudaError_t cudaGetTextureReference(const textureReference **, const void *);
cudaError_t cudaBindSurfaceToArray(const surfaceReference *, cudaArray_const_t, const cudaChannelFormatDesc *);

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t, unsigned int);
cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t *, cudaStream_t = 0);
cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t *, cudaStream_t = 0);
cudaError_t cudaGraphicsResourceGetMappedPointer(void **, size_t *, cudaGraphicsResource_t);
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *, cudaGraphicsResource_t, unsigned int, unsigned int);
cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t *, cudaGraphicsResource_t);
cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *, const cudaExternalMemoryHandleDesc *);
cudaError_t cudaExternalMemoryGetMappedBuffer(void **, cudaExternalMemory_t, const cudaExternalMemoryBufferDesc *);
cudaError_t cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t *, cudaExternalMemory_t, const cudaExternalMemoryMipmappedArrayDesc *);
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t);
cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t *, const cudaExternalSemaphoreHandleDesc *);
cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *, const cudaExternalSemaphoreSignalParams *, unsigned int, cudaStream_t = 0);
cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *, const cudaExternalSemaphoreWaitParams *, unsigned int, cudaStream_t = 0);
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t);
cudaError_t cudaDeviceGetNvSciSyncAttributes(void *, int, int);

cudaError_t cudaGraphCreate(cudaGraph_t *, unsigned int);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphClone(cudaGraph_t *, cudaGraph_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *, cudaGraph_t, unsigned long long = 0);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo *);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, cudaGraphNodeParams *);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, const cudaKernelNodeParams *);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, const cudaMemcpy3DParms *);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, const cudaMemsetParams *);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, const cudaHostNodeParams *);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, cudaGraph_t);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, cudaEvent_t);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, cudaEvent_t);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, cudaMemAllocNodeParams *);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, void *);
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *, const cudaGraphNode_t *, size_t);
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t *, size_t *);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t, cudaGraphNode_t *, size_t *);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t, cudaGraphNodeType *);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t, cudaKernelNodeParams *);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t, const cudaKernelNodeParams *);
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t, cudaKernelNodeAttrID, const cudaKernelNodeAttrValue *);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const cudaKernelNodeParams *);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const cudaMemcpy3DParms *);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t, cudaGraphNode_t, void *, const void *, size_t, cudaMemcpyKind);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const cudaHostNodeParams *);
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *, cudaGraph_t, unsigned int = 0, unsigned int = 0);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t, const char *, unsigned int);
__device__ void cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned int);
__device__ cudaGraphExec_t cudaGetCurrentGraphExec();
__device__ void cudaTriggerProgrammaticLaunchCompletion();
__device__ void cudaGridDependencySynchronize();
}
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)

// C++ forms: typed pointers, symbols and kernels.
template <class __T> CUDALINT_HD cudaError_t cudaMalloc(__T **p, size_t n) { return ::cudaMalloc((void **)(void *)p, n); }
template <class __T> cudaError_t cudaMallocHost(__T **p, size_t n, unsigned int flags = 0) { return ::cudaHostAlloc((void **)(void *)p, n, flags); }
template <class __T> cudaError_t cudaHostAlloc(__T **p, size_t n, unsigned int flags) { return ::cudaHostAlloc((void **)(void *)p, n, flags); }
template <class __T> cudaError_t cudaHostGetDevicePointer(__T **p, void *h, unsigned int flags) { return ::cudaHostGetDevicePointer((void **)(void *)p, h, flags); }
template <class __T> cudaError_t cudaMallocManaged(__T **p, size_t n, unsigned int flags = cudaMemAttachGlobal) { return ::cudaMallocManaged((void **)(void *)p, n, flags); }
template <class __T> cudaError_t cudaMallocPitch(__T **p, size_t *pitch, size_t w, size_t h) { return ::cudaMallocPitch((void **)(void *)p, pitch, w, h); }
template <class __T> cudaError_t cudaMallocAsync(__T **p, size_t n, cudaStream_t s) { return ::cudaMallocAsync((void **)(void *)p, n, s); }
template <class __T> cudaError_t cudaMallocAsync(__T **p, size_t n, cudaMemPool_t pool, cudaStream_t s) { return ::cudaMallocFromPoolAsync((void **)(void *)p, n, pool, s); }
template <class __T> cudaError_t cudaMallocFromPoolAsync(__T **p, size_t n, cudaMemPool_t pool, cudaStream_t s) { return ::cudaMallocFromPoolAsync((void **)(void *)p, n, pool, s); }
template <class __T> cudaError_t cudaMemcpyToSymbol(const __T &symbol, const void *src, size_t n, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice);
template <class __T> cudaError_t cudaMemcpyToSymbolAsync(const __T &symbol, const void *src, size_t n, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t s = 0);
template <class __T> cudaError_t cudaMemcpyFromSymbol(void *dst, const __T &symbol, size_t n, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
template <class __T> cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const __T &symbol, size_t n, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t s = 0);
template <class __T> cudaError_t cudaGetSymbolAddress(void **p, const __T &symbol);
template <class __P, class __T> cudaError_t cudaGetSymbolAddress(__P **p, const __T &symbol);
template <class __T> cudaError_t cudaGetSymbolSize(size_t *n, const __T &symbol);
template <class __T> cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, __T *p, size_t n = 0, unsigned int flags = cudaMemAttachSingle);
template <class __T> cudaError_t cudaLaunchKernel(const __T *f, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0);
template <class __T> cudaError_t cudaLaunchKernel(__T *f, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0);
template <class __T> cudaError_t cudaLaunchCooperativeKernel(const __T *f, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0);
template <class __T> cudaError_t cudaLaunchCooperativeKernel(__T *f, dim3 grid, dim3 block, void **args, size_t shared = 0, cudaStream_t stream = 0);
template <class... __P, class... __A> cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(__P...), __A &&...args);
template <class __T> cudaError_t cudaFuncSetCacheConfig(__T *f, cudaFuncCache);
template <class __T> cudaError_t cudaFuncSetSharedMemConfig(__T *f, cudaSharedMemConfig);
template <class __T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *, __T *f);
template <class __T> cudaError_t cudaFuncSetAttribute(__T *f, cudaFuncAttribute, int);
template <class __T> cudaError_t cudaGetKernel(cudaKernel_t *, __T *f);
template <class __T> cudaError_t cudaLaunch(__T *f);
template <class __T> cudaError_t cudaSetupArgument(__T arg, size_t offset);
template <class __T> CUDALINT_HD cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, __T f, int, size_t);
template <class __T> CUDALINT_HD cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *, __T f, int, size_t, unsigned int);
template <class __T> cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *, __T *f, int, int);
template <class __T> cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGrid, int *block, __T f, size_t shared = 0, int limit = 0);
template <class __T> cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGrid, int *block, __T f, size_t shared = 0, int limit = 0, unsigned int flags = 0);
template <class __U, class __T> cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGrid, int *block, __T f, __U sharedOf, int limit = 0);
template <class __T> cudaError_t cudaOccupancyMaxPotentialClusterSize(int *, __T *f, const cudaLaunchConfig_t *);
template <class __T> cudaError_t cudaOccupancyMaxActiveClusters(int *, __T *f, const cudaLaunchConfig_t *);
template <class __T> cudaChannelFormatDesc cudaCreateChannelDesc();
inline cudaError_t cudaEventCreate(cudaEvent_t *e, unsigned int flags) { return ::cudaEventCreateWithFlags(e, flags); }
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, unsigned long long = 0);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t, cudaGraphNode_t *, char *, size_t);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphNode_t *, cudaGraphExecUpdateResult *);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus *, unsigned long long *, cudaGraph_t *, const cudaGraphNode_t **, const cudaGraphEdgeData **, size_t *);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t *, const cudaGraphEdgeData *, size_t, unsigned int = 0);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, const cudaGraphEdgeData *, size_t, cudaGraphNodeParams *);
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *, const cudaGraphNode_t *, const cudaGraphEdgeData *, size_t);
template <class __T> cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, const __T &, const void *, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation, unsigned int, cudaStream_t = 0);
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, cudaMemLocation);
cudaError_t cudaMallocAsync(void **, size_t, cudaMemPool_t, cudaStream_t);
inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { cudaExtent e; e.width = w; e.height = h; e.depth = d; return e; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { cudaPos p; p.x = x; p.y = y; p.z = z; return p; }
inline cudaPitchedPtr make_cudaPitchedPtr(void *d, size_t p, size_t xsz, size_t ysz) { cudaPitchedPtr s; s.ptr = d; s.pitch = p; s.xsize = xsz; s.ysize = ysz; return s; }
cudaChannelFormatDesc cudaCreateChannelDescHalf();
cudaChannelFormatDesc cudaCreateChannelDescHalf1();
cudaChannelFormatDesc cudaCreateChannelDescHalf2();
cudaChannelFormatDesc cudaCreateChannelDescHalf4();
