#include "test_loops.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int texel_test_largest_difference(const uint8_t *left, const uint8_t *right, size_t count, size_t *place) {
    int largest = 0;
    *place = 0;
    for (size_t i = 0; i < count; i++) {
        int difference = abs(left[i] - right[i]);
        if (difference > largest) {
            largest = difference;
            *place = i;
        }
    }
    return largest;
}

void texel_test_swap_red_and_blue(const uint8_t *source, uint8_t *destination, size_t pixels) {
    for (size_t i = 0; i < 4 * pixels; i += 4) {
        destination[i] = source[i + 2];
        destination[i + 1] = source[i + 1];
        destination[i + 2] = source[i];
        destination[i + 3] = source[i + 3];
    }
}

static uint32_t rotate(uint32_t value, int bits) { return value >> bits | value << (32 - bits); }

/// The first 32 bits behind the point of a root of a prime, by whole numbers only.
static uint32_t root_fraction(unsigned prime, bool cubic) {
    // The largest r with r² ≤ prime · 2⁶⁴, or r³ ≤ prime · 2⁹⁶, bit by bit; r < 2³⁶.
    unsigned __int128 root = 0;
    for (int bit = 36; bit >= 0; bit--) {
        unsigned __int128 trial = root | (unsigned __int128)1 << bit;
        unsigned __int128 limit = (unsigned __int128)prime << (cubic ? 96 : 64);
        unsigned __int128 square = trial * trial;
        bool fits = cubic ? square <= limit / trial : square <= limit;
        if (fits) root = trial;
    }
    return (uint32_t)root;
}

static void fill_constants(uint32_t rounds[64], uint32_t state[8]) {
    int found = 0;
    for (unsigned candidate = 2; found < 64; candidate++) {
        bool is_prime = true;
        for (unsigned divisor = 2; divisor * divisor <= candidate; divisor++) {
            if (candidate % divisor == 0) is_prime = false;
        }
        if (!is_prime) continue;
        rounds[found] = root_fraction(candidate, true);
        if (found < 8) state[found] = root_fraction(candidate, false);
        found++;
    }
}

static void mix_block(const uint8_t *block, const uint32_t rounds[64], uint32_t state[8]) {
    uint32_t words[64];
    for (int i = 0; i < 16; i++) {
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
                   block[4 * i + 3];
    }
    for (int i = 16; i < 64; i++) {
        uint32_t a = words[i - 15], b = words[i - 2];
        uint32_t small0 = rotate(a, 7) ^ rotate(a, 18) ^ a >> 3;
        uint32_t small1 = rotate(b, 17) ^ rotate(b, 19) ^ b >> 10;
        words[i] = words[i - 16] + small0 + words[i - 7] + small1;
    }
    uint32_t v[8];
    memcpy(v, state, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t big1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t first = v[7] + big1 + choice + rounds[i] + words[i];
        uint32_t big0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + big0 + majority;
    }
    for (int i = 0; i < 8; i++) state[i] += v[i];
}

void texel_test_sha256(const uint8_t *bytes, size_t count, uint8_t digest[32]) {
    uint32_t rounds[64], state[8];
    fill_constants(rounds, state);
    size_t whole = count / 64;
    for (size_t i = 0; i < whole; i++) mix_block(bytes + 64 * i, rounds, state);
    // The rest, one set bit, zeros, and the length in bits.
    uint8_t tail[128] = {0};
    size_t rest = count % 64;
    if (rest) memcpy(tail, bytes + 64 * whole, rest);
    tail[rest] = 0x80;
    size_t length = rest < 56 ? 64 : 128;
    for (int i = 0; i < 8; i++) tail[length - 1 - i] = (uint8_t)((uint64_t)count * 8 >> (8 * i));
    for (size_t i = 0; i < length; i += 64) mix_block(tail + i, rounds, state);
    for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(state[i / 4] >> (24 - 8 * (i % 4)));
}

uint64_t texel_test_total_difference(const uint8_t *left, const uint8_t *right, size_t count) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += left[i] < right[i] ? right[i] - left[i] : left[i] - right[i];
    return sum;
}
