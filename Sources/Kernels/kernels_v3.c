// The kernels for AVX2. kernel_dispatch.c checks the processor for exactly the features listed here.

#include "kernel_levels.h"
#include <string.h>

#if defined(__x86_64__)

#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,fma,popcnt"))), apply_to = function)
#define LEVEL_NAME(name) name##_v3
#define LEVEL texel_cpu_v3
#define MULTIPLY_ADD_BYTES 32
#define MULTIPLY_ROUND_BYTES 32
#include "kernel_loops.h"
#pragma clang attribute pop

#endif
