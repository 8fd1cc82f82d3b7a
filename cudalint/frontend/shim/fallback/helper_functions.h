#pragma once
#pragma clang system_header
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
#include "../algorithm"
#include "../fstream"
#include "../iostream"
#include "../vector"
