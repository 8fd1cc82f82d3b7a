#pragma once
#pragma clang system_header
#include "freeglut.h"
