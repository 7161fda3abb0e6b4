#include "match_finder.h"

#include <stdlib.h>
#include <string.h>

enum {
    hash_bits = 16,
    /// The most earlier positions that are compared with one.
    search_depth = 300,
};

/// For each hash of four bytes a binary tree of the positions that have it, in the order of the bytes that follow them.
/// Below a position are only earlier ones, so that a search meets the nearest match of each length first. A position is
/// stored as its value plus 1; 0 means that there is no position.
struct match_finder {
    uint32_t latest_of_three[1 << hash_bits], roots[1 << hash_bits];
    /// For each position in the window the tree of smaller strings, and that of larger ones.
    uint32_t children[window_size][2];
};

match_finder *make_match_finder(void) { return calloc(1, sizeof(match_finder)); }

static uint32_t hash(uint32_t value) { return value * 0x9E3779B1u >> (32 - hash_bits); }

static uint32_t first_three(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
}

static uint32_t first_four(const uint8_t *bytes) { return first_three(bytes) | (uint32_t)bytes[3] << 24; }

/// Returns how many bytes are equal, at most `most`; the first `length` are known to be.
static uint32_t common_length(const uint8_t *a, const uint8_t *b, uint32_t length, uint32_t most) {
    for (; length + 8 <= most; length += 8) {
        uint64_t first, second;
        memcpy(&first, a + length, sizeof first);
        memcpy(&second, b + length, sizeof second);
        if (first != second) break;
    }
    while (length < most && a[length] == b[length]) length++;
    return length;
}

int find_matches(match_finder *finder, const uint8_t *bytes, size_t position, size_t end, match *matches) {
    const uint8_t *here = bytes + position;
    uint32_t most = end - position < longest_match ? (uint32_t)(end - position) : longest_match;
    uint32_t best = shortest_match - 1, stored = (uint32_t)position + 1;
    int count = 0;
    uint32_t *latest = &finder->latest_of_three[hash(first_three(here))];
    if (*latest > 0 && stored - *latest <= window_size) {
        uint32_t length = common_length(bytes + *latest - 1, here, 0, most);
        if (length > best) {
            best = length;
            matches[count++] = (match){(uint16_t)length, (uint16_t)(stored - *latest)};
        }
    }
    *latest = stored;

    // The position becomes the root. What was below divides into smaller and larger strings.
    uint32_t *root = &finder->roots[hash(first_four(here))], other = *root;
    *root = stored;
    uint32_t *smaller = &finder->children[position % window_size][0];
    uint32_t *larger = &finder->children[position % window_size][1];
    uint32_t smaller_length = 0, larger_length = 0;
    // The children of a position that is a whole window away are those of this one.
    for (int depth = 0; other > 0 && stored - other < window_size && depth < search_depth; depth++) {
        const uint8_t *there = bytes + other - 1;
        uint32_t *below = finder->children[(other - 1) % window_size];
        // Strings between two others begin with what these have in common.
        uint32_t length = smaller_length < larger_length ? smaller_length : larger_length;
        length = common_length(there, here, length, most);
        if (length > best) {
            best = length;
            if (count == most_matches) count--;
            matches[count++] = (match){(uint16_t)length, (uint16_t)(stored - other)};
        }
        if (length == most) {
            *smaller = below[0];
            *larger = below[1];
            return count;
        }
        if (there[length] < here[length]) {
            *smaller = other;
            smaller = &below[1];
            smaller_length = length;
            other = *smaller;
        } else {
            *larger = other;
            larger = &below[0];
            larger_length = length;
            other = *larger;
        }
    }
    *smaller = *larger = 0;
    return count;
}
