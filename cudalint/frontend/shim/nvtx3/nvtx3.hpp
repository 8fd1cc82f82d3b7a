#pragma once
#pragma clang system_header
#include "nvToolsExt.h"
namespace nvtx3 { inline namespace v1 {
struct scoped_range { template <class... __A> explicit scoped_range(__A &&...); ~scoped_range(); };
template <class... __A> void mark(__A &&...);
} }
#define NVTX3_FUNC_RANGE() ::nvtx3::v1::scoped_range cudalint_range{__func__}
