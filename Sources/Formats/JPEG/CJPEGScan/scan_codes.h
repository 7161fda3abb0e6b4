// Lookup tables for Huffman codes.

#ifndef SCAN_CODES_H
#define SCAN_CODES_H

#include "jpeg_scan.h"

enum {
    LOOKUP_BITS = 11,
    LOOKUP_COUNT = 1 << LOOKUP_BITS,

    // Advances that are no positions: the position after them is at least the number.
    ADVANCE_END = 128,    ///< the end of the block
    ADVANCE_ESCAPE = 192, ///< a symbol with its value is longer than `LOOKUP_BITS`

    LONGEST_CODE = 16,
    /// The largest difference of DC coefficients of 8-bit samples has 11 bits.
    LARGEST_DC_SIZE = 11,
};

/// The codes that are too long for a lookup.
typedef struct {
    /// The first number, of 16 bits, that is above the codes of each length, and the index of their first symbol less
    /// their first code.
    uint32_t end[LONGEST_CODE + 1];
    int32_t offset[LONGEST_CODE + 1];
    uint8_t symbols[256];
} long_codes;

/// The symbol at the start of `LOOKUP_BITS` bits. With 0 bits, its code is longer.
typedef struct {
    uint8_t bits, symbol;
} code_prefix;

/// What the next `LOOKUP_BITS` bits of AC coefficients mean: one symbol or two, each with its value.
///
/// | bits | |
/// |---|---|
/// | 0–7 | the number of bits of all symbols |
/// | 8–15 | how far the first symbol advances in the block: its zeros and itself, or one of the special advances |
/// | 16–23 | how far all symbols advance; the same number if there is one |
/// | 24–31 | the number of bits of the first symbol |
/// | 32–47 | the value of the first symbol |
/// | 48–63 | the value of the second symbol, or of the first again |
///
/// With `ADVANCE_ESCAPE`, the value is the symbol, and the number of bits is that of its code; 0 if the code is too
/// long.
typedef uint64_t ac_entry;

static inline uint32_t ac_bits(ac_entry entry) { return (uint32_t)(entry & 0xFF); }
static inline uint32_t ac_first_advance(ac_entry entry) { return (uint32_t)(entry >> 8) & 0xFF; }
static inline uint32_t ac_advance(ac_entry entry) { return (uint32_t)(entry >> 16) & 0xFF; }
static inline uint32_t ac_first_bits(ac_entry entry) { return (uint32_t)(entry >> 24) & 0xFF; }
static inline int16_t ac_first_value(ac_entry entry) { return (int16_t)(entry >> 32); }
static inline int16_t ac_last_value(ac_entry entry) { return (int16_t)(entry >> 48); }

/// An AC symbol with its value at the start of some bits.
typedef struct {
    uint32_t bits;    ///< of the code and, unless it is an escape, of the value
    uint32_t advance; ///< or a special advance
    int32_t value;
} ac_symbol;

/// Returns the meaning of `bits`, which may be that of two symbols. `symbols` are those at the start of all bits.
ac_entry ac_entry_make(const ac_symbol *symbols, uint32_t bits);

/// Where only the lengths of AC coefficients matter: as many symbols as their codes fit in `LOOKUP_BITS`; the value of
/// the last may be longer.
///
/// Bits 0–7, 8–15, 16–23 and 24–31 as in `ac_entry`. With `ADVANCE_ESCAPE`, the code is too long.
typedef uint32_t skip_entry;

/// What the next bits of a DC difference mean: its number of bits in 0–7, the difference in 16–31. With 0 bits it is
/// longer than `LOOKUP_BITS`.
typedef uint32_t dc_entry;

typedef struct {
    ac_entry lookup[LOOKUP_COUNT];
    skip_entry skips[LOOKUP_COUNT];
    long_codes codes;
} ac_table;

typedef struct {
    dc_entry lookup[LOOKUP_COUNT];
    long_codes codes;
} dc_table;

/// Makes the canonical codes (ITU-T T.81, C.2), and `LOOKUP_COUNT` prefixes. Returns false if the code is missing, or
/// if it has more codes of a length than there are.
bool long_codes_make(long_codes *codes, code_prefix *prefixes, const texel_scan_code *code);

/// Makes a table. Returns false for a code that is not a prefix code, or whose symbols baseline files do not have.
bool dc_table_make(dc_table *table, const texel_scan_code *code);
/// Makes the lookup of values, of lengths, or of both.
bool ac_table_make(ac_table *table, const texel_scan_code *code, bool needs_values, bool needs_lengths);

/// Returns the value of `size` bits (ITU-T T.81, F.2.2.1, EXTEND). `size` is 1…15.
static inline int32_t extended(uint32_t bits, uint32_t size) {
    int32_t value = (int32_t)bits;
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

#endif
