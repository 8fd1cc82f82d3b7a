#pragma once
#pragma clang system_header
#include "../../cudalint/cub_block.h"
