#include "tokens.h"

#include <stdlib.h>

const uint16_t length_bases[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                   31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
const uint8_t length_extra_bits[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                       2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
const uint16_t distance_bases[30] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                     33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                     1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
const uint8_t distance_extra_bits[30] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                         6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

/// A table indexed with the next fifteen bits: the symbol in the upper bits and the length of its code in the lowest
/// four; 0 if there is no such code.
typedef struct {
    uint16_t entries[1 << huffman_longest];
} flat_code;

static bool make_flat_code(flat_code *code, const uint8_t *lengths, int symbols) {
    memset(code, 0, sizeof *code);
    uint32_t next = 0;
    for (int bits = 1; bits <= huffman_longest; bits++) {
        next <<= 1;
        for (int symbol = 0; symbol < symbols; symbol++) {
            if (lengths[symbol] != bits) continue;
            if (next >> bits) return false; // over-subscribed
            uint32_t first = __builtin_bitreverse32(next++) >> (32 - bits);
            for (uint32_t at = first; at < 1u << huffman_longest; at += 1u << bits)
                code->entries[at] = (uint16_t)(symbol << 4 | bits);
        }
    }
    return true;
}

static bool append_token(token_list *list, deflate_token token) {
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 1 << 16;
        deflate_token *tokens = realloc(list->tokens, capacity * sizeof *tokens);
        if (!tokens) return false;
        list->tokens = tokens;
        list->capacity = capacity;
    }
    list->tokens[list->count++] = token;
    return true;
}

static int read_symbol(bit_reader *reader, const flat_code *code) {
    uint16_t entry = code->entries[peek_bits(reader) & ((1u << huffman_longest) - 1)];
    reader->position += entry & 15;
    return entry ? entry >> 4 : -1;
}

/// The tables of a block's two codes. Allocated on the heap: 128 KB are too much for a thread's stack.
typedef struct {
    flat_code literals, distances;
} flat_codes;

static bool read_coded_block(bit_reader *reader, block_kind kind, flat_codes *codes, token_list *list) {
    uint8_t lengths[288 + 32];
    int literals, distances;
    if (!read_block_lengths(reader, kind, lengths, &literals, &distances)
        || !make_flat_code(&codes->literals, lengths, literals)
        || !make_flat_code(&codes->distances, lengths + literals, distances))
        return false;
    while (!is_overrun(reader)) {
        int symbol = read_symbol(reader, &codes->literals);
        if (symbol == end_symbol) return true;
        if (symbol < 0 || symbol >= literal_symbols) return false;
        deflate_token token = (deflate_token)symbol;
        if (symbol > end_symbol) {
            int index = symbol - end_symbol - 1;
            uint32_t length = length_bases[index] + read_bits(reader, length_extra_bits[index]);
            int distance = read_symbol(reader, &codes->distances);
            if (distance < 0 || distance >= distance_symbols) return false;
            token = length << 16 | (distance_bases[distance] + read_bits(reader, distance_extra_bits[distance]));
        }
        if (!append_token(list, token)) return false;
    }
    return false;
}

static bool read_stored_block(bit_reader *reader, token_list *list) {
    int length = read_stored_length(reader);
    if (length < 0 || reader->position + (size_t)length * 8 > reader->count * 8) return false;
    for (int i = 0; i < length; i++)
        if (!append_token(list, read_bits(reader, 8))) return false;
    return true;
}

bool read_tokens(const uint8_t *bytes, size_t count, token_list *list) {
    bit_reader reader = {bytes, count, 0};
    flat_codes *codes = malloc(sizeof *codes);
    bool is_sound = codes != NULL, is_last = false;
    while (is_sound && !is_last) {
        is_last = read_bits(&reader, 1);
        block_kind kind = read_bits(&reader, 2);
        is_sound = kind != block_reserved
            && (kind == block_stored ? read_stored_block(&reader, list) : read_coded_block(&reader, kind, codes, list))
            && !is_overrun(&reader);
    }
    free(codes);
    return is_sound;
}
