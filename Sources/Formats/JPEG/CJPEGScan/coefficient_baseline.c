#include <stdint.h>

static inline uint32_t position_after(uint32_t k, uint32_t count, uint64_t *rest) {
    uint32_t position = k + count;
    for (; *rest != 0 && position >= (uint32_t)__builtin_ctzll(*rest); position++) *rest &= *rest - 1;
    return position;
}

#define LEVEL_NAME(name) name##_baseline
#include "coefficient_loops.h"
