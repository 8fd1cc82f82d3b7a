#pragma once
#pragma clang system_header
extern "C" { char *dirname(char *); char *basename(const char *); }
