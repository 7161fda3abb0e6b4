// Reading the codes of a scan, compiled for each CPU level.

#ifndef SCAN_READING_H
#define SCAN_READING_H

#include <string.h>

#include "scan_block.h"
#include "scan_codes.h"
#include "scan_stream.h"

/// From positions in zigzag order to those in rows (ITU-T T.81, figure A.6). Positions past the block, and special
/// advances, are beyond it.
static const uint8_t natural_order[256] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,
    7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
    53, 60, 61, 54, 47, 55, 62, 63, [64 ... 255] = BEYOND_BLOCK,
};

/// Returns the symbol of a code that is longer than a lookup, and consumes the code; or -1.
static inline int long_symbol(const long_codes *codes, bit_reader *reader) {
    uint32_t bits = peek(reader, LONGEST_CODE);
    for (uint32_t length = 1; length <= LONGEST_CODE; length++) {
        if (bits >= codes->end[length]) continue;
        int32_t index = (int32_t)(bits >> (LONGEST_CODE - length)) + codes->offset[length];
        consume(reader, length);
        return codes->symbols[index & 0xFF];
    }
    return -1;
}

/// Reads a DC difference. The reader has at least 31 bits. Returns false for an invalid code.
static inline __attribute__((always_inline)) bool read_difference(bit_reader *reader, const dc_table *table,
                                                                  int32_t *difference) {
    dc_entry entry = table->lookup[peek(reader, LOOKUP_BITS)];
    if (__builtin_expect((entry & 0xFF) != 0, 1)) {
        consume(reader, entry & 0xFF);
        *difference = (int32_t)entry >> 16;
        return true;
    }
    int size = long_symbol(&table->codes, reader);
    if (size < 0 || size > LARGEST_DC_SIZE) return false;
    *difference = 0;
    if (size == 0) return true;
    *difference = extended(peek(reader, (uint32_t)size), (uint32_t)size);
    consume(reader, (uint32_t)size);
    return true;
}

/// Reads an AC symbol that is longer than a lookup, and advances `k`. The reader has at least 31 bits.
static inline bool read_long_value(bit_reader *reader, const ac_table *table, ac_entry entry, scan_block *block,
                                   uint32_t *k) {
    int symbol = ac_first_value(entry);
    if (ac_bits(entry) > 0) consume(reader, ac_bits(entry));
    else symbol = long_symbol(&table->codes, reader);
    if (symbol < 0) return false;
    uint32_t run = (uint32_t)symbol >> 4, size = (uint32_t)symbol & 15;
    if (size == 0) {
        *k += run == 15 ? 16 : ADVANCE_END;
        return true;
    }
    *k += run + 1;
    block->coefficients[natural_order[*k]] = (int16_t)extended(peek(reader, size), size);
    consume(reader, size);
    return true;
}

/// Reads the AC coefficients of a block whose coefficients are 0. Returns false for an invalid code, or for more than
/// 63 coefficients.
///
/// `k` is at most 62 before each lookup, so that `natural_order` has an element for every sum with an advance.
static inline __attribute__((always_inline)) bool read_coefficients(bit_reader *reader, const ac_table *table,
                                                                    scan_block *block) {
    uint32_t k = 0;
    while (true) {
        // Two lookups and the longest code with its value: 11 + 11 + 31 bits.
        refill(reader);
        for (int i = 0; i < 3; i++) {
            ac_entry entry = table->lookup[peek(reader, LOOKUP_BITS)];
            uint32_t first = k + ac_first_advance(entry), last = k + ac_advance(entry);
            block->coefficients[natural_order[first]] = ac_first_value(entry);
            block->coefficients[natural_order[last]] = ac_last_value(entry);
            if (__builtin_expect(last < 63, 1)) {
                consume(reader, ac_bits(entry));
                k = last;
                continue;
            }
            // The usual end, after the first symbol or instead of it.
            if (first != 63 && last >= ADVANCE_END && first < ADVANCE_ESCAPE) {
                consume(reader, ac_bits(entry));
                block->last = first >= ADVANCE_END ? k : first;
                return first < 63 || first >= ADVANCE_END;
            }
            if (first >= ADVANCE_ESCAPE) {
                if (!read_long_value(reader, table, entry, block, &k)) return false;
                if (k < 63) break;
                block->last = 63;
                return k == 63 || k >= ADVANCE_END;
            }
            // The last coefficient. With the first symbol, the second belongs to the next block.
            block->last = 63;
            consume(reader, first == 63 ? ac_first_bits(entry) : ac_bits(entry));
            return first == 63 || last == 63;
        }
    }
}

/// Reads what must come before an MCU: a restart marker, and the bytes that the MCU may have. `limit` is the stream's.
static inline __attribute__((always_inline)) texel_scan_status begin_mcu(scan_stream *stream, bit_reader *reader,
                                                                         const uint8_t **limit) {
    if (stream->restart_interval > 0 && stream->mcus_to_marker-- == 0) {
        texel_scan_status status = scan_stream_restart(stream, reader);
        if (status != TEXEL_SCAN_OK) return status;
        stream->mcus_to_marker--;
        *limit = scan_stream_limit(stream);
    }
    if (__builtin_expect(reader->next > *limit, 0)) {
        texel_scan_status status = scan_stream_refill(stream, reader);
        if (status != TEXEL_SCAN_OK) return status;
        *limit = scan_stream_limit(stream);
    }
    return TEXEL_SCAN_OK;
}

#endif
