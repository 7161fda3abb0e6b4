#ifndef BLOCK_CODES_H
#define BLOCK_CODES_H

#include "tokens.h"

// The codes that fit the statistics of a block, and what the block takes with them.

/// How often each symbol occurs; the end of the block is counted elsewhere.
typedef struct {
    uint32_t literals[literal_symbols], distances[distance_symbols];
} symbol_counts;

void count_token(symbol_counts *counts, deflate_token token);

/// Lengths of the codes, and how a dynamic block says them.
typedef struct {
    uint8_t lengths[literal_symbols + distance_symbols];
    int literals, distances;
    /// Symbols of RFC 1951, 3.2.7, each with its extra bits in the upper byte.
    uint16_t instructions[literal_symbols + distance_symbols];
    int instruction_count;
    uint8_t instruction_lengths[19];
    int given_instruction_lengths;
} fitted_codes;

/// The codes for one block with these symbols, and its bits without the extra ones of lengths and distances, which do
/// not depend on it.
uint64_t fit_codes(const symbol_counts *counts, fitted_codes *codes);

/// The same with RFC 1951's fixed codes.
uint64_t fixed_block_bits(const symbol_counts *counts);

extern const uint8_t code_length_order[19];

#endif
