#pragma once
#pragma clang system_header
extern "C" void error(int, int, const char *, ...);
