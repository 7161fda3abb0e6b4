#include "parse.h"

#include "match_finder.h"

#include <pthread.h>
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

/// The matches at each byte of a segment.
typedef struct {
    match *matches;
    size_t match_count, match_capacity;
    /// For each byte the index of its first match; one more for the end.
    uint32_t *first;
} segment_matches;

/// The cheapest tokens from each byte of a segment to its end.
typedef struct {
    const segment_matches *found;
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

static bool grow_matches(segment_matches *found) {
    if (found->match_capacity - found->match_count >= most_matches) return true;
    size_t capacity = found->match_capacity ? 2 * found->match_capacity : 1 << 16;
    match *matches = realloc(found->matches, capacity * sizeof *matches);
    if (!matches) return false;
    found->matches = matches;
    found->match_capacity = capacity;
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
    segment_matches *found, match_finder *finder, const uint8_t *bytes, size_t begin, size_t end, size_t total) {
    found->match_count = 0;
    for (size_t at = begin; at < end; at++) {
        found->first[at - begin] = (uint32_t)found->match_count;
        if (total - at < 4) continue;
        if (!grow_matches(found)) return false;
        match *matches = found->matches + found->match_count;
        int count = find_matches(finder, bytes, at, total, matches);
        found->match_count += (size_t)shorten(matches, count, end - at);
    }
    found->first[end - begin] = (uint32_t)found->match_count;
    return true;
}

// MARK: Choosing

/// Finds the cheapest tokens from each byte to the end of the segment.
static void choose(workspace *work, const uint8_t *bytes, size_t count, const costs *costs) {
    const segment_matches *all = work->found;
    work->cost[count] = 0;
    for (size_t at = count; at-- > 0;) {
        uint32_t best = costs->literals[bytes[at]] + work->cost[at + 1];
        deflate_token token = bytes[at];
        uint32_t length = shortest_match;
        for (uint32_t index = all->first[at]; index < all->first[at + 1]; index++) {
            match found = all->matches[index];
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

enum { segment_capacity = longest_segment + longest_match + 1 };

static bool make_workspace(workspace *work) {
    work->cost = malloc((segment_capacity + 1) * sizeof *work->cost);
    work->tokens = malloc(segment_capacity * sizeof *work->tokens);
    work->best = malloc(segment_capacity * sizeof *work->best);
    return work->cost && work->tokens && work->best;
}

static void free_workspace(workspace *work) {
    free(work->cost);
    free(work->tokens);
    free(work->best);
}

/// Tokens that are chosen together: a block, or a part of a long one.
typedef struct {
    size_t first_token, token_count, begin, count;
} segment;

/// Divides the blocks into segments; returns `NULL` if memory runs out.
static segment *divide(const token_list *list, const size_t *ends, size_t block_count, size_t *segment_count) {
    // A block has at most one segment that is not full.
    size_t total = 0, token = 0, begin = 0;
    for (size_t i = 0; i < list->count; i++) total += token_length(list->tokens[i]);
    segment *segments = malloc((block_count + total / longest_segment + 1) * sizeof *segments);
    if (!segments) return NULL;
    *segment_count = 0;
    for (size_t block = 0; block < block_count; block++)
        while (token < ends[block]) {
            segment *next = &segments[(*segment_count)++];
            *next = (segment){token, 0, begin, 0};
            while (token < ends[block] && next->count < longest_segment)
                next->count += token_length(list->tokens[token++]);
            next->token_count = token - next->first_token;
            begin += next->count;
        }
    return segments;
}

/// The search for matches, which may be a segment ahead.
typedef struct {
    const uint8_t *bytes;
    size_t total, segment_count;
    const segment *segments;
    match_finder *finder;
    segment_matches found[2]; ///< of even and odd segments
    pthread_mutex_t mutex;    ///< of what follows
    pthread_cond_t has_changed;
    size_t searched, used;    ///< segments
    bool has_failed;          ///< memory has run out
} match_search;

static bool search(match_search *search, size_t index) {
    const segment *here = &search->segments[index];
    return find_all_matches(
        &search->found[index % 2], search->finder, search->bytes, here->begin, here->begin + here->count,
        search->total);
}

/// Searches all segments, each as soon as the last but one is used.
static void *search_ahead(void *context) {
    match_search *all = context;
    for (size_t index = 0; index < all->segment_count; index++) {
        pthread_mutex_lock(&all->mutex);
        while (index >= all->used + 2) pthread_cond_wait(&all->has_changed, &all->mutex);
        pthread_mutex_unlock(&all->mutex);
        bool is_done = search(all, index);
        pthread_mutex_lock(&all->mutex);
        all->searched++;
        all->has_failed = !is_done;
        pthread_cond_signal(&all->has_changed);
        pthread_mutex_unlock(&all->mutex);
        if (!is_done) break;
    }
    return NULL;
}

/// Waits until a segment is searched, and gives back those before it. Returns false if memory has run out.
static bool wait_for_matches(match_search *all, size_t index) {
    pthread_mutex_lock(&all->mutex);
    all->used = index;
    pthread_cond_signal(&all->has_changed);
    while (all->searched <= index && !all->has_failed) pthread_cond_wait(&all->has_changed, &all->mutex);
    bool is_done = all->searched > index && !(all->has_failed && all->searched == index + 1);
    pthread_mutex_unlock(&all->mutex);
    return is_done;
}

/// Chooses tokens for all segments, and appends them to `result`. Returns false if memory runs out.
static bool choose_all(
    match_search *all, workspace *work, const token_list *list, int most_passes, bool uses_thread,
    token_list *result) {
    pthread_t thread;
    bool has_thread = uses_thread && all->segment_count > 1 && pthread_create(&thread, NULL, search_ahead, all) == 0;
    bool is_done = true;
    for (size_t index = 0; index < all->segment_count; index++) {
        const segment *here = &all->segments[index];
        is_done = has_thread ? wait_for_matches(all, index) : search(all, index);
        if (!is_done) break;
        work->found = &all->found[index % 2];
        reparse_segment(
            work, all->bytes + here->begin, here->count, list->tokens + here->first_token, here->token_count,
            most_passes);
        memcpy(result->tokens + result->count, work->best, work->best_count * sizeof *work->best);
        result->count += work->best_count;
    }
    // After a failure the thread has ended by itself.
    if (has_thread) pthread_join(thread, NULL);
    return is_done;
}

bool reparse(token_list *list, const size_t *ends, size_t block_count, int most_passes, bool uses_thread) {
    match_search all = {.finder = make_match_finder()};
    uint8_t *bytes = read_bytes(list, &all.total);
    segment *segments = divide(list, ends, block_count, &all.segment_count);
    all.bytes = bytes;
    all.segments = segments;
    bool is_done = bytes && segments && all.finder;
    for (int i = 0; i < 2; i++) {
        all.found[i].first = malloc((segment_capacity + 1) * sizeof *all.found[i].first);
        is_done = is_done && all.found[i].first;
    }
    workspace work = {0};
    token_list result = {malloc((all.total + 1) * sizeof *result.tokens), 0, all.total + 1};
    pthread_mutex_init(&all.mutex, NULL);
    pthread_cond_init(&all.has_changed, NULL);
    is_done = is_done && result.tokens && make_workspace(&work)
        && choose_all(&all, &work, list, most_passes, uses_thread, &result);
    pthread_cond_destroy(&all.has_changed);
    pthread_mutex_destroy(&all.mutex);
    for (int i = 0; i < 2; i++) {
        free(all.found[i].matches);
        free(all.found[i].first);
    }
    free(bytes);
    free(segments);
    free(all.finder);
    free_workspace(&work);
    if (is_done) {
        free(list->tokens);
        *list = result;
    } else {
        free(result.tokens);
    }
    return is_done;
}
