#include "scan_stream.h"

/// Waits for more bytes of the input. Returns whether there are any.
static bool has_more(scan_stream *stream) {
    texel_scan_input *input = &stream->input;
    if (!input->wait) return false;
    size_t known = input->count, there = (*input->wait)(input->context, known);
    stream->is_stopped = there < known;
    if (there > known) input->count = there;
    return there > known;
}

/// Ends the window at a marker, or at the end of the file.
static void close(scan_stream *stream) {
    stream->is_closed = true;
    memset(stream->bytes + stream->end, 0, LARGEST_MCU + READ_AHEAD);
}

static void fill(scan_stream *stream) {
    while (!stream->is_closed && stream->end < WINDOW_BYTES) {
        if (!stream->has_mark && stream->position == stream->mark) {
            stream->has_mark = true;
            stream->mark_offset = stream->before + stream->end;
        }
        const uint8_t *start = stream->input.bytes, *end = start + stream->input.count;
        bool has_mark_ahead = stream->mark > stream->position && stream->mark < stream->input.count;
        const uint8_t *from = start + stream->position, *stop = has_mark_ahead ? start + stream->mark : end;
        uint8_t *filled = (*stream->copy)(&from, stop, stream->bytes + stream->end, stream->bytes + WINDOW_BYTES);
        stream->end = (size_t)(filled - stream->bytes);
        stream->position = (size_t)(from - start);
        if (stream->end == WINDOW_BYTES || (has_mark_ahead && from == stop)) continue;
        if (end - from >= 2) {
            stream->marker = from[1];
            // Fill bytes before a marker are allowed, but rare enough to leave them to libjpeg.
            stream->is_refused = from[1] == 0xFF;
            close(stream);
        } else if (!has_more(stream)) {
            // So is a 0xFF byte alone at the end.
            stream->is_refused = from < end;
            stream->marker = 0;
            close(stream);
        }
    }
}

/// Begins a window at the position.
static void open(scan_stream *stream, bit_reader *reader) {
    stream->before += stream->end;
    stream->end = 0;
    stream->is_closed = false;
    *reader = (bit_reader){.next = stream->bytes};
    fill(stream);
}

void scan_stream_start(scan_stream *stream, const texel_scan_input *input, size_t position, unstuffing *copy,
                       int restart_interval) {
    *stream = (scan_stream){
        .input = *input,
        .copy = copy,
        .position = position,
        .mark = position,
        .restart_interval = restart_interval,
        .mcus_to_marker = restart_interval,
    };
    open(stream, &stream->reader);
}

void scan_stream_copy(scan_stream *stream, const scan_stream *other) {
    *stream = *other;
    stream->reader.next = stream->bytes + (other->reader.next - other->bytes);
}

void scan_stream_set_mark(scan_stream *stream, size_t position) {
    stream->mark = position;
    stream->has_mark = false;
}

texel_scan_status scan_stream_refill(scan_stream *stream, bit_reader *reader) {
    // In a closed window the reader is in the padding.
    if (stream->is_closed) return TEXEL_SCAN_REFUSED;
    // In an open one it is before the end: it decoded its last MCU from the limit at most.
    size_t used = (size_t)(reader->next - stream->bytes);
    memmove(stream->bytes, reader->next, stream->end - used);
    stream->before += used;
    stream->end -= used;
    reader->next = stream->bytes;
    fill(stream);
    return stream->is_stopped ? TEXEL_SCAN_STOPPED : TEXEL_SCAN_OK;
}

texel_scan_status scan_stream_read_to_marker(scan_stream *stream, bit_reader *reader) {
    if (!stream->is_closed) {
        texel_scan_status status = scan_stream_refill(stream, reader);
        if (status != TEXEL_SCAN_OK) return status;
    }
    ptrdiff_t left = scan_stream_bits_left(stream, reader);
    return stream->is_closed && !stream->is_refused && left >= 0 && left < 8 ? TEXEL_SCAN_OK : TEXEL_SCAN_REFUSED;
}

texel_scan_status scan_stream_restart(scan_stream *stream, bit_reader *reader) {
    enum { FIRST_RESTART = 0xD0 };
    texel_scan_status status = scan_stream_read_to_marker(stream, reader);
    if (status != TEXEL_SCAN_OK) return status;
    if (stream->marker != FIRST_RESTART + stream->restarts % 8) return TEXEL_SCAN_REFUSED;
    stream->restarts++;
    stream->mcus_to_marker = stream->restart_interval;
    memset(stream->predictions, 0, sizeof stream->predictions);
    stream->end_run = 0;
    stream->position += 2;
    open(stream, reader);
    return stream->is_stopped ? TEXEL_SCAN_STOPPED : TEXEL_SCAN_OK;
}
