#include "progression_codes.h"

/// The run of the symbol for 16 zeros.
enum { LONGEST_RUN = 15 };

int progression_value_size(const progression_table *table, uint32_t symbol) {
    int run = (int)(symbol >> 4), size = (int)(symbol & 15);
    if (size == 0) return run == LONGEST_RUN ? 0 : run;
    if (table->is_refinement) return size == 1 ? 1 : -1;
    // So that coefficients have 16 bits, and none becomes 0.
    return size + table->low_bit <= 15 ? size : -1;
}

ac_symbol progression_symbol(const progression_table *table, uint32_t symbol, uint32_t value) {
    uint32_t run = symbol >> 4, size = symbol & 15;
    if (size > 0) return (ac_symbol){.advance = run + 1, .value = extended(value, size) * (1 << table->low_bit)};
    if (run == LONGEST_RUN) return (ac_symbol){.advance = ADVANCE_ZEROS + run + 1};
    // Below 2 to the power of 15.
    return (ac_symbol){.advance = ADVANCE_END, .value = (int32_t)((1u << run) + value - 1)};
}

bool progression_table_make(progression_table *table, const texel_scan_code *code, int low_bit, bool is_refinement) {
    code_prefix prefixes[LOOKUP_COUNT];
    if (!long_codes_make(&table->codes, prefixes, code)) return false;
    table->low_bit = low_bit;
    table->is_refinement = is_refinement;
    ac_symbol symbols[LOOKUP_COUNT];
    for (uint32_t i = 0; i < LOOKUP_COUNT; i++) {
        int size = progression_value_size(table, prefixes[i].symbol);
        uint32_t total = prefixes[i].bits + (uint32_t)size;
        symbols[i] = (ac_symbol){.advance = ADVANCE_ESCAPE};
        if (prefixes[i].bits == 0 || size < 0 || total > LOOKUP_BITS) continue;
        uint32_t value = i >> (LOOKUP_BITS - total) & ((1u << size) - 1);
        symbols[i] = progression_symbol(table, prefixes[i].symbol, value);
        symbols[i].bits = total;
    }
    for (uint32_t i = 0; i < LOOKUP_COUNT; i++) table->lookup[i] = ac_entry_make(symbols, i);
    return true;
}
