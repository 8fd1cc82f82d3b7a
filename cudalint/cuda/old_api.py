"""What is gone from CUDA's interface, or is about to go: one row a name.

Sources: the lists of deprecated functions in the reference of each release (CUDA Runtime API and CUDA Driver
API, 9.0 to 12.6), the release notes of 10.1, 12.0, 12.4 and 13.0, and the headers of CUDA 13.0, against which
every row was compared: `removed` is None where they still declare the name.
"""

from msgspec import Struct
from msgspec.structs import replace


class Row(Struct, frozen=True):
    """A function or a field. deprecated, removed: releases; None where not published, and not removed.

    help: what to do instead. same: the function that takes the same arguments and does the same.
    """

    name: str
    deprecated: str | None
    removed: str | None
    help: str
    same: str | None = None
    note: str = ""


def _renamed(old: str, new: str) -> Row:
    return Row(old, "4.0", "13.0", f"call `{new}` instead", same=new)


def _array(name: str, new: str) -> Row:
    return Row(name, "10.1", None, f"call `{new}`, which takes a pitch, width and height")


_OBJECT = "create a texture object with `cudaCreateTextureObject` and pass it to the kernel"
_BANKS = Row(
    "cudaDeviceSetSharedMemConfig",
    "12.4",
    None,
    "remove the call",
    note="only compute capability 3.x has configurable bank widths: elsewhere the call has no effect",
)
_LAUNCH = "launch with `cuLaunchKernel`, which takes the block, the shared memory and the arguments"
_TEXREF = "create a texture object with `cuTexObjectCreate`"


def _many(names: str, deprecated: str | None, removed: str | None, help: str, note: str = "") -> list[Row]:
    return [Row(name, deprecated, removed, help, note=note) for name in names.split()]


_ROWS = [
    _renamed("cudaThreadSynchronize", "cudaDeviceSynchronize"),
    _renamed("cudaThreadExit", "cudaDeviceReset"),
    _renamed("cudaThreadGetLimit", "cudaDeviceGetLimit"),
    _renamed("cudaThreadSetLimit", "cudaDeviceSetLimit"),
    _renamed("cudaThreadGetCacheConfig", "cudaDeviceGetCacheConfig"),
    _renamed("cudaThreadSetCacheConfig", "cudaDeviceSetCacheConfig"),
    _array("cudaMemcpyToArray", "cudaMemcpy2DToArray"),
    _array("cudaMemcpyToArrayAsync", "cudaMemcpy2DToArrayAsync"),
    _array("cudaMemcpyFromArray", "cudaMemcpy2DFromArray"),
    _array("cudaMemcpyFromArrayAsync", "cudaMemcpy2DFromArrayAsync"),
    _array("cudaMemcpyArrayToArray", "cudaMemcpy2DArrayToArray"),
    *_many(
        "cudaBindTexture cudaBindTexture2D cudaBindTextureToArray cudaBindTextureToMipmappedArray "
        "cudaUnbindTexture cudaGetTextureAlignmentOffset cudaGetTextureReference",
        "10.1",
        "12.0",
        _OBJECT,
    ),
    *_many(
        "cudaBindSurfaceToArray cudaGetSurfaceReference",
        "10.1",
        "12.0",
        "create a surface object with `cudaCreateSurfaceObject` and pass it to the kernel",
    ),
    _BANKS,
    *_many("cudaDeviceGetSharedMemConfig", "12.4", None, "banks are 4 bytes wide since 5.0", _BANKS.note),
    *_many(
        "cudaFuncSetSharedMemConfig cuCtxSetSharedMemConfig cuFuncSetSharedMemConfig",
        "12.4",
        None,
        _BANKS.help,
        _BANKS.note,
    ),
    *_many(
        "cudaLaunchCooperativeKernelMultiDevice",
        "11.3",
        "13.0",
        "launch on each device with `cudaLaunchCooperativeKernel`, and synchronise on the host or with flags "
        "in peer memory",
    ),
    *_many(
        "cudaSetDoubleForDevice cudaSetDoubleForHost",
        "7.5",
        "13.0",
        "remove the call: only devices below 1.3 lacked double",
    ),
    *_many("cudaProfilerInitialize", "11.0", "12.0", "pass the options to the profiler when it is started"),
    *_many("cudaConfigureCall cudaSetupArgument cudaLaunch", "7.0", "10.1", "launch with `cudaLaunchKernel`"),
    *_many(
        "cuLaunch cuLaunchGrid cuLaunchGridAsync cuParamSetSize cuParamSeti cuParamSetf cuParamSetv "
        "cuFuncSetBlockShape cuFuncSetSharedSize",
        "4.0",
        None,
        _LAUNCH,
    ),
    *_many("cuLaunchCooperativeKernelMultiDevice", "11.3", None, "launch on each device separately"),
    *_many(
        "cuDeviceComputeCapability cuDeviceGetProperties",
        None,
        None,
        "query each attribute with `cuDeviceGetAttribute`",
    ),
    *_many(
        "cuCtxAttach cuCtxDetach",
        None,
        None,
        "use `cuDevicePrimaryCtxRetain` and `cuDevicePrimaryCtxRelease`",
    ),
    *_many(
        "cuParamSetTexRef cuModuleGetTexRef cuModuleGetSurfRef cuTexRefCreate cuTexRefDestroy "
        "cuTexRefSetArray cuTexRefSetMipmappedArray cuTexRefSetAddress cuTexRefSetAddress2D "
        "cuTexRefSetFormat cuTexRefSetAddressMode cuTexRefSetFilterMode cuTexRefSetFlags cuTexRefGetAddress "
        "cuTexRefGetArray cuTexRefGetFormat cuTexRefGetFlags cuTexRefGetAddressMode cuTexRefGetFilterMode",
        None,
        None,
        _TEXREF,
    ),
]

_ON_DEVICE = "pass a `cudaMemLocation` with `cudaMemLocationTypeDevice` and the device number"
_ON_HOST = "pass a `cudaMemLocation` with `cudaMemLocationTypeHost`"
_EITHER = (
    "pass a `cudaMemLocation`: `cudaMemLocationTypeDevice` with the number, or `cudaMemLocationTypeHost` for "
    "`cudaCpuDeviceId`"
)
_CPU = -1  # cudaCpuDeviceId

FUNCTIONS: dict[str, Row] = {row.name: row for row in _ROWS}

# Functions of which one form is gone: the row, and the number of the argument that tells the old form by
# being an integer (a stream of 0 is one too: it stands behind).
FORMS: dict[str, tuple[Row, int]] = {
    "cudaMemPrefetchAsync": (Row("cudaMemPrefetchAsync", None, "13.0", _EITHER), 2),
    "cudaMemAdvise": (Row("cudaMemAdvise", None, "13.0", _EITHER), 3),
}


def located(row: Row, device: int | None) -> Row:
    """The row of an old form whose argument is that number; None where it is not known."""
    if device is None:
        return row
    return replace(row, help=_ON_HOST if device == _CPU else _ON_DEVICE)


def _attribute(name: str, attribute: str) -> Row:
    return Row(name, None, "13.0", f"query `{attribute}` with `cudaDeviceGetAttribute`")


FIELDS: dict[str, Row] = {
    row.name: row
    for row in (
        _attribute("clockRate", "cudaDevAttrClockRate"),
        _attribute("memoryClockRate", "cudaDevAttrMemoryClockRate"),
        _attribute("computeMode", "cudaDevAttrComputeMode"),
        _attribute("kernelExecTimeoutEnabled", "cudaDevAttrKernelExecTimeout"),
        _attribute("singleToDoublePrecisionPerfRatio", "cudaDevAttrSingleToDoublePrecisionPerfRatio"),
        Row("deviceOverlap", None, "13.0", "test `asyncEngineCount > 0`"),
        Row("maxTexture1DLinear", None, "13.0", "call `cudaDeviceGetTexture1DLinearMaxWidth`"),
        Row(
            "cooperativeMultiDeviceLaunch", None, "13.0", "multi-device cooperative launches were removed too"
        ),
    )
}

_GL = (
    ("cudaGLSetGLDevice", "5.0", "remove the call: any device works with OpenGL"),
    ("cudaGLRegisterBufferObject", "3.0", "register once with `cudaGraphicsGLRegisterBuffer`"),
    ("cudaGLMapBufferObject", "3.0", "map with `cudaGraphicsMapResources`"),
    ("cudaGLMapBufferObjectAsync", "3.0", "map with `cudaGraphicsMapResources`, in the stream"),
    ("cudaGLUnmapBufferObject", "3.0", "unmap with `cudaGraphicsUnmapResources`"),
    ("cudaGLUnmapBufferObjectAsync", "3.0", "unmap with `cudaGraphicsUnmapResources`, in the stream"),
    ("cudaGLUnregisterBufferObject", "3.0", "unregister with `cudaGraphicsUnregisterResource`"),
    ("cudaGLSetBufferObjectMapFlags", "3.0", "set them with `cudaGraphicsResourceSetMapFlags`"),
    ("cuGLInit", "3.0", "remove the call"),
    ("cuGLCtxCreate", "5.0", "create the context with `cuCtxCreate`"),
    ("cuGLRegisterBufferObject", "3.0", "register once with `cuGraphicsGLRegisterBuffer`"),
    ("cuGLMapBufferObject", "3.0", "map with `cuGraphicsMapResources`"),
    ("cuGLMapBufferObjectAsync", "3.0", "map with `cuGraphicsMapResources`, in the stream"),
    ("cuGLUnmapBufferObject", "3.0", "unmap with `cuGraphicsUnmapResources`"),
    ("cuGLUnmapBufferObjectAsync", "3.0", "unmap with `cuGraphicsUnmapResources`, in the stream"),
    ("cuGLUnregisterBufferObject", "3.0", "end with `cuGraphicsUnregisterResource`"),
    ("cuGLSetBufferObjectMapFlags", "3.0", "set them with `cuGraphicsResourceSetMapFlags`"),
)
GL: dict[str, Row] = {name: Row(name, deprecated, None, help) for name, deprecated, help in _GL}
