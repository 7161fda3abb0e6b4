#include "parse.h"

#include <stdlib.h>

// MARK: Writing

/// Writes bits, starting at the lowest of each byte. Bytes past the capacity are counted, not written.
typedef struct {
    uint8_t *bytes;
    size_t capacity, count;
    uint64_t pending;
    int pending_bits;
} bit_writer;

static void write_bits(bit_writer *writer, uint32_t bits, int count) {
    writer->pending |= (uint64_t)bits << writer->pending_bits;
    for (writer->pending_bits += count; writer->pending_bits >= 8; writer->pending_bits -= 8) {
        if (writer->count < writer->capacity) writer->bytes[writer->count] = (uint8_t)writer->pending;
        writer->count++;
        writer->pending >>= 8;
    }
}

static void fill_byte(bit_writer *writer) {
    if (writer->pending_bits > 0) write_bits(writer, 0, 8 - writer->pending_bits);
}

/// Computes the canonical codes (RFC 1951, 3.2.2) of these lengths, with the first bit lowest.
static void make_codes(uint16_t *codes, const uint8_t *lengths, int symbols) {
    uint32_t next = 0;
    for (int bits = 1; bits <= huffman_longest; bits++) {
        next <<= 1;
        for (int symbol = 0; symbol < symbols; symbol++)
            if (lengths[symbol] == bits)
                codes[symbol] = (uint16_t)(__builtin_bitreverse32(next++) >> (32 - bits));
    }
}

static void write_code_lengths(bit_writer *writer, const fitted_codes *codes) {
    write_bits(writer, (uint32_t)codes->literals - 257, 5);
    write_bits(writer, (uint32_t)codes->distances - 1, 5);
    write_bits(writer, (uint32_t)codes->given_instruction_lengths - 4, 4);
    for (int i = 0; i < codes->given_instruction_lengths; i++)
        write_bits(writer, codes->instruction_lengths[code_length_order[i]], 3);
    uint16_t instruction_codes[19];
    make_codes(instruction_codes, codes->instruction_lengths, 19);
    for (int i = 0; i < codes->instruction_count; i++) {
        int symbol = codes->instructions[i] & 255;
        write_bits(writer, instruction_codes[symbol], codes->instruction_lengths[symbol]);
        int extra = symbol < 16 ? 0 : symbol == 16 ? 2 : symbol == 17 ? 3 : 7;
        write_bits(writer, codes->instructions[i] >> 8, extra);
    }
}

static void write_tokens(
    bit_writer *writer, const deflate_token *tokens, size_t count, const uint8_t *literal_lengths,
    const uint8_t *distance_lengths, int literals, int distances) {
    uint16_t literal_codes[288], distance_codes[32];
    make_codes(literal_codes, literal_lengths, literals);
    make_codes(distance_codes, distance_lengths, distances);
    for (size_t i = 0; i < count; i++) {
        deflate_token token = tokens[i];
        if (token < 256) {
            write_bits(writer, literal_codes[token], literal_lengths[token]);
            continue;
        }
        uint32_t length = token >> 16, distance = token & 0xFFFF;
        int index = length_index(length), symbol = end_symbol + 1 + index;
        write_bits(writer, literal_codes[symbol], literal_lengths[symbol]);
        write_bits(writer, length - length_bases[index], length_extra_bits[index]);
        index = distance_index(distance);
        write_bits(writer, distance_codes[index], distance_lengths[index]);
        write_bits(writer, distance - distance_bases[index], distance_extra_bits[index]);
    }
    write_bits(writer, literal_codes[end_symbol], literal_lengths[end_symbol]);
}

static void write_block(
    bit_writer *writer, const deflate_token *tokens, size_t count, const symbol_counts *counts, bool is_last) {
    fitted_codes codes;
    uint64_t bits = fit_codes(counts, &codes);
    write_bits(writer, is_last, 1);
    if (fixed_block_bits(counts) < bits) {
        uint8_t lengths[288 + 32];
        int literals, distances;
        read_block_lengths(NULL, block_fixed, lengths, &literals, &distances);
        write_bits(writer, block_fixed, 2);
        write_tokens(writer, tokens, count, lengths, lengths + literals, literals, distances);
    } else {
        write_bits(writer, block_dynamic, 2);
        write_code_lengths(writer, &codes);
        write_tokens(
            writer, tokens, count, codes.lengths, codes.lengths + codes.literals, codes.literals, codes.distances);
    }
}

// MARK: Dividing

enum { smallest_piece = 256 };

/// A range of tokens that may become a block.
typedef struct {
    size_t begin, end;
    symbol_counts counts;
    uint64_t bits;
    /// The number of bits saved by joining this piece with the next.
    int64_t saving;
    int next;
} piece;

static uint64_t block_bits(const symbol_counts *counts) {
    fitted_codes codes;
    uint64_t dynamic = fit_codes(counts, &codes), fixed = fixed_block_bits(counts);
    return dynamic < fixed ? dynamic : fixed;
}

static void add_counts(symbol_counts *sum, const symbol_counts *other) {
    for (int i = 0; i < literal_symbols; i++) sum->literals[i] += other->literals[i];
    for (int i = 0; i < distance_symbols; i++) sum->distances[i] += other->distances[i];
}

static void find_saving(piece *pieces, int at) {
    piece *here = &pieces[at];
    if (here->next < 0) {
        here->saving = INT64_MIN;
        return;
    }
    symbol_counts both = here->counts;
    add_counts(&both, &pieces[here->next].counts);
    here->saving = (int64_t)here->bits + (int64_t)pieces[here->next].bits - (int64_t)block_bits(&both);
}

/// Joins neighbours while that saves bits, in the order of greatest saving. The first piece stays first in the list.
static void join_pieces(piece *pieces, int count) {
    for (int i = 0; i < count; i++) find_saving(pieces, i);
    for (;;) {
        int best = 0, before = -1, before_best = -1;
        for (int i = 0; i >= 0; before = i, i = pieces[i].next)
            if (pieces[i].saving > pieces[best].saving || i == best) {
                best = i;
                before_best = before;
            }
        if (pieces[best].saving <= 0) return;
        piece *other = &pieces[pieces[best].next];
        pieces[best].bits = pieces[best].bits + other->bits - (uint64_t)pieces[best].saving;
        add_counts(&pieces[best].counts, &other->counts);
        pieces[best].end = other->end;
        pieces[best].next = other->next;
        find_saving(pieces, best);
        if (before_best >= 0) find_saving(pieces, before_best);
    }
}

/// Divides the tokens into at most `most_pieces` pieces and joins them to blocks. Returns `NULL` if memory runs out.
static piece *make_blocks(const token_list *list, int most_pieces, size_t *block_count) {
    size_t size = (list->count + (size_t)most_pieces - 1) / (size_t)most_pieces;
    if (size < smallest_piece) size = smallest_piece;
    int count = (int)((list->count + size - 1) / size);
    piece *pieces = calloc((size_t)count, sizeof *pieces);
    if (!pieces) return NULL;
    for (int i = 0; i < count; i++) {
        piece *here = &pieces[i];
        here->begin = (size_t)i * size;
        here->end = here->begin + size < list->count ? here->begin + size : list->count;
        here->next = i + 1 < count ? i + 1 : -1;
        for (size_t at = here->begin; at < here->end; at++) count_token(&here->counts, list->tokens[at]);
        here->bits = block_bits(&here->counts);
    }
    join_pieces(pieces, count);
    *block_count = 0;
    for (int i = 0; i >= 0; i = pieces[i].next) ++*block_count;
    return pieces;
}

/// Chooses better tokens for these blocks. Without memory, the tokens stay as they are.
static void reparse_blocks(token_list *list, const piece *pieces, size_t block_count, int most_passes,
    bool uses_thread) {
    size_t *ends = malloc(block_count * sizeof *ends), at = 0;
    if (!ends) return;
    for (int i = 0; i >= 0; i = pieces[i].next) ends[at++] = pieces[i].end;
    reparse(list, ends, block_count, most_passes, uses_thread);
    free(ends);
}

size_t texel_deflate_reblock(
    const uint8_t *bytes, size_t count, bool is_last, int most_pieces, int most_passes, bool uses_thread,
    uint8_t *result, size_t capacity) {
    token_list list = {NULL, 0, 0};
    piece *pieces = NULL;
    bit_writer writer = {result, capacity, 0, 0, 0};
    size_t written = 0, block_count = 0;
    if (!read_tokens(bytes, count, &list) || list.count == 0) goto end;
    pieces = make_blocks(&list, most_pieces, &block_count);
    if (!pieces) goto end;
    if (most_passes > 0) {
        reparse_blocks(&list, pieces, block_count, most_passes, uses_thread);
        free(pieces);
        pieces = make_blocks(&list, most_pieces, &block_count);
        if (!pieces) goto end;
    }
    for (int i = 0; i >= 0; i = pieces[i].next) {
        piece *here = &pieces[i];
        write_block(
            &writer, list.tokens + here->begin, here->end - here->begin, &here->counts, is_last && here->next < 0);
    }
    if (!is_last) write_bits(&writer, 0, 3); // an empty stored block
    fill_byte(&writer);
    if (!is_last) {
        write_bits(&writer, 0, 16);
        write_bits(&writer, 0xFFFF, 16);
    }
    if (writer.count <= capacity) written = writer.count;
end:
    free(pieces);
    free(list.tokens);
    return written;
}
