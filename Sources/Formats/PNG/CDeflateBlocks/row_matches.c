#include "row_matches.h"

#include "match_finder.h"

#include <stdlib.h>

enum {
    hash_bits = 15,
    /// Matches of at least this length are also looked for by a hash of this many bytes.
    long_match = 8,
    /// The cost of a match in units of 1/256 bit: measured, so that the filters chosen by these costs give small files.
    /// Less than a match takes on average, because a deflate encoder finds better ones than the latest.
    match_cost = 2 << 8,
    /// The cost of each bit of a distance.
    distance_bit_cost = 1 << 7,
};

/// Positions are stored without their upper bits. Bytes are compared before a match is used.
struct texel_row_matches {
    uint16_t added[1 << hash_bits], added_long[1 << hash_bits];
    /// The positions in the row whose cost is estimated, or in others that were estimated in its place.
    uint16_t current[1 << hash_bits];
};

texel_row_matches *texel_row_matches_make(void) { return calloc(1, sizeof(texel_row_matches)); }

/// Returns a hash of `shortest_match` bytes.
static uint32_t short_hash(const uint8_t *bytes) {
    uint32_t three = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
    return three * 0x9E3779B1u >> (32 - hash_bits);
}

/// Returns a hash of `long_match` bytes, in one byte order so that collisions are the same on every machine.
static uint32_t long_hash(const uint8_t *bytes) {
    uint64_t eight = 0;
    for (int i = 0; i < long_match; i++) eight |= (uint64_t)bytes[i] << 8 * i;
    return (uint32_t)(eight * 0x9E3779B97F4A7C15u >> (64 - hash_bits));
}

typedef struct {
    size_t length;
    uint32_t distance;
} found_match;

/// Replaces a match by that with an earlier position if it is longer.
static void take_longer(found_match *match, const uint8_t *bytes, size_t position, size_t end, uint16_t earlier) {
    size_t distance = (uint16_t)(position - earlier);
    if (distance == 0 || distance > position || distance > window_size) return;
    const uint8_t *here = bytes + position, *there = here - distance;
    size_t length = 0, most = end - position < longest_match ? end - position : longest_match;
    while (length < most && there[length] == here[length]) length++;
    if (length >= shortest_match && length > match->length)
        *match = (found_match){length, (uint32_t)distance};
}

/// Returns the cost of `count` literals, or a partial sum above `limit`.
static uint64_t literals_cost(const uint8_t *bytes, size_t count, const uint32_t *costs, uint64_t limit) {
    uint64_t sum = 0;
    for (size_t i = 0; i < count && sum <= limit; i++) sum += costs[bytes[i]];
    return sum;
}

uint64_t texel_row_matches_cost(
    texel_row_matches *matches, const uint8_t *bytes, size_t begin, size_t count, const uint32_t *literal_costs) {
    uint64_t sum = 0;
    size_t end = begin + count, at = begin;
    while (at + shortest_match <= end) {
        uint32_t slot = short_hash(bytes + at);
        found_match match = {0, 0};
        take_longer(&match, bytes, at, end, matches->current[slot]);
        take_longer(&match, bytes, at, end, matches->added[slot]);
        if (match.length > 0 && at + long_match <= end)
            take_longer(&match, bytes, at, end, matches->added_long[long_hash(bytes + at)]);
        matches->current[slot] = (uint16_t)at;
        size_t literals = 1;
        if (match.length > 0) {
            uint64_t cost = match_cost + distance_bit_cost * (uint64_t)(31 - __builtin_clz(match.distance));
            if (cost < literals_cost(bytes + at, match.length, literal_costs, cost)) {
                sum += cost;
                at += match.length;
                continue;
            }
            // Literals that are cheaper than such a match are runs of one byte, in which no better one is found.
            if (match.length >= long_match) literals = match.length;
        }
        sum += literals_cost(bytes + at, literals, literal_costs, UINT64_MAX);
        at += literals;
    }
    return sum + literals_cost(bytes + at, end - at, literal_costs, UINT64_MAX);
}

void texel_row_matches_add(texel_row_matches *matches, const uint8_t *bytes, size_t begin, size_t count) {
    size_t end = begin + count;
    for (size_t at = begin; at + shortest_match <= end; at++) {
        matches->added[short_hash(bytes + at)] = (uint16_t)at;
        if (at + long_match <= end) matches->added_long[long_hash(bytes + at)] = (uint16_t)at;
    }
}
