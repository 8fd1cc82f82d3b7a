#pragma once
#pragma clang system_header
#include "cusolverSp.h"
