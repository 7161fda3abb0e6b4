#include "scan_codes.h"

#include <string.h>

bool long_codes_make(long_codes *codes, code_prefix *prefixes, const texel_scan_code *code) {
    if (!code->counts || !code->symbols) return false;
    memset(prefixes, 0, LOOKUP_COUNT * sizeof *prefixes);
    uint32_t next = 0, index = 0;
    for (uint32_t length = 1; length <= LONGEST_CODE; length++) {
        uint32_t count = code->counts[length - 1];
        if (index + count > 256 || next + count > 1u << length) return false;
        codes->offset[length] = (int32_t)index - (int32_t)next;
        memcpy(codes->symbols + index, code->symbols + index, count);
        if (length <= LOOKUP_BITS) {
            // Below 2 to the power of `LOOKUP_BITS`, because next + count is at most 2 to the power of `length`.
            uint32_t shift = LOOKUP_BITS - length;
            for (uint32_t i = next << shift; i < (next + count) << shift; i++) {
                prefixes[i] = (code_prefix){(uint8_t)length, code->symbols[index + ((i >> shift) - next)]};
            }
        }
        next += count;
        index += count;
        codes->end[length] = next << (LONGEST_CODE - length);
        next <<= 1;
    }
    return true;
}

bool dc_table_make(dc_table *table, const texel_scan_code *code) {
    code_prefix prefixes[LOOKUP_COUNT];
    if (!long_codes_make(&table->codes, prefixes, code)) return false;
    for (uint32_t i = 0; i < LOOKUP_COUNT; i++) {
        uint32_t bits = prefixes[i].bits, size = prefixes[i].symbol, total = bits + size;
        if (bits > 0 && size > 15) return false;
        table->lookup[i] = 0;
        if (bits == 0 || total > LOOKUP_BITS || size > LARGEST_DC_SIZE) continue;
        uint32_t value = i >> (LOOKUP_BITS - total) & ((1u << size) - 1);
        int32_t difference = size == 0 ? 0 : extended(value, size);
        table->lookup[i] = (uint32_t)difference << 16 | total;
    }
    return true;
}

/// Returns the symbol at the start of `bits`.
static ac_symbol symbol_at(const code_prefix *prefixes, uint32_t bits) {
    code_prefix prefix = prefixes[bits];
    if (prefix.bits == 0) return (ac_symbol){0, ADVANCE_ESCAPE, 0};
    uint32_t run = prefix.symbol >> 4, size = prefix.symbol & 15, total = prefix.bits + size;
    if (size == 0) return (ac_symbol){total, run == 15 ? 16 : ADVANCE_END, 0};
    if (total > LOOKUP_BITS) return (ac_symbol){prefix.bits, ADVANCE_ESCAPE, prefix.symbol};
    return (ac_symbol){total, run + 1, extended(bits >> (LOOKUP_BITS - total) & ((1u << size) - 1), size)};
}

/// Lists the symbols at the start of all bits.
static void list_symbols(ac_symbol *symbols, const code_prefix *prefixes) {
    for (uint32_t i = 0; i < LOOKUP_COUNT;) {
        ac_symbol symbol = symbol_at(prefixes, i);
        // All bits that start with the symbol's.
        uint32_t count = symbol.bits == 0 ? 1 : 1u << (LOOKUP_BITS - symbol.bits);
        for (uint32_t end = i + count; i < end; i++) symbols[i] = symbol;
    }
}

ac_entry ac_entry_make(const ac_symbol *symbols, uint32_t bits) {
    ac_symbol first = symbols[bits], last = first;
    uint32_t total = first.bits, advance = first.advance;
    if (first.advance < ADVANCE_END) {
        ac_symbol second = symbols[bits << first.bits & (LOOKUP_COUNT - 1)];
        if (second.advance != ADVANCE_ESCAPE && second.bits <= LOOKUP_BITS - first.bits) {
            last = second;
            total += second.bits;
            advance += second.advance;
        }
    }
    return (ac_entry)(uint16_t)last.value << 48 | (ac_entry)(uint16_t)first.value << 32 | (ac_entry)first.bits << 24
           | advance << 16 | first.advance << 8 | total;
}

static skip_entry length_entry(const code_prefix *prefixes, uint32_t bits) {
    uint32_t total = 0, advance = 0, first_bits = 0, first_advance = 0;
    while (total < LOOKUP_BITS && advance < ADVANCE_END) {
        code_prefix prefix = prefixes[bits << total & (LOOKUP_COUNT - 1)];
        if (prefix.bits == 0 || prefix.bits > LOOKUP_BITS - total) break;
        uint32_t run = prefix.symbol >> 4, size = prefix.symbol & 15;
        bool is_end = size == 0 && run < 15;
        // Keep the sum below the special advances.
        if (!is_end && advance + run + 1 > 64) break;
        advance += is_end ? ADVANCE_END : run + 1;
        total += prefix.bits + size;
        if (first_bits == 0) {
            first_bits = total;
            first_advance = advance;
        }
    }
    if (total == 0) return ADVANCE_ESCAPE << 16 | ADVANCE_ESCAPE << 8;
    return first_bits << 24 | advance << 16 | first_advance << 8 | total;
}

bool ac_table_make(ac_table *table, const texel_scan_code *code, bool needs_values, bool needs_lengths) {
    code_prefix prefixes[LOOKUP_COUNT];
    if (!long_codes_make(&table->codes, prefixes, code)) return false;
    if (needs_values) {
        ac_symbol symbols[LOOKUP_COUNT];
        list_symbols(symbols, prefixes);
        for (uint32_t i = 0; i < LOOKUP_COUNT; i++) table->lookup[i] = ac_entry_make(symbols, i);
    }
    for (uint32_t i = 0; needs_lengths && i < LOOKUP_COUNT; i++) table->skips[i] = length_entry(prefixes, i);
    return true;
}
