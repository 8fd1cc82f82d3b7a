#pragma once
#pragma clang system_header
#include "cudalint_prelude.h"
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
