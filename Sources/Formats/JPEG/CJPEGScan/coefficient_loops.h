// Reading rows of MCUs to coefficients. The file that includes it defines LEVEL_NAME and
//
//     /// Returns the position of zero number `count` (1 to 16) after `k`, which is at most 62; more than 63 if there
//     /// are fewer zeros. `rest` has the coefficients after `k` that are not 0; removes those before the position.
//     static inline uint32_t position_after(uint32_t k, uint32_t count, uint64_t *rest);

#include "coefficient_plan.h"
#include "scan_reading.h"

/// Returns the block of an MCU. `x` is below the scan's MCUs per row, and the rows have the blocks of all of them.
static inline __attribute__((always_inline)) int16_t *block_at(const block_place *place, const texel_block_row *rows,
                                                               int x) {
    return rows[place->row].blocks[x * place->horizontal + place->column];
}

/// Stores the reader. Refuses the row if its last MCU used padding.
static inline texel_scan_status end_row(scan_stream *stream, const bit_reader *reader) {
    stream->reader = *reader;
    return scan_stream_bits_left(stream, reader) >= 0 ? TEXEL_SCAN_OK : TEXEL_SCAN_REFUSED;
}

/// Reads the DC coefficient of a block, shifted by `low_bit`. Returns false for an invalid code, or if it has more than
/// 16 bits.
static inline __attribute__((always_inline)) bool read_dc(bit_reader *reader, const coefficient_plan *plan,
                                                          int component, int32_t *predictions, int low_bit,
                                                          int16_t *coefficient) {
    int32_t difference;
    refill(reader);
    const dc_table *table = &plan->dc_tables[plan->scan.components[component].dc_code];
    if (!read_difference(reader, table, &difference)) return false;
    int32_t value = predictions[component] + difference, shifted = value * (1 << low_bit);
    predictions[component] = value;
    *coefficient = (int16_t)shifted;
    return shifted >= INT16_MIN && shifted <= INT16_MAX;
}

static texel_scan_status read_sequential_row(const coefficient_plan *plan, scan_stream *stream,
                                             const texel_block_row *rows) {
    bit_reader reader = stream->reader;
    const uint8_t *limit = scan_stream_limit(stream);
    for (int x = 0; x < plan->scan.mcus_per_row; x++) {
        texel_scan_status status = begin_mcu(stream, &reader, &limit);
        if (status != TEXEL_SCAN_OK) return status;
        for (const block_place *place = plan->places, *end = place + plan->block_count; place < end; place++) {
            scan_block block;
            int16_t dc;
            memset(block.coefficients, 0, 64 * sizeof *block.coefficients);
            if (!read_dc(&reader, plan, place->component, stream->predictions, 0, &dc)) return TEXEL_SCAN_REFUSED;
            const ac_table *table = &plan->ac_tables[plan->scan.components[place->component].ac_code];
            if (!read_coefficients(&reader, table, &block)) return TEXEL_SCAN_REFUSED;
            block.coefficients[0] = dc;
            memcpy(block_at(place, rows, x), block.coefficients, 64 * sizeof *block.coefficients);
        }
    }
    return end_row(stream, &reader);
}

static texel_scan_status read_dc_row(const coefficient_plan *plan, scan_stream *stream, const texel_block_row *rows) {
    bit_reader reader = stream->reader;
    const uint8_t *limit = scan_stream_limit(stream);
    int low_bit = plan->scan.low_bit;
    for (int x = 0; x < plan->scan.mcus_per_row; x++) {
        texel_scan_status status = begin_mcu(stream, &reader, &limit);
        if (status != TEXEL_SCAN_OK) return status;
        for (const block_place *place = plan->places, *end = place + plan->block_count; place < end; place++) {
            int16_t *dc = block_at(place, rows, x);
            if (!read_dc(&reader, plan, place->component, stream->predictions, low_bit, dc)) return TEXEL_SCAN_REFUSED;
        }
    }
    return end_row(stream, &reader);
}

static texel_scan_status refine_dc_row(const coefficient_plan *plan, scan_stream *stream,
                                       const texel_block_row *rows) {
    bit_reader reader = stream->reader;
    const uint8_t *limit = scan_stream_limit(stream);
    for (int x = 0; x < plan->scan.mcus_per_row; x++) {
        texel_scan_status status = begin_mcu(stream, &reader, &limit);
        if (status != TEXEL_SCAN_OK) return status;
        // One bit for each block, of which there are at most 10.
        refill(&reader);
        for (const block_place *place = plan->places, *end = place + plan->block_count; place < end; place++) {
            int16_t *dc = block_at(place, rows, x);
            *dc = (int16_t)(*dc | (int)(peek(&reader, 1) << plan->scan.low_bit));
            consume(&reader, 1);
        }
    }
    return end_row(stream, &reader);
}

/// Returns the next `count` bits, at most 63.
static inline __attribute__((always_inline)) uint64_t read_bits(bit_reader *reader, uint32_t count) {
    uint64_t high = 0;
    if (__builtin_expect(count > reader->count, 0)) {
        refill(reader);
        if (count > 56) {
            high = reader->bits >> 32;
            consume(reader, 32);
            refill(reader);
            count -= 32;
        }
    }
    // `count` may be 0.
    uint64_t bits = reader->bits >> 1 >> (63 - count);
    consume(reader, count);
    return high << count | bits;
}

/// Corrects coefficients by one bit each, the first of which is the highest. A bit increases the absolute value, unless
/// the coefficient has that bit already, as in scans out of order.
static inline void correct(int16_t *block, uint64_t positions, uint64_t bits, int low_bit) {
    for (; positions != 0; positions &= positions - 1, bits <<= 1) {
        int16_t *coefficient = &block[natural_order[__builtin_ctzll(positions)]];
        int32_t value = *coefficient, sign = value >> 31;
        int32_t unit = (int32_t)(bits >> 63) << low_bit & ~value;
        *coefficient = (int16_t)(value + ((unit ^ sign) - sign));
    }
}

/// A band of a block while it is read. Bit k stands for the coefficient k in zigzag order.
typedef struct {
    uint32_t k;     ///< the position that was read last
    uint64_t rest;  ///< the coefficients after it that were not 0 before; each has a correction
    uint64_t bits;  ///< the corrections of those before it; the last one is the lowest bit
    uint64_t added; ///< the new coefficients
} band_state;

typedef enum { BAND_GOES_ON, BAND_ENDS, BAND_IS_DAMAGED } band_progress;

/// Reads a single symbol, and the corrections of the coefficients before its own. The reader has at least 31 bits.
/// `last` is the last position of the band, at most 63.
static inline __attribute__((always_inline)) band_progress read_symbol(bit_reader *reader,
                                                                       const progression_table *table, uint32_t last,
                                                                       int16_t *block, band_state *state,
                                                                       uint32_t *run) {
    ac_entry entry = table->lookup[peek(reader, LOOKUP_BITS)];
    ac_symbol symbol = {.advance = ac_first_advance(entry), .value = ac_first_value(entry)};
    if (symbol.advance == ADVANCE_ESCAPE) {
        int code = long_symbol(&table->codes, reader);
        int size = code < 0 ? -1 : progression_value_size(table, (uint32_t)code);
        if (size < 0) return BAND_IS_DAMAGED;
        symbol = progression_symbol(table, (uint32_t)code, size == 0 ? 0 : peek(reader, (uint32_t)size));
        consume(reader, (uint32_t)size);
    } else {
        consume(reader, ac_first_bits(entry));
    }
    if (symbol.advance == ADVANCE_END) {
        *run = (uint32_t)symbol.value;
        return BAND_ENDS;
    }
    uint64_t rest = state->rest;
    uint32_t position = position_after(state->k, symbol.advance & (ADVANCE_ZEROS - 1), &state->rest);
    if (position > last) return BAND_IS_DAMAGED;
    uint32_t count = (uint32_t)__builtin_popcountll(rest ^ state->rest);
    state->k = position;
    state->bits = state->bits << count | read_bits(reader, count);
    if (symbol.advance < ADVANCE_ZEROS) {
        block[natural_order[position]] = (int16_t)symbol.value;
        state->added |= 1ull << position;
    }
    return position == last ? BAND_ENDS : BAND_GOES_ON;
}

/// Reads the new coefficients of a block's band, and how many blocks after it have none. Returns false for damage.
static inline __attribute__((always_inline)) bool read_new(bit_reader *reader, const coefficient_plan *plan,
                                                           int16_t *block, band_state *state, uint32_t *run) {
    const progression_table *table = &plan->progression;
    uint32_t last_of_band = (uint32_t)plan->scan.last;
    while (true) {
        // New coefficients below the limit have no corrections before them and do not end the band. The limit is at
        // most 63, so `k` is at most 62 before each lookup, and all positions are inside the block.
        uint32_t limit = state->rest != 0 ? (uint32_t)__builtin_ctzll(state->rest) : last_of_band;
        // Two lookups and the longest code with its value: 11 + 11 + 31 bits.
        refill(reader);
        for (int i = 0; i < 3; i++) {
            ac_entry entry = table->lookup[peek(reader, LOOKUP_BITS)];
            uint32_t first = state->k + ac_first_advance(entry), last = state->k + ac_advance(entry);
            // Two symbols, or one that the entry contains twice.
            if (__builtin_expect(last < limit, 1)) {
                block[natural_order[first]] = ac_first_value(entry);
                block[natural_order[last]] = ac_last_value(entry);
                state->added |= 1ull << first | 1ull << last;
                state->k = last;
                consume(reader, ac_bits(entry));
                continue;
            }
            if (first < limit) {
                block[natural_order[first]] = ac_first_value(entry);
                state->added |= 1ull << first;
                state->k = first;
                if (last == first + ADVANCE_END) {
                    consume(reader, ac_bits(entry));
                    *run = (uint16_t)ac_last_value(entry);
                    return true;
                }
                consume(reader, ac_first_bits(entry));
                continue;
            }
            band_progress progress = read_symbol(reader, table, last_of_band, block, state, run);
            if (progress != BAND_GOES_ON) return progress == BAND_ENDS;
            break;
        }
    }
}

static texel_scan_status read_ac_row(const coefficient_plan *plan, scan_stream *stream, const texel_block_row *rows) {
    bit_reader reader = stream->reader;
    const uint8_t *limit = scan_stream_limit(stream);
    int width = plan->scan.mcus_per_row;
    for (int x = 0; x < width;) {
        // Blocks up to the end of the run, the row or the restart interval have no bits.
        int count = stream->end_run < (uint32_t)(width - x) ? (int)stream->end_run : width - x;
        if (stream->restart_interval > 0 && count > stream->mcus_to_marker) count = stream->mcus_to_marker;
        if (count > 0) {
            stream->end_run -= (uint32_t)count;
            if (stream->restart_interval > 0) stream->mcus_to_marker -= count;
            x += count;
            continue;
        }
        texel_scan_status status = begin_mcu(stream, &reader, &limit);
        if (status != TEXEL_SCAN_OK) return status;
        band_state state = {.k = (uint32_t)plan->scan.first - 1};
        if (!read_new(&reader, plan, rows->blocks[x], &state, &stream->end_run)) return TEXEL_SCAN_REFUSED;
        rows->nonzero[x] |= state.added;
        x++;
    }
    return end_row(stream, &reader);
}

static texel_scan_status refine_ac_row(const coefficient_plan *plan, scan_stream *stream,
                                       const texel_block_row *rows) {
    bit_reader reader = stream->reader;
    const uint8_t *limit = scan_stream_limit(stream);
    for (int x = 0; x < plan->scan.mcus_per_row; x++) {
        texel_scan_status status = begin_mcu(stream, &reader, &limit);
        if (status != TEXEL_SCAN_OK) return status;
        int16_t *block = rows->blocks[x];
        uint64_t old = rows->nonzero[x] & plan->band;
        band_state state = {.k = (uint32_t)plan->scan.first - 1, .rest = old};
        if (stream->end_run > 0) {
            stream->end_run--;
        } else {
            if (!read_new(&reader, plan, block, &state, &stream->end_run)) return TEXEL_SCAN_REFUSED;
            rows->nonzero[x] |= state.added;
        }
        if (old == 0) continue;
        uint32_t count = (uint32_t)__builtin_popcountll(state.rest);
        uint64_t bits = state.bits << count | read_bits(&reader, count);
        correct(block, old, bits << (64 - __builtin_popcountll(old)), plan->scan.low_bit);
    }
    return end_row(stream, &reader);
}

read_coefficient_row *const LEVEL_NAME(coefficient_rows)[SCAN_KIND_COUNT] = {
    [SCAN_SEQUENTIAL] = read_sequential_row,
    [SCAN_DC_FIRST] = read_dc_row,
    [SCAN_DC_REFINEMENT] = refine_dc_row,
    [SCAN_AC_FIRST] = read_ac_row,
    [SCAN_AC_REFINEMENT] = refine_ac_row,
};
