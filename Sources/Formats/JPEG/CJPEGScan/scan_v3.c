// The decoder for AVX2. kernel_dispatch.c of the pixel kernels checks the processor for it.

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#include "scan_plan.h"

#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,fma,popcnt"))), apply_to = function)
#define VECTOR_BYTES 32
#include "inverse_transform_vector.h"
#define LEVEL_NAME(name) name##_v3
#include "scan_loops.h"
#pragma clang attribute pop

#endif
