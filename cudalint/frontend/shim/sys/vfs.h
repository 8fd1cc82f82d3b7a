#pragma once
#pragma clang system_header
#include "statfs.h"
