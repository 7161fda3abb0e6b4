#include "scan_team.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    /// A smaller scan is not worth a thread.
    SMALLEST_SCAN = 128 * 1024,
    FEWEST_MCUS = 4096,
    /// The beginnings of MCUs that are compared. Readers meet after a few MCUs.
    START_COUNT = 256,
    /// Bytes between a chunk and the next, at least. The caller's window, which may reach past the end of the chunk
    /// that it continues, does not reach the next one.
    SMALLEST_GAP = 2 * WINDOW_BYTES,
    /// MCUs are handed over in such portions.
    PORTION = 32,
    /// After so many chunks that were not met, the helper gives up.
    MOST_REJECTIONS = 4,
    /// How often the helper begins anew in a chunk where it finds an invalid code before it is synchronised.
    MOST_ATTEMPTS = 64,
};

/// Where an MCU begins.
typedef struct {
    int64_t bits; ///< after the start of the chunk
    int32_t predictions[TEXEL_SCAN_COMPONENTS];
} mcu_start;

typedef enum {
    CHUNK_FREE,    ///< the helper may use it
    CHUNK_RUNNING, ///< the helper reads it
    CHUNK_DONE,
} chunk_state;

/// A part of the scan that the helper reads. All but what the helper has handed over is its own while it runs.
typedef struct {
    chunk_state state;
    size_t start;        ///< in the input
    bool is_dropped;     ///< the caller does not want it
    bool is_damaged;     ///< it ends at an invalid code
    int count;           ///< MCUs that were handed over
    int start_count;     ///< beginnings that were handed over
    mcu_start starts[START_COUNT];
    scan_block *blocks;
    scan_stream stream;  ///< at the end of the MCUs, when it is done
} scan_chunk;

struct scan_team {
    const scan_plan *plan;
    const scan_loops *loops;
    texel_scan_input input;
    pthread_t thread;
    pthread_mutex_t mutex; ///< of what follows, up to what is one thread's own
    pthread_cond_t has_changed;
    bool quits;
    scan_chunk chunks[2];
    int capacity;   ///< of a chunk, in MCUs
    size_t largest_gap;
    size_t gap;     ///< the bytes that the caller reads between two chunks
    size_t floor;   ///< the next chunk begins there or later

    // The caller's thread's own.
    scan_stream *stream;
    int next;              ///< the chunk that comes next, or that is used
    bool is_met;           ///< that chunk is used
    bool has_mark;         ///< the stream's mark is that chunk's start
    bool has_waited;       ///< for the helper, since the last chunk
    int used;              ///< of its MCUs
    int start;             ///< of its beginnings: the first that may be met
    int start_count;       ///< beginnings that the caller has seen
    int32_t differences[TEXEL_SCAN_COMPONENTS]; ///< of the predictions
    int rejections;
};

// MARK: The helper's thread

static bool is_restart_marker(int marker) { return (marker & 0xF8) == 0xD0; }

/// Returns a position at or after `position` where a chunk may begin; the end of the input if there is none.
static size_t find_start(const scan_team *team, size_t position, int *restarts) {
    const uint8_t *bytes = team->input.bytes;
    size_t end = team->input.count;
    *restarts = 0;
    for (; position + SMALLEST_GAP < end; position++) {
        if (team->plan->layout.restart_interval == 0) {
            if (bytes[position - 1] != 0xFF) return position;
        } else if (bytes[position - 2] == 0xFF && is_restart_marker(bytes[position - 1])) {
            *restarts = (bytes[position - 1] & 7) + 1;
            return position;
        }
    }
    return end;
}

/// Hands over MCUs and the beginnings of the first ones. Returns false if the caller does not want more.
static bool hand_over(scan_team *team, scan_chunk *chunk, int count) {
    pthread_mutex_lock(&team->mutex);
    chunk->count = count;
    chunk->start_count = count < START_COUNT ? count : START_COUNT;
    bool goes_on = !team->quits && !chunk->is_dropped;
    pthread_cond_signal(&team->has_changed);
    pthread_mutex_unlock(&team->mutex);
    return goes_on;
}

/// Whether the stream is at the end of the scan's data, where another MCU could only be read from padding, or at least
/// not from more than a few bits.
static bool is_at_end(const scan_stream *stream) {
    if (!stream->is_closed) return false;
    bool expects_marker = stream->restart_interval > 0 && stream->mcus_to_marker == 0;
    if (expects_marker) return !is_restart_marker(stream->marker);
    return scan_stream_bits_left(stream, &stream->reader) < 8;
}

/// Reads a chunk. Returns how many MCUs it has; not all of them have been handed over.
static int read_chunk(scan_team *team, scan_chunk *chunk) {
    const scan_plan *plan = team->plan;
    scan_stream *stream = &chunk->stream;
    int count = 0, attempts = 0;
    while (count < team->capacity && !is_at_end(stream)) {
        // One MCU as long as its beginning is noted.
        bool is_noted = count < START_COUNT;
        int some = is_noted ? 1 : PORTION - count % PORTION;
        if (some > team->capacity - count) some = team->capacity - count;
        if (is_noted) {
            mcu_start *start = &chunk->starts[count];
            start->bits = scan_stream_bits_after_mark(stream);
            memcpy(start->predictions, stream->predictions, sizeof start->predictions);
        }
        scan_block *blocks = chunk->blocks + (size_t)count * (size_t)plan->block_count;
        if ((*team->loops->read)(plan, stream, blocks, &some) != TEXEL_SCAN_OK) {
            // Perhaps it is not synchronised yet. It continues behind the invalid code, which was not handed over.
            bool may_continue = is_noted && plan->layout.restart_interval == 0 && !stream->is_closed;
            chunk->is_damaged = !may_continue || ++attempts > MOST_ATTEMPTS;
            if (chunk->is_damaged) break;
            count = 0;
            continue;
        }
        count += some;
        // The beginnings are handed over together, once they are certain.
        if (count >= START_COUNT && count % PORTION == 0 && !hand_over(team, chunk, count)) break;
    }
    return count;
}

/// Waits for a free chunk. Returns NULL if the helper should end.
static scan_chunk *wait_for_chunk(scan_team *team, scan_chunk *chunk) {
    // The caller has more to do than the helper.
    if (chunk->state != CHUNK_FREE) team->gap -= team->gap / 8;
    if (team->gap < SMALLEST_GAP) team->gap = SMALLEST_GAP;
    while (chunk->state != CHUNK_FREE && !team->quits) pthread_cond_wait(&team->has_changed, &team->mutex);
    return team->quits ? NULL : chunk;
}

static void *help(void *context) {
    scan_team *team = context;
    pthread_mutex_lock(&team->mutex);
    for (int next = 0;; next ^= 1) {
        scan_chunk *chunk = wait_for_chunk(team, &team->chunks[next]);
        if (!chunk) break;
        int restarts;
        size_t start = find_start(team, team->floor + team->gap, &restarts);
        if (start >= team->input.count) break;
        chunk->start = start;
        chunk->count = chunk->start_count = 0;
        chunk->is_dropped = chunk->is_damaged = false;
        chunk->state = CHUNK_RUNNING;
        pthread_cond_signal(&team->has_changed);
        pthread_mutex_unlock(&team->mutex);

        scan_stream_start(&chunk->stream, &team->input, start, team->loops->copy,
                          team->plan->layout.restart_interval);
        chunk->stream.restarts = restarts;
        int count = read_chunk(team, chunk);

        pthread_mutex_lock(&team->mutex);
        chunk->count = count;
        chunk->start_count = count < START_COUNT ? count : START_COUNT;
        chunk->state = chunk->is_dropped ? CHUNK_FREE : CHUNK_DONE;
        if (chunk->stream.position > team->floor) team->floor = chunk->stream.position;
        pthread_cond_signal(&team->has_changed);
    }
    pthread_mutex_unlock(&team->mutex);
    return NULL;
}

// MARK: The caller's thread

scan_team *scan_team_create(const scan_plan *plan, const scan_loops *loops, scan_stream *stream) {
    const texel_scan_input *input = &stream->input;
    size_t mcus = (size_t)plan->layout.mcus_per_row * (size_t)plan->layout.mcu_rows;
    if (input->wait || input->count < SMALLEST_SCAN || mcus < FEWEST_MCUS) return NULL;
    scan_team *team = calloc(1, sizeof *team);
    if (!team) return NULL;
    *team = (scan_team){.plan = plan, .loops = loops, .input = *input, .stream = stream};
    // Chunks of 1024 MCUs or more, so that they are longer than the windows.
    size_t mcu_bytes = input->count / mcus + 1, chunk_mcus = 6 * WINDOW_BYTES / mcu_bytes;
    team->capacity = chunk_mcus < 1024 ? 1024 : chunk_mcus > 4096 ? 4096 : (int)chunk_mcus;
    size_t chunk_bytes = (size_t)team->capacity * mcu_bytes;
    team->largest_gap = 4 * chunk_bytes;
    team->gap = chunk_bytes / 2 < SMALLEST_GAP ? SMALLEST_GAP : chunk_bytes / 2;
    size_t size = (size_t)team->capacity * (size_t)plan->block_count * sizeof(scan_block);
    team->chunks[0].blocks = malloc(size);
    team->chunks[1].blocks = malloc(size);
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->has_changed, NULL);
    bool has_memory = team->chunks[0].blocks && team->chunks[1].blocks;
    if (has_memory && pthread_create(&team->thread, NULL, help, team) == 0) return team;
    free(team->chunks[0].blocks);
    free(team->chunks[1].blocks);
    free(team);
    return NULL;
}

void scan_team_destroy(scan_team *team) {
    if (!team) return;
    pthread_mutex_lock(&team->mutex);
    team->quits = true;
    pthread_cond_signal(&team->has_changed);
    pthread_mutex_unlock(&team->mutex);
    pthread_join(team->thread, NULL);
    pthread_cond_destroy(&team->has_changed);
    pthread_mutex_destroy(&team->mutex);
    free(team->chunks[0].blocks);
    free(team->chunks[1].blocks);
    free(team);
}

/// Frees the chunk that came next. Call with the mutex locked.
static void release(scan_team *team) {
    scan_chunk *chunk = &team->chunks[team->next];
    if (chunk->state == CHUNK_RUNNING) chunk->is_dropped = true;
    else chunk->state = CHUNK_FREE;
    team->next ^= 1;
    team->is_met = team->has_mark = false;
    pthread_cond_signal(&team->has_changed);
}

/// Does without the chunk that came next. Call with the mutex locked.
static void reject(scan_team *team) {
    size_t reached = team->stream->position + SMALLEST_GAP;
    if (reached > team->floor) team->floor = reached;
    release(team);
}

/// Waits, as the helper is behind. Call with the mutex locked.
static void wait_for_helper(scan_team *team) {
    team->has_waited = true;
    pthread_cond_wait(&team->has_changed, &team->mutex);
}

/// Sets the stream's mark to the start of the chunk that comes next, as soon as that is known.
static void look_ahead(scan_team *team) {
    pthread_mutex_lock(&team->mutex);
    scan_chunk *chunk = &team->chunks[team->next];
    bool has_chunk = chunk->state != CHUNK_FREE && !chunk->is_dropped;
    if (has_chunk && chunk->start < team->stream->position) {
        // The helper began too late.
        reject(team);
    } else if (has_chunk) {
        scan_stream_set_mark(team->stream, chunk->start);
        team->has_mark = true;
        team->start = team->start_count = 0;
    }
    pthread_mutex_unlock(&team->mutex);
}

/// Compares the position of the stream, which is after the mark, with the beginnings in the chunk. If they meet, the
/// chunk is used from there on.
static void meet(scan_team *team) {
    const scan_chunk *chunk = &team->chunks[team->next];
    int64_t bits = scan_stream_bits_after_mark(team->stream);
    if (bits < 0) return;
    if (team->start_count == 0) {
        pthread_mutex_lock(&team->mutex);
        while (chunk->start_count == 0 && chunk->state == CHUNK_RUNNING) wait_for_helper(team);
        team->start_count = chunk->start_count;
        pthread_mutex_unlock(&team->mutex);
    }
    while (team->start < team->start_count && chunk->starts[team->start].bits < bits) team->start++;
    if (team->start == team->start_count) {
        pthread_mutex_lock(&team->mutex);
        if (++team->rejections == MOST_REJECTIONS) team->quits = true;
        reject(team);
        pthread_mutex_unlock(&team->mutex);
        return;
    }
    const mcu_start *start = &chunk->starts[team->start];
    if (start->bits != bits) return;
    team->is_met = true;
    team->used = team->start;
    team->rejections = 0;
    for (int i = 0; i < TEXEL_SCAN_COMPONENTS; i++) {
        team->differences[i] = team->stream->predictions[i] - start->predictions[i];
    }
}

/// Returns how many MCUs of the chunk are there and were not used, at least one; 0 if it has no more.
static int wait_for_mcus(scan_team *team) {
    const scan_chunk *chunk = &team->chunks[team->next];
    pthread_mutex_lock(&team->mutex);
    while (chunk->count <= team->used && chunk->state == CHUNK_RUNNING) wait_for_helper(team);
    int count = chunk->count - team->used;
    pthread_mutex_unlock(&team->mutex);
    return count;
}

/// Continues the stream at the end of the chunk, all of which was used.
static texel_scan_status take_over(scan_team *team) {
    const scan_chunk *chunk = &team->chunks[team->next];
    if (chunk->is_damaged) return TEXEL_SCAN_REFUSED;
    scan_stream_copy(team->stream, &chunk->stream);
    for (int i = 0; i < TEXEL_SCAN_COMPONENTS; i++) team->stream->predictions[i] += team->differences[i];
    pthread_mutex_lock(&team->mutex);
    // The caller reads more by itself if it had to wait.
    if (team->has_waited) team->gap += team->gap / 8;
    if (team->gap > team->largest_gap) team->gap = team->largest_gap;
    team->has_waited = false;
    release(team);
    pthread_mutex_unlock(&team->mutex);
    return TEXEL_SCAN_OK;
}

/// Writes MCUs of the chunk.
static texel_scan_status write_mcus(scan_team *team, const scan_output *output, int x, int count) {
    const scan_plan *plan = team->plan;
    scan_block *blocks = team->chunks[team->next].blocks + (size_t)team->used * (size_t)plan->block_count;
    scan_block *block = blocks;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < plan->block_count; j++, block++) {
            const block_reading *reading = &plan->readings[j];
            int16_t value = (int16_t)(block->coefficients[0] + team->differences[reading->component]);
            if (value > reading->limit || value < -reading->limit) return TEXEL_SCAN_REFUSED;
            block->coefficients[0] = value;
        }
    }
    team->used += count;
    return (*team->loops->write)(plan, blocks, output, x, count);
}

texel_scan_status scan_team_decode_row(scan_team *team, const scan_output *output) {
    const scan_plan *plan = team->plan;
    int width = plan->layout.mcus_per_row;
    for (int x = 0; x < width;) {
        texel_scan_status status;
        int count = 0;
        if (team->is_met) {
            count = wait_for_mcus(team);
            if (count > width - x) count = width - x;
            status = count > 0 ? write_mcus(team, output, x, count) : take_over(team);
        } else {
            if (!team->has_mark) look_ahead(team);
            else if (team->stream->has_mark) meet(team);
            if (team->is_met) continue;
            // MCU by MCU where the chunk may be met.
            count = team->has_mark && team->stream->has_mark ? 1 : 8;
            if (count > width - x) count = width - x;
            status = (*team->loops->decode)(plan, team->stream, output, x, count);
        }
        if (status != TEXEL_SCAN_OK) return status;
        x += count;
    }
    return TEXEL_SCAN_OK;
}

texel_scan_status scan_team_finish(scan_team *team) {
    if (!team->is_met) return TEXEL_SCAN_OK;
    // MCUs after the last one are bytes that do not belong there.
    return wait_for_mcus(team) > 0 ? TEXEL_SCAN_REFUSED : take_over(team);
}
