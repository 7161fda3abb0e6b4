// Lookup tables for the AC codes of progressive scans, whose symbols also stand for runs of blocks (ITU-T T.81, G.1.2).

#ifndef PROGRESSION_CODES_H
#define PROGRESSION_CODES_H

#include "scan_codes.h"

enum {
    /// The advance of 16 zeros that are not followed by a coefficient: this and 16.
    ADVANCE_ZEROS = 64,
};

typedef struct {
    /// As in a sequential scan, except that the value of `ADVANCE_END` is the number of blocks after this one that have
    /// no new coefficients.
    ac_entry lookup[LOOKUP_COUNT];
    long_codes codes;
    int low_bit;
    bool is_refinement;
} progression_table;

/// Makes a table. Returns false for a code that is not a prefix code.
bool progression_table_make(progression_table *table, const texel_scan_code *code, int low_bit, bool is_refinement);

/// Returns how many bits follow the code of a symbol, at most 15, or -1 if no scan of the table's kind has the symbol.
int progression_value_size(const progression_table *table, uint32_t symbol);

/// Returns what a symbol with the bits of its value means. The number of bits is 0.
ac_symbol progression_symbol(const progression_table *table, uint32_t symbol, uint32_t value);

#endif
