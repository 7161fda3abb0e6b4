#include <stdlib.h>

#include "coefficient_plan.h"
#include "scan_plan.h"

struct texel_coefficient_decoder {
    read_coefficient_row *read_row;
    coefficient_plan plan;
    scan_stream stream;
};

texel_coefficient_decoder *texel_coefficient_decoder_create(const texel_coefficient_scan *scan,
                                                            const texel_scan_input *input,
                                                            texel_scan_status *status) {
    texel_coefficient_decoder *decoder = malloc(sizeof *decoder);
    *status = TEXEL_SCAN_REFUSED;
    if (!decoder || !coefficient_plan_make(&decoder->plan, scan)) {
        free(decoder);
        return NULL;
    }
    decoder->read_row = coefficient_rows_in_use()[decoder->plan.kind];
    scan_stream_start(&decoder->stream, input, 0, scan_loops_in_use()->copy, scan->restart_interval);
    if (decoder->stream.is_stopped) {
        *status = TEXEL_SCAN_STOPPED;
        free(decoder);
        return NULL;
    }
    *status = TEXEL_SCAN_OK;
    return decoder;
}

void texel_coefficient_decoder_destroy(texel_coefficient_decoder *decoder) { free(decoder); }

texel_scan_status texel_coefficient_decoder_read_row(texel_coefficient_decoder *decoder,
                                                     const texel_block_row *rows) {
    return (*decoder->read_row)(&decoder->plan, &decoder->stream, rows);
}

texel_scan_status texel_coefficient_decoder_finish(texel_coefficient_decoder *decoder, size_t *end) {
    scan_stream *stream = &decoder->stream;
    texel_scan_status status = scan_stream_read_to_marker(stream, &stream->reader);
    if (status == TEXEL_SCAN_OK) *end = stream->position;
    return status;
}
