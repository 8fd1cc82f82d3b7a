#pragma once
#pragma clang system_header
#include "cuda.h"
#include "cuda_gl_interop.h"
