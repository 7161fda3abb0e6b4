#include "match_finder.h"

#include <stdlib.h>
#include <string.h>

enum {
    hash_bits = 15,
    /// The most positions of a chain that are compared.
    chain_depth = 64,
};

/// Positions are stored plus one; 0 is none.
struct match_finder {
    uint32_t latest_of_three[1 << hash_bits], latest_of_four[1 << hash_bits];
    uint32_t earlier[window_size];
};

match_finder *make_match_finder(void) { return calloc(1, sizeof(match_finder)); }

static uint32_t load(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static uint32_t hash(uint32_t value) { return value * 0x9E3779B1u >> (32 - hash_bits); }

/// The first three of four bytes, in the order of the machine; equal for equal bytes.
static uint32_t first_three(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
}

static uint32_t first_four(const uint8_t *bytes) { return first_three(bytes) | (uint32_t)bytes[3] << 24; }

void add_position(match_finder *finder, const uint8_t *bytes, size_t position) {
    uint32_t *latest = &finder->latest_of_four[hash(first_four(bytes + position))];
    finder->earlier[position % window_size] = *latest;
    *latest = (uint32_t)position + 1;
    finder->latest_of_three[hash(first_three(bytes + position))] = (uint32_t)position + 1;
}

static uint32_t common_length(const uint8_t *a, const uint8_t *b, uint32_t most) {
    uint32_t length = 0;
    while (length + 4 <= most && load(a + length) == load(b + length)) length += 4;
    while (length < most && a[length] == b[length]) length++;
    return length;
}

int find_matches(match_finder *finder, const uint8_t *bytes, size_t position, size_t end, match *matches) {
    const uint8_t *here = bytes + position;
    uint32_t most = end - position < longest_match ? (uint32_t)(end - position) : longest_match;
    uint32_t best = shortest_match - 1;
    int count = 0;
    uint32_t earlier = finder->latest_of_three[hash(first_three(here))];
    if (earlier > 0 && position - (earlier - 1) <= window_size) {
        uint32_t length = common_length(bytes + earlier - 1, here, most);
        if (length > best) {
            best = length;
            matches[count++] = (match){(uint16_t)length, (uint16_t)(position - (earlier - 1))};
        }
    }
    earlier = finder->latest_of_four[hash(first_four(here))];
    for (int depth = 0; depth < chain_depth && best < most && count < most_matches; depth++) {
        if (earlier == 0 || position - (earlier - 1) > window_size) break;
        const uint8_t *there = bytes + earlier - 1;
        if (there[best] == here[best]) {
            uint32_t length = common_length(there, here, most);
            if (length > best) {
                best = length;
                matches[count++] = (match){(uint16_t)length, (uint16_t)(position - (earlier - 1))};
            }
        }
        uint32_t next = finder->earlier[(earlier - 1) % window_size];
        // The slot may already belong to a later position.
        if (next >= earlier) break;
        earlier = next;
    }
    add_position(finder, bytes, position);
    return count;
}
