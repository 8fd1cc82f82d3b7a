#pragma once
#pragma clang system_header
#include "../cudalint/cub_types.h"
#include "../cudalint/cub_block.h"
#include "../cudalint/cub_device.h"
