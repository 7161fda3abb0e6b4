#ifndef TEST_LOOPS_H
#define TEST_LOOPS_H

#include <stddef.h>
#include <stdint.h>

/// SHA-256 (FIPS 180-4) of `count` bytes.
void texel_test_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]);

/// The largest difference between two bytes at the same place, and the first place where it occurs.
int texel_test_largest_difference(const uint8_t *left, const uint8_t *right, size_t count, size_t *place);

/// The sum of all differences between two bytes at the same place.
uint64_t texel_test_total_difference(const uint8_t *left, const uint8_t *right, size_t count);

/// BGRA into RGBA.
void texel_test_swap_red_and_blue(const uint8_t *source, uint8_t *destination, size_t pixels);

#endif
