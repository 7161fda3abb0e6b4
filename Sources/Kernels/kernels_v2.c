// The kernels for SSE 4.2. kernel_dispatch.c checks the processor for exactly the features listed here.

#include "kernel_levels.h"
#include <string.h>

#if defined(__x86_64__)

#pragma clang attribute push(__attribute__((target("sse4.2,popcnt"))), apply_to = function)
#define LEVEL_NAME(name) name##_v2
#define LEVEL texel_cpu_v2
#define MULTIPLY_ADD_BYTES 16
#define MULTIPLY_ROUND_BYTES 16
#include "kernel_loops.h"
#pragma clang attribute pop

#endif
