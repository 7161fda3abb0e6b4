#include "huffman.h"

/// Skips the symbols of a block. Returns false for an invalid symbol or past the end of the input.
static bool pass_symbols(bit_reader *reader, const block_codes *codes) {
    const uint64_t length_mask = (1u << lengths_index) - 1, distance_mask = (1u << distances_index) - 1;
    const size_t limit = reader->count * 8;
    bit_reader here = *reader;
    while (here.position <= limit) {
        uint64_t bits = peek_bits(&here);
        huffman_entry entry = codes->lengths[bits & length_mask];
        // Literals from the first table drop at most 11 bits each, so five fit the 56 bits; a length and its distance
        // have at most 48 bits.
        for (int times = 0; times < 4 && entry & huffman_literal; times++) {
            bits >>= entry & 255;
            here.position += entry & 255;
            entry = codes->lengths[bits & length_mask];
        }
        if (entry & huffman_literal) {
            here.position += entry & 255;
            continue;
        }
        bits = peek_bits(&here);
        if (entry & huffman_second) {
            bits >>= lengths_index;
            here.position += lengths_index;
            entry = codes->lengths[(entry >> 16) + (bits & ((1u << (entry >> 8 & 15)) - 1))];
        }
        here.position += entry & 255;
        if (entry & huffman_special) {
            if (entry & huffman_literal) continue;
            *reader = here;
            return (entry & huffman_end) != 0;
        }
        bits >>= entry & 255;
        entry = codes->distances[bits & distance_mask];
        if (entry & huffman_second) {
            bits >>= distances_index;
            here.position += distances_index;
            entry = codes->distances[(entry >> 16) + (bits & ((1u << (entry >> 8 & 15)) - 1))];
        }
        if (entry & huffman_invalid) return false;
        here.position += entry & 255;
    }
    return false;
}

bool texel_deflate_find_last_block(const uint8_t *bytes, size_t count, texel_deflate_block *block) {
    bit_reader reader = {bytes, count, 0};
    block_codes codes;
    for (;;) {
        block->begin = reader.position;
        bool is_last = read_bits(&reader, 1);
        block_kind kind = read_bits(&reader, 2);
        switch (kind) {
        case block_stored: {
            int length = read_stored_length(&reader);
            if (length < 0) return false;
            reader.position += (size_t)length * 8;
            break;
        }
        case block_fixed:
        case block_dynamic:
            if (!read_block_codes(&reader, kind, &codes) || !pass_symbols(&reader, &codes)) return false;
            break;
        case block_reserved: return false;
        }
        if (is_overrun(&reader)) return false;
        block->end = reader.position;
        if (is_last) return true;
    }
}
