#include "parse.h"

#include "match_finder.h"

#include <stdlib.h>

enum {
    /// Costs are in units of 1/64 bit.
    cost_bits = 6,
    /// The most bytes whose tokens are chosen together; their cost fits into 32 bits.
    longest_segment = 1 << 19,
    /// A match of at least this length is not shortened: to try all lengths takes too long.
    long_match = 200,
    /// The passes end when one gains less than one part in this number.
    least_gain = 1 << 12,
};

typedef struct {
    uint32_t literals[256], lengths[longest_match + 1], distances[distance_symbols];
} costs;

/// The matches at each byte of a segment, and the cheapest tokens from there to the end.
typedef struct {
    match *matches;
    size_t match_count, match_capacity;
    /// For each byte the index of its first match; one more for the end.
    uint32_t *first;
    uint32_t *cost;
    deflate_token *tokens;
    deflate_token *best;
    size_t best_count;
} workspace;

// MARK: Costs

/// Returns the binary logarithm in units of 1/64.
static uint32_t logarithm(uint32_t count) {
    uint32_t whole = 31 - (uint32_t)__builtin_clz(count), result = whole;
    uint64_t value = (uint64_t)count << (31 - whole);
    for (int digit = 0; digit < cost_bits; digit++) {
        value = (value * value) >> 31;
        result <<= 1;
        if (value >= 1ull << 32) {
            value >>= 1;
            result++;
        }
    }
    return result;
}

/// Sets the cost of each symbol of a code to its information; a symbol that does not occur costs a bit more than one
/// that occurs once.
static void find_costs(uint32_t *result, const uint32_t *counts, int symbols) {
    uint32_t total = 0;
    for (int i = 0; i < symbols; i++) total += counts[i];
    uint32_t whole = total > 0 ? logarithm(total) : 0;
    for (int i = 0; i < symbols; i++) {
        uint32_t cost = counts[i] > 0 ? whole - logarithm(counts[i]) : whole + (1 << cost_bits);
        uint32_t least = 1 << cost_bits, most = huffman_longest << cost_bits;
        result[i] = cost < least / 2 ? least / 2 : cost > most ? most : cost;
    }
}

static void make_costs(costs *result, const symbol_counts *counts) {
    uint32_t symbols[literal_symbols];
    find_costs(symbols, counts->literals, literal_symbols);
    memcpy(result->literals, symbols, sizeof result->literals);
    for (uint32_t length = shortest_match; length <= longest_match; length++) {
        int index = length_index(length);
        result->lengths[length] =
            symbols[end_symbol + 1 + index] + ((uint32_t)length_extra_bits[index] << cost_bits);
    }
    find_costs(result->distances, counts->distances, distance_symbols);
    for (int i = 0; i < distance_symbols; i++)
        result->distances[i] += (uint32_t)distance_extra_bits[i] << cost_bits;
}

/// Returns the size of a block in bits, with the extra bits.
static uint64_t total_bits(const symbol_counts *counts) {
    fitted_codes codes;
    uint64_t dynamic = fit_codes(counts, &codes), fixed = fixed_block_bits(counts);
    uint64_t bits = dynamic < fixed ? dynamic : fixed;
    for (int i = 0; i < 29; i++) bits += (uint64_t)counts->literals[end_symbol + 1 + i] * length_extra_bits[i];
    for (int i = 0; i < distance_symbols; i++) bits += (uint64_t)counts->distances[i] * distance_extra_bits[i];
    return bits;
}

// MARK: Matches

static bool grow_matches(workspace *work) {
    if (work->match_capacity - work->match_count >= most_matches) return true;
    size_t capacity = work->match_capacity ? 2 * work->match_capacity : 1 << 16;
    match *matches = realloc(work->matches, capacity * sizeof *matches);
    if (!matches) return false;
    work->matches = matches;
    work->match_capacity = capacity;
    return true;
}

/// Shortens the matches to at most `most` bytes. Returns the number of different matches that are left.
static int shorten(match *matches, int count, size_t most) {
    if (most < shortest_match) return 0;
    while (count > 1 && matches[count - 2].length >= most) count--;
    if (count > 0 && matches[count - 1].length > most) matches[count - 1].length = (uint16_t)most;
    return count;
}

/// Finds the matches at all positions of a segment, which do not reach beyond its end. `total` is the number of bytes.
static bool find_all_matches(
    workspace *work, match_finder *finder, const uint8_t *bytes, size_t begin, size_t end, size_t total) {
    work->match_count = 0;
    for (size_t at = begin; at < end; at++) {
        work->first[at - begin] = (uint32_t)work->match_count;
        if (total - at < 4) continue;
        if (!grow_matches(work)) return false;
        match *matches = work->matches + work->match_count;
        int count = find_matches(finder, bytes, at, total, matches);
        work->match_count += (size_t)shorten(matches, count, end - at);
    }
    work->first[end - begin] = (uint32_t)work->match_count;
    return true;
}

// MARK: Choosing

/// Finds the cheapest tokens from each byte to the end of the segment.
static void choose(workspace *work, const uint8_t *bytes, size_t count, const costs *costs) {
    work->cost[count] = 0;
    for (size_t at = count; at-- > 0;) {
        uint32_t best = costs->literals[bytes[at]] + work->cost[at + 1];
        deflate_token token = bytes[at];
        uint32_t length = shortest_match;
        for (uint32_t index = work->first[at]; index < work->first[at + 1]; index++) {
            match found = work->matches[index];
            uint32_t distance_cost = costs->distances[distance_index(found.distance)];
            if (found.length >= long_match) length = found.length;
            for (; length <= found.length; length++) {
                uint32_t cost = costs->lengths[length] + distance_cost + work->cost[at + length];
                if (cost < best) {
                    best = cost;
                    token = length << 16 | found.distance;
                }
            }
        }
        work->cost[at] = best;
        work->tokens[at] = token;
    }
}

static size_t token_length(deflate_token token) { return token < 256 ? 1 : token >> 16; }

/// A way to choose tokens: starting from some costs, each pass improves them.
typedef struct {
    symbol_counts counts;
    uint64_t bits;
} start;

/// Chooses tokens with the costs of `start`, and replaces these by those of the new tokens. Keeps the tokens if they
/// take fewer than `best_bits`. Returns the smaller size in bits.
static uint64_t run_pass(workspace *work, const uint8_t *bytes, size_t count, start *start, uint64_t best_bits) {
    costs costs;
    make_costs(&costs, &start->counts);
    choose(work, bytes, count, &costs);
    memset(&start->counts, 0, sizeof start->counts);
    for (size_t at = 0; at < count; at += token_length(work->tokens[at]))
        count_token(&start->counts, work->tokens[at]);
    start->bits = total_bits(&start->counts);
    if (start->bits >= best_bits) return best_bits;
    work->best_count = 0;
    for (size_t at = 0; at < count; at += token_length(work->tokens[at]))
        work->best[work->best_count++] = work->tokens[at];
    return start->bits;
}

/// Leaves the better of the given tokens and new ones for a segment in `best`.
static void reparse_segment(
    workspace *work, const uint8_t *bytes, size_t count, const deflate_token *tokens, size_t token_count,
    int most_passes) {
    start given = {0}, literals;
    for (size_t i = 0; i < token_count; i++) count_token(&given.counts, tokens[i]);
    memcpy(work->best, tokens, token_count * sizeof *tokens);
    work->best_count = token_count;
    literals = given;
    memset(literals.counts.literals, 0, 256 * sizeof *literals.counts.literals);
    for (size_t i = 0; i < count; i++) literals.counts.literals[bytes[i]]++;
    uint64_t bits = run_pass(work, bytes, count, &given, total_bits(&given.counts));
    // The first pass from literals only finds better costs; the second is comparable.
    for (int pass = 0; pass < 2; pass++) bits = run_pass(work, bytes, count, &literals, bits);
    start *better = literals.bits < given.bits ? &literals : &given;
    uint64_t last = better->bits;
    for (int pass = 1; pass < most_passes; pass++, last = better->bits) {
        bits = run_pass(work, bytes, count, better, bits);
        if (better->bits + better->bits / least_gain >= last) return;
    }
}

// MARK: All blocks

/// Returns the bytes that the tokens stand for, followed by a few zeros; `NULL` if a distance is too far or memory runs
/// out.
static uint8_t *read_bytes(const token_list *list, size_t *count) {
    size_t total = 0, at = 0;
    for (size_t i = 0; i < list->count; i++) total += token_length(list->tokens[i]);
    uint8_t *bytes = calloc(total + 8, 1);
    if (!bytes) return NULL;
    for (size_t i = 0; i < list->count; i++) {
        deflate_token token = list->tokens[i];
        size_t distance = token & 0xFFFF;
        if (token < 256) {
            bytes[at++] = (uint8_t)token;
        } else if (distance > at) {
            free(bytes);
            return NULL;
        } else {
            for (size_t length = token >> 16; length > 0; length--, at++) bytes[at] = bytes[at - distance];
        }
    }
    *count = total;
    return bytes;
}

static bool make_workspace(workspace *work) {
    size_t count = longest_segment + longest_match + 1;
    work->first = malloc((count + 1) * sizeof *work->first);
    work->cost = malloc((count + 1) * sizeof *work->cost);
    work->tokens = malloc(count * sizeof *work->tokens);
    work->best = malloc(count * sizeof *work->best);
    return work->first && work->cost && work->tokens && work->best;
}

static void free_workspace(workspace *work) {
    free(work->matches);
    free(work->first);
    free(work->cost);
    free(work->tokens);
    free(work->best);
}

bool reparse(token_list *list, const size_t *ends, size_t block_count, int most_passes) {
    size_t total = 0, begin = 0, token = 0;
    uint8_t *bytes = read_bytes(list, &total);
    match_finder *finder = make_match_finder();
    workspace work = {NULL, 0, 0, NULL, NULL, NULL, NULL, 0};
    token_list result = {malloc((total + 1) * sizeof *result.tokens), 0, total + 1};
    bool is_done = bytes && finder && result.tokens && make_workspace(&work);
    for (size_t block = 0; is_done && block < block_count; block++)
        while (is_done && token < ends[block]) {
            size_t first = token, count = 0;
            while (token < ends[block] && count < longest_segment) count += token_length(list->tokens[token++]);
            is_done = find_all_matches(&work, finder, bytes, begin, begin + count, total);
            if (!is_done) break;
            reparse_segment(&work, bytes + begin, count, list->tokens + first, token - first, most_passes);
            memcpy(result.tokens + result.count, work.best, work.best_count * sizeof *work.best);
            result.count += work.best_count;
            begin += count;
        }
    free(bytes);
    free(finder);
    free_workspace(&work);
    if (is_done) {
        free(list->tokens);
        *list = result;
    } else {
        free(result.tokens);
    }
    return is_done;
}
