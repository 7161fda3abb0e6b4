#ifndef BLOCK_CODES_H
#define BLOCK_CODES_H

#include "tokens.h"

// The codes that fit the statistics of a block, and the size of the block with them.

/// The number of occurrences of each symbol, without the end of the block.
typedef struct {
    uint32_t literals[literal_symbols], distances[distance_symbols];
} symbol_counts;

/// Counts the symbols of a token.
void count_token(symbol_counts *counts, deflate_token token);

/// The lengths of a block's codes, and their encoding in the header of a dynamic block.
typedef struct {
    uint8_t lengths[literal_symbols + distance_symbols];
    int literals, distances;
    /// Code length symbols (RFC 1951, 3.2.7), each with its extra bits in the upper byte.
    uint16_t instructions[literal_symbols + distance_symbols];
    int instruction_count;
    uint8_t instruction_lengths[19];
    int given_instruction_lengths;
} fitted_codes;

/// Computes the codes for one block with these symbols. Returns the size of the block in bits, without the extra bits
/// of lengths and distances, which do not depend on the codes.
uint64_t fit_codes(const symbol_counts *counts, fitted_codes *codes);

/// Returns the same size with the fixed codes of RFC 1951.
uint64_t fixed_block_bits(const symbol_counts *counts);

extern const uint8_t code_length_order[19];

#endif
