#ifndef TOKENS_H
#define TOKENS_H

#include "huffman.h"

// What a deflate stream says: literals and matches, without the blocks and codes it is said with.

enum { literal_symbols = 286, distance_symbols = 30, end_symbol = 256 };

/// A literal: its byte. A match: its length in the upper half, its distance in the lower one.
typedef uint32_t deflate_token;

typedef struct {
    deflate_token *tokens;
    size_t count, capacity;
} token_list;

/// Appends the tokens of a whole stream. False for what is none, or where memory is short.
bool read_tokens(const uint8_t *bytes, size_t count, token_list *list);

// RFC 1951, 3.2.5.
extern const uint16_t length_bases[29], distance_bases[30];
extern const uint8_t length_extra_bits[29], distance_extra_bits[30];

/// The index of a length 3…258 among those of its symbols: 257 belongs to 0.
static inline int length_index(uint32_t length) {
    if (length == 258) return 28;
    if (length < 11) return (int)length - 3;
    int bits = 31 - __builtin_clz(length - 3) - 2;
    return 4 * bits + (int)((length - 3) >> bits);
}

static inline int distance_index(uint32_t distance) {
    if (distance < 5) return (int)distance - 1;
    int bits = 31 - __builtin_clz(distance - 1) - 1;
    return 2 * bits + (int)((distance - 1) >> bits);
}

#endif
