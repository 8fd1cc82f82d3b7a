"""The GPU of this machine, asked through the driver alone."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager

from cudalint.errors import UsageError

_MAJOR, _MINOR = 75, 76  # CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR and _MINOR


def require() -> None:
    """UsageError where the driver sees no GPU, or is not there."""
    _driver()


def architecture(device: int) -> str:
    """Of the GPU of this number, as sm_90. UsageError where there is none."""
    driver = _driver()
    return f"sm_{_attribute(driver, _MAJOR, device)}{_attribute(driver, _MINOR, device)}"


def _driver() -> ctypes.CDLL:
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        status = driver.cuInit(0)
    except OSError:
        status = -1
    if status != 0:
        raise UsageError("validate: no NVIDIA GPU found; use `--compile-only` without one")
    return driver


def _attribute(driver: ctypes.CDLL, which: int, device: int) -> int:
    value, handle = ctypes.c_int(), ctypes.c_int()
    if driver.cuDeviceGet(ctypes.byref(handle), device) != 0:
        raise UsageError(f"--device {device}: no such GPU")
    if driver.cuDeviceGetAttribute(ctypes.byref(value), which, handle) != 0:
        raise UsageError(f"--device {device}: the driver does not report its compute capability")
    return value.value


@contextmanager
def visible(device: int) -> Iterator[None]:
    """Programs started inside see only this GPU."""
    before = os.environ.get("CUDA_VISIBLE_DEVICES")
    known = before.split(",") if before else []
    os.environ["CUDA_VISIBLE_DEVICES"] = known[device] if device < len(known) else str(device)
    try:
        yield
    finally:
        if before is None:
            del os.environ["CUDA_VISIBLE_DEVICES"]
        else:
            os.environ["CUDA_VISIBLE_DEVICES"] = before
