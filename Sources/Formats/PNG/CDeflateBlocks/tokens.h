#ifndef TOKENS_H
#define TOKENS_H

#include "huffman.h"

// The literals and matches of a deflate stream, without its blocks and codes.

enum { literal_symbols = 286, distance_symbols = 30, end_symbol = 256 };

/// A literal is its byte. A match has its length in the upper 16 bits and its distance in the lower 16.
typedef uint32_t deflate_token;

typedef struct {
    deflate_token *tokens;
    size_t count, capacity;
} token_list;

/// Appends the tokens of a complete stream. Returns false if the stream is invalid or memory runs out.
bool read_tokens(const uint8_t *bytes, size_t count, token_list *list);

// Base values and extra bits of length and distance symbols (RFC 1951, 3.2.5).
extern const uint16_t length_bases[29], distance_bases[30];
extern const uint8_t length_extra_bits[29], distance_extra_bits[30];

/// Returns the index of a length's symbol (3…258), counted from symbol 257.
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
