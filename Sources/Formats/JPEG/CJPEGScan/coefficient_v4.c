// The decoder of coefficients for processors with a fast `pdep`; on some of level v3 it takes hundreds of cycles.
// kernel_dispatch.c of the pixel kernels checks the processor. Other instructions of v2 and v3 gain less than 5 %.

#if defined(__x86_64__)

#include <immintrin.h>
#include <string.h>

#include "coefficient_plan.h"

#pragma clang attribute push(__attribute__((target("bmi,bmi2,popcnt"))), apply_to = function)
static inline uint32_t position_after(uint32_t k, uint32_t count, uint64_t *rest) {
    uint64_t zero = _pdep_u64(1ull << (count - 1), ~*rest & -2ull << k);
    *rest &= -zero;
    return (uint32_t)_tzcnt_u64(zero);
}

#define LEVEL_NAME(name) name##_v4
#include "coefficient_loops.h"
#pragma clang attribute pop

#endif
