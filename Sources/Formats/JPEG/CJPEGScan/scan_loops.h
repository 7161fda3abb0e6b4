// The loops of the decoder, compiled for each CPU level. The file that includes them defines LEVEL_NAME, and includes
// the inverse transform that it wants.

#include "scan_plan.h"
#include "scan_reading.h"

static uint8_t *copy_unstuffed(const uint8_t **from, const uint8_t *end, uint8_t *to, const uint8_t *room) {
    typedef uint8_t u8x16 __attribute__((ext_vector_type(16)));
    const uint8_t *at = *from;
    while (true) {
        // A load and a store of 16 bytes are inside the input and the room.
        while (end - at >= 16 && room - to >= 16) {
            u8x16 bytes;
            memcpy(&bytes, at, sizeof bytes);
            memcpy(to, &bytes, sizeof bytes);
            uint16_t markers = (uint16_t)__builtin_reduce_or((bytes == 0xFF) ? (u8x16)1 : (u8x16)0);
            if (markers != 0) break;
            at += 16;
            to += 16;
        }
        // Up to the next 0xFF, or to the end.
        while (at < end && to < room && *at != 0xFF) *to++ = *at++;
        if (end - at < 2 || to == room || at[1] != 0) break;
        *to++ = 0xFF;
        at += 2;
    }
    *from = at;
    return to;
}

/// Skips the AC coefficients of a block. Returns false as `read_coefficients` does.
static inline __attribute__((always_inline)) bool skip_coefficients(bit_reader *reader, const ac_table *table) {
    uint32_t k = 0;
    while (true) {
        // A lookup whose last value is long, and the bits of another: 26 + 26.
        refill(reader);
        for (int i = 0; i < 2; i++) {
            skip_entry entry = table->skips[peek(reader, LOOKUP_BITS)];
            uint32_t last = k + ac_advance(entry);
            if (__builtin_expect(last < 63, 1)) {
                consume(reader, ac_bits(entry));
                k = last;
                continue;
            }
            uint32_t first = k + ac_first_advance(entry);
            if (first >= ADVANCE_ESCAPE) {
                refill(reader);
                int symbol = long_symbol(&table->codes, reader);
                if (symbol < 0) return false;
                uint32_t size = (uint32_t)symbol & 15, run = (uint32_t)symbol >> 4;
                consume(reader, size);
                if (size == 0 && run < 15) return true;
                k += run + 1;
                if (k >= 63) return k == 63;
                break;
            }
            // The end of the block, with no symbol before it past the last coefficient.
            if (last >= ADVANCE_END && last - ADVANCE_END < 63) {
                consume(reader, ac_bits(entry));
                return true;
            }
            // One symbol after the other.
            consume(reader, ac_first_bits(entry));
            k = first;
            if (k >= 63) return k == 63 || k >= ADVANCE_END;
            break;
        }
    }
}

/// Reads an MCU. With `checks_dc`, DC coefficients must not be too large. Returns false for damage.
static inline __attribute__((always_inline)) bool read_mcu(const scan_plan *plan, int32_t *predictions,
                                                           bit_reader *reader, scan_block *block, bool checks_dc) {
    const block_reading *reading = plan->readings, *end = reading + plan->block_count;
    for (; reading < end; reading++, block++) {
        int32_t difference;
        refill(reader);
        if (!read_difference(reader, reading->dc, &difference)) return false;
        // At most 2 to the power of 11 more or less for each block, so that sums of a chunk of blocks do not overflow;
        // a coefficient of 16 bits is the sum modulo 2 to the power of 16.
        int32_t value = predictions[reading->component] += difference;
        if (checks_dc && (value > reading->limit || value < -reading->limit)) return false;
        if (reading->has_values) {
            memset(block->coefficients, 0, 64 * sizeof *block->coefficients);
            if (!read_coefficients(reader, reading->ac, block)) return false;
        } else if (!skip_coefficients(reader, reading->ac)) {
            return false;
        }
        block->coefficients[0] = (int16_t)value;
    }
    return true;
}

/// Reads an MCU, and before it what must come first. `limit` is the stream's.
static inline __attribute__((always_inline)) texel_scan_status read_next_mcu(const scan_plan *plan,
                                                                             scan_stream *stream, bit_reader *reader,
                                                                             const uint8_t **limit, scan_block *blocks,
                                                                             bool checks_dc) {
    texel_scan_status status = begin_mcu(stream, reader, limit);
    if (status != TEXEL_SCAN_OK) return status;
    return read_mcu(plan, stream->predictions, reader, blocks, checks_dc) ? TEXEL_SCAN_OK : TEXEL_SCAN_REFUSED;
}

static inline uint8_t dc_sample(const scan_block *block, const component_steps *steps) {
    int32_t value = (block->coefficients[0] * steps->steps[0] + (1 << (DC_SHIFT - 1))) >> DC_SHIFT;
    return (uint8_t)(value < -128 ? 0 : value > 127 ? 255 : value + 128);
}

/// Makes the samples of two blocks, side by side. Returns false if a coefficient is too large.
static inline __attribute__((always_inline)) bool make_samples(const scan_block *const pair[2],
                                                               const component_steps *steps, int size,
                                                               uint8_t *samples, size_t bytes_per_row) {
    if ((pair[0]->last | pair[1]->last) != 0) {
        return transform_pair(pair, steps, size, samples, bytes_per_row);
    }
    uint8_t row[16];
    memset(row, dc_sample(pair[0], steps), 8);
    memset(row + size, dc_sample(pair[1], steps), 8);
    for (int y = 0; y < size; y++, samples += bytes_per_row) {
        switch (size) {
        case 8: memcpy(samples, row, 16); break;
        case 4: memcpy(samples, row, 8); break;
        default: memcpy(samples, row, 4); break;
        }
    }
    return true;
}

/// Makes the samples of a pair of blocks as far as they belong to the image. `x` and `y` are the position of the left
/// one in its component, in blocks; `count` is the number of MCUs that were read. Returns false if a coefficient is too
/// large.
static inline __attribute__((always_inline)) bool write_pair(const scan_plan *plan, const block_pair *pair,
                                                             const scan_block *mcus, int x, int y, int count,
                                                             uint8_t *rows, size_t bytes_per_row) {
    const texel_scan_component *component = &plan->layout.components[pair->component];
    const component_steps *steps = &plan->steps[pair->component];
    const scan_block *const blocks[2] = {mcus + pair->left, mcus + pair->right};
    int size = component->block_size;
    uint8_t *samples = rows + (size_t)(pair->row * size) * bytes_per_row + (size_t)(x * size);
    bool has_both = x + 1 < component->width && count == 2;
    if (__builtin_expect(has_both && y < component->height, 1)) {
        if (size > 1) return make_samples(blocks, steps, size, samples, bytes_per_row);
        samples[0] = dc_sample(blocks[0], steps);
        samples[1] = dc_sample(blocks[1], steps);
        return true;
    }
    if (x >= component->width || y >= component->height || (pair->is_in_second && count == 1)) return true;
    // A pair inside the first MCU is whole, even if there is no second.
    int width = x + 1 < component->width && (count == 2 || !pair->spans_mcus) ? 2 * size : size;
    if (size == 1) {
        for (int i = 0; i < width; i++) samples[i] = dc_sample(blocks[i], steps);
        return true;
    }
    // A right block that was not read is not used, and must not be refused.
    uint8_t both[8 * 16];
    const scan_block *const twice[2] = {blocks[0], width == size ? blocks[0] : blocks[1]};
    if (!make_samples(twice, steps, size, both, 16)) return false;
    for (int row = 0; row < size; row++) {
        memcpy(samples + (size_t)row * bytes_per_row, both + row * 16, (size_t)width);
    }
    return true;
}

/// Makes the samples of one MCU or two. Returns false if a coefficient is too large.
static inline __attribute__((always_inline)) bool write_mcus(const scan_plan *plan, const scan_block *blocks,
                                                             const scan_output *output, int x, int count) {
    for (const block_pair *pair = plan->pairs, *end = pair + plan->pair_count; pair < end; pair++) {
        const texel_scan_component *component = &plan->layout.components[pair->component];
        int column = x * component->horizontal + pair->column;
        int row = output->row * component->vertical + pair->row;
        if (!write_pair(plan, pair, blocks, column, row, count, output->samples[pair->component],
                        output->bytes_per_row[pair->component])) {
            return false;
        }
    }
    return true;
}

static texel_scan_status read_all(const scan_plan *plan, scan_stream *stream, scan_block *blocks, int *count) {
    bit_reader reader = stream->reader;
    const uint8_t *limit = scan_stream_limit(stream);
    texel_scan_status status = TEXEL_SCAN_OK;
    int done = 0;
    while (done < *count && (done == 0 || !stream->is_closed) && status == TEXEL_SCAN_OK) {
        status = read_next_mcu(plan, stream, &reader, &limit, blocks + done * plan->block_count, false);
        done++;
        // So that it is known whether the window is closed.
        if (status == TEXEL_SCAN_OK && !stream->is_closed && reader.next > limit) {
            status = scan_stream_refill(stream, &reader);
            limit = scan_stream_limit(stream);
        }
    }
    *count = done;
    stream->reader = reader;
    if (status != TEXEL_SCAN_OK) return status;
    // The last MCU must not have used padding.
    return scan_stream_bits_left(stream, &reader) >= 0 ? TEXEL_SCAN_OK : TEXEL_SCAN_REFUSED;
}

static texel_scan_status write_all(const scan_plan *plan, const scan_block *blocks, const scan_output *output, int x,
                                   int count) {
    for (int i = 0; i < count; i += 2) {
        int some = count - i < 2 ? 1 : 2;
        if (!write_mcus(plan, blocks + i * plan->block_count, output, x + i, some)) return TEXEL_SCAN_REFUSED;
    }
    return TEXEL_SCAN_OK;
}

static texel_scan_status decode_all(const scan_plan *plan, scan_stream *stream, const scan_output *output, int x,
                                    int count) {
    scan_block blocks[2 * MCU_BLOCKS]; // of two MCUs
    bit_reader reader = stream->reader;
    const uint8_t *limit = scan_stream_limit(stream);
    for (int i = 0; i < count; i += 2) {
        int some = count - i < 2 ? 1 : 2;
        for (int j = 0; j < some; j++) {
            scan_block *mcu = blocks + j * plan->block_count;
            texel_scan_status status = read_next_mcu(plan, stream, &reader, &limit, mcu, true);
            if (status != TEXEL_SCAN_OK) return status;
        }
        if (!write_mcus(plan, blocks, output, x + i, some)) return TEXEL_SCAN_REFUSED;
    }
    stream->reader = reader;
    return scan_stream_bits_left(stream, &reader) >= 0 ? TEXEL_SCAN_OK : TEXEL_SCAN_REFUSED;
}

const scan_loops LEVEL_NAME(scan_loops) = {copy_unstuffed, read_all, write_all, decode_all};
