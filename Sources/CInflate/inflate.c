#include "huffman.h"

#include <stdlib.h>

enum {
    input_size = 64 * 1024,
    /// A dynamic block's header at its longest is smaller: 14 bits, 19 × 3, and 316 × 14.
    longest_header = 640,
    window_size = 32 * 1024,
    /// How much is inflated at a time, at least.
    output_size = 96 * 1024,
    /// One round of the loop writes three literals, a match, and what copying in whole vectors adds.
    output_margin = 3 + 258 + 32,
};

typedef enum { at_header, at_block, in_stored_block, in_coded_block, at_checksum, at_end, is_broken } phase;

struct texel_inflater {
    phase phase;
    bool is_last_block;
    size_t stored_left;    ///< of a stored block
    size_t largest_distance; ///< the window that the header declares
    uint32_t checksum;
    bit_reader reader; ///< of `input`
    block_codes codes;
    uint8_t input[input_size + texel_inflate_padding];
    size_t begin, end, limit; ///< of `output`: what can be taken, and where to stop
    uint8_t output[];
};

texel_inflater *texel_inflater_create(size_t piece) {
    size_t limit = 2 * window_size + output_size;
    if (piece > SIZE_MAX / 4) return NULL;
    if (limit < 2 * window_size + 2 * piece) limit = 2 * window_size + 2 * piece;
    texel_inflater *inflater = malloc(sizeof *inflater + limit + output_margin);
    if (!inflater) return NULL;
    memset(inflater, 0, offsetof(texel_inflater, codes));
    memset(inflater->input, 0, sizeof inflater->input);
    inflater->phase = at_header;
    inflater->reader.bytes = inflater->input;
    inflater->begin = inflater->end = 0;
    inflater->limit = limit;
    return inflater;
}

void texel_inflater_destroy(texel_inflater *inflater) { free(inflater); }

size_t texel_inflater_feed(texel_inflater *inflater, const uint8_t *bytes, size_t count) {
    bit_reader *reader = &inflater->reader;
    size_t read = reader->position / 8;
    if (read > 0 && read <= reader->count) {
        memmove(inflater->input, inflater->input + read, reader->count - read);
        reader->count -= read;
        reader->position %= 8;
    }
    if (count > input_size - reader->count) count = input_size - reader->count;
    if (count > 0) memcpy(inflater->input + reader->count, bytes, count);
    reader->count += count;
    return count;
}

/// Whether `bytes` more can be read without a look at the end.
static bool has_input(const bit_reader *reader, size_t bytes) { return reader->position / 8 + bytes <= reader->count; }

/// Copies a match whose source may overlap its destination; up to 32 bytes more are written.
static inline void copy_match(uint8_t *destination, size_t distance, size_t length) {
    uint8_t *end = destination + length;
    // A short period is doubled until whole vectors fit into it; each copy is right in its first `distance` bytes.
    while (distance < 16) {
        memcpy(destination, destination - distance, 8);
        if (distance > 8) memcpy(destination + 8, destination + 8 - distance, 8);
        destination += distance;
        if (destination >= end) return;
        distance *= 2;
    }
    do {
        memcpy(destination, destination - distance, 16);
        destination += 16;
    } while (destination < end);
}

/// Inflates symbols until the block or the room in the output ends, or until less than 64 bytes of input are left; there
/// are more at first. Returns whether the stream is sound so far.
static bool inflate_symbols(texel_inflater *inflater) {
    const uint64_t length_mask = (1u << lengths_index) - 1, distance_mask = (1u << distances_index) - 1;
    const huffman_entry *lengths = inflater->codes.lengths, *distances = inflater->codes.distances;
    bit_reader *reader = &inflater->reader;
    const uint8_t *bytes = reader->bytes, *next = bytes + reader->position / 8;
    uint8_t *out = inflater->output + inflater->end, *const limit = inflater->output + inflater->limit;
    // A round reads at most 24 bytes.
    const uint8_t *const input_limit = bytes + reader->count - 32;
    // `bits` holds the next `available` bits of the stream, and above them what is read again with the next load.
    uint64_t bits;
    memcpy(&bits, next, 8);
    bits >>= reader->position % 8;
    unsigned available = 56 - (unsigned)(reader->position % 8);
    next += 7;
    bool is_sound = true;
#define REFILL() \
    do { \
        uint64_t more; \
        memcpy(&more, next, 8); \
        bits |= more << available; \
        next += (63 - available) >> 3; \
        available |= 56; \
    } while (0)
#define DROP(count) (bits >>= (count), available -= (count))
#define WRITE_LITERAL(entry) \
    do { \
        *out++ = (uint8_t)((entry) >> 16); \
        DROP((entry) & 255); \
    } while (0)

    while (next <= input_limit && out < limit) {
        REFILL();
        huffman_entry entry = lengths[bits & length_mask];
        // Three look-ups of literals have at most 33 bits.
        if (entry & huffman_literal) {
            WRITE_LITERAL(entry);
            entry = lengths[bits & length_mask];
            if (entry & huffman_literal) {
                WRITE_LITERAL(entry);
                entry = lengths[bits & length_mask];
                if (entry & huffman_literal) {
                    WRITE_LITERAL(entry);
                    continue;
                }
            }
            REFILL();
        }
        if (entry & huffman_special) {
            if (entry & huffman_second) {
                DROP(lengths_index);
                entry = lengths[(entry >> 16) + (bits & ((1u << (entry >> 8 & 15)) - 1))];
            }
            if (entry & huffman_special) {
                if (entry & huffman_literal) {
                    WRITE_LITERAL(entry);
                    continue;
                }
                DROP(entry & 255);
                is_sound = (entry & huffman_end) != 0;
                inflater->phase = inflater->is_last_block ? at_checksum : at_block;
                break;
            }
        }
        // At most 20 bits of the length and 28 of the distance.
        size_t length = (entry >> 16) + ((bits & (((uint64_t)1 << (entry & 255)) - 1)) >> (entry >> 8 & 15));
        DROP(entry & 255);
        entry = distances[bits & distance_mask];
        if (entry & huffman_second) {
            DROP(distances_index);
            entry = distances[(entry >> 16) + (bits & ((1u << (entry >> 8 & 15)) - 1))];
        }
        size_t distance = (entry >> 16) + ((bits & (((uint64_t)1 << (entry & 255)) - 1)) >> (entry >> 8 & 15));
        DROP(entry & 255);
        if (entry & huffman_invalid || distance > (size_t)(out - inflater->output)
            || distance > inflater->largest_distance) {
            is_sound = false;
            break;
        }
        copy_match(out, distance, length);
        out += length;
    }
#undef REFILL
#undef DROP
#undef WRITE_LITERAL
    reader->position = (size_t)(next - bytes) * 8 - available;
    inflater->end = (size_t)(out - inflater->output);
    return is_sound;
}

/// The entry of the next code, which is passed over; `extra` gets the bits behind it that belong to it.
static huffman_entry read_symbol(bit_reader *reader, const huffman_entry *table, int index, size_t *extra) {
    uint64_t bits = peek_bits(reader);
    huffman_entry entry = table[bits & ((1u << index) - 1)];
    if (entry & huffman_second) {
        bits >>= index;
        reader->position += (size_t)index;
        entry = table[(entry >> 16) + (bits & ((1u << (entry >> 8 & 15)) - 1))];
    }
    *extra = (size_t)((bits & (((uint64_t)1 << (entry & 255)) - 1)) >> (entry >> 8 & 15));
    reader->position += entry & 255;
    return entry;
}

/// The same for the end of the input: one symbol, written only when all its bits are there.
static bool inflate_symbol(texel_inflater *inflater) {
    bit_reader *reader = &inflater->reader;
    size_t extra;
    huffman_entry entry = read_symbol(reader, inflater->codes.lengths, lengths_index, &extra);
    if (is_overrun(reader)) return false;
    if (entry & huffman_literal) {
        inflater->output[inflater->end++] = (uint8_t)(entry >> 16);
        return true;
    }
    if (entry & huffman_special) {
        inflater->phase = inflater->is_last_block ? at_checksum : at_block;
        return (entry & huffman_end) != 0;
    }
    size_t length = (entry >> 16) + extra;
    entry = read_symbol(reader, inflater->codes.distances, distances_index, &extra);
    size_t distance = (entry >> 16) + extra;
    if (is_overrun(reader) || entry & huffman_invalid || distance > inflater->end
        || distance > inflater->largest_distance)
        return false;
    copy_match(inflater->output + inflater->end, distance, length);
    inflater->end += length;
    return true;
}

/// Copies bytes of a stored block, as many as there are and as there is room for.
static void copy_stored(texel_inflater *inflater) {
    bit_reader *reader = &inflater->reader;
    size_t count = inflater->stored_left, begin = reader->position / 8;
    if (count > reader->count - begin) count = reader->count - begin;
    if (count > inflater->limit - inflater->end) count = inflater->limit - inflater->end;
    memcpy(inflater->output + inflater->end, inflater->input + begin, count);
    reader->position += count * 8;
    inflater->end += count;
    inflater->stored_left -= count;
    if (inflater->stored_left == 0) inflater->phase = inflater->is_last_block ? at_checksum : at_block;
}

static bool begin_stream(texel_inflater *inflater) {
    uint32_t method = read_bits(&inflater->reader, 8), flags = read_bits(&inflater->reader, 8);
    // Deflate, a window of at most 32 KB, no dictionary, a checksum of both bytes.
    if ((method & 15) != 8 || method >> 4 > 7 || flags & 32 || (method << 8 | flags) % 31 != 0) return false;
    inflater->largest_distance = (size_t)256 << (method >> 4);
    inflater->phase = at_block;
    return true;
}

static bool begin_block(texel_inflater *inflater) {
    bit_reader *reader = &inflater->reader;
    inflater->is_last_block = read_bits(reader, 1);
    block_kind kind = read_bits(reader, 2);
    switch (kind) {
    case block_stored: {
        int length = read_stored_length(reader);
        if (length < 0) return false;
        inflater->stored_left = (size_t)length;
        inflater->phase = in_stored_block;
        break;
    }
    case block_fixed:
    case block_dynamic:
        if (!read_block_codes(reader, kind, &inflater->codes)) return false;
        inflater->phase = in_coded_block;
        break;
    case block_reserved: return false;
    }
    return !is_overrun(reader);
}

static void read_checksum(texel_inflater *inflater) {
    bit_reader *reader = &inflater->reader;
    reader->position = (reader->position + 7) / 8 * 8;
    for (int i = 0; i < 4; i++) inflater->checksum = inflater->checksum << 8 | read_bits(reader, 8);
    inflater->phase = at_end;
}

/// Forgets what was taken, but for the window.
static void make_room(texel_inflater *inflater) {
    size_t keep = inflater->begin;
    if (keep + window_size > inflater->end) keep = inflater->end > window_size ? inflater->end - window_size : 0;
    memmove(inflater->output, inflater->output + keep, inflater->end - keep);
    inflater->begin -= keep;
    inflater->end -= keep;
}

texel_inflater_state texel_inflater_run(texel_inflater *inflater, size_t count, bool is_all) {
    bit_reader *reader = &inflater->reader;
    // What lies behind the input is zero, so that the same input always means the same.
    if (is_all) memset(inflater->input + reader->count, 0, texel_inflate_padding);
    while (inflater->end - inflater->begin < count) {
        if (inflater->end + count > inflater->limit || inflater->end + output_size / 2 > inflater->limit)
            make_room(inflater);
        bool is_sound = true;
        switch (inflater->phase) {
        case at_header:
            if (!has_input(reader, 2)) return TEXEL_INFLATER_HUNGRY;
            is_sound = begin_stream(inflater);
            break;
        case at_block:
            if (!is_all && !has_input(reader, longest_header)) return TEXEL_INFLATER_HUNGRY;
            is_sound = begin_block(inflater);
            break;
        case in_stored_block:
            if (inflater->stored_left > 0 && !has_input(reader, 1)) return TEXEL_INFLATER_HUNGRY;
            copy_stored(inflater);
            break;
        case in_coded_block:
            if (has_input(reader, 64)) is_sound = inflate_symbols(inflater);
            else if (is_all) is_sound = inflate_symbol(inflater);
            else return TEXEL_INFLATER_HUNGRY;
            break;
        case at_checksum:
            if ((reader->position + 7) / 8 + 4 > reader->count) return TEXEL_INFLATER_HUNGRY;
            read_checksum(inflater);
            break;
        case at_end: return TEXEL_INFLATER_ENDED;
        case is_broken: return TEXEL_INFLATER_BROKEN;
        }
        if (!is_sound) inflater->phase = is_broken;
    }
    return TEXEL_INFLATER_READY;
}

const uint8_t *texel_inflater_bytes(const texel_inflater *inflater) { return inflater->output + inflater->begin; }

void texel_inflater_take(texel_inflater *inflater, size_t count) { inflater->begin += count; }

uint32_t texel_inflater_declared_checksum(const texel_inflater *inflater) { return inflater->checksum; }

size_t texel_inflater_excess(const texel_inflater *inflater) {
    return inflater->reader.count - inflater->reader.position / 8;
}
