// The kernels for AVX-512. The target lists features rather than `arch=x86-64-v4`, which lets the compiler use 512-bit
// registers. kernel_dispatch.c checks the processor for exactly the features listed here.

#include "kernel_levels.h"
#include <string.h>

#if defined(__x86_64__)

#pragma clang attribute push( \
    __attribute__((target("avx2,bmi,bmi2,fma,popcnt,avx512f,avx512bw,avx512vl,avx512dq"))), apply_to = function)
#define LEVEL_NAME(name) name##_v4
#define LEVEL texel_cpu_v4
#define MULTIPLY_ADD_BYTES 64
#define MULTIPLY_ROUND_BYTES 64
#include "kernel_loops.h"
#pragma clang attribute pop

#endif
