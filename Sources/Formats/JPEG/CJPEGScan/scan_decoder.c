#include <stdlib.h>

#include "scan_plan.h"
#include "scan_team.h"

struct texel_scan_decoder {
    int row; ///< of MCUs, to decode next
    const scan_loops *loops;
    scan_team *team; ///< NULL if one thread decodes
    scan_plan plan;
    scan_stream stream;
};

texel_scan_decoder *texel_scan_decoder_create(const texel_scan_layout *layout, const texel_scan_input *input,
                                              int threads, texel_scan_status *status) {
    texel_scan_decoder *decoder = malloc(sizeof *decoder);
    *status = TEXEL_SCAN_REFUSED;
    if (!decoder || !scan_plan_make(&decoder->plan, layout)) {
        free(decoder);
        return NULL;
    }
    decoder->row = 0;
    decoder->loops = scan_loops_in_use();
    scan_stream_start(&decoder->stream, input, 0, decoder->loops->copy, layout->restart_interval);
    if (decoder->stream.is_stopped) {
        *status = TEXEL_SCAN_STOPPED;
        free(decoder);
        return NULL;
    }
    decoder->team = threads > 1 ? scan_team_create(&decoder->plan, decoder->loops, &decoder->stream) : NULL;
    *status = TEXEL_SCAN_OK;
    return decoder;
}

void texel_scan_decoder_destroy(texel_scan_decoder *decoder) {
    if (!decoder) return;
    scan_team_destroy(decoder->team);
    free(decoder);
}

size_t texel_scan_decoder_position(const texel_scan_decoder *decoder) { return decoder->stream.position; }

texel_scan_status texel_scan_decoder_read_row(texel_scan_decoder *decoder, uint8_t *const *rows,
                                              const size_t *bytes_per_row) {
    if (decoder->row >= decoder->plan.layout.mcu_rows) return TEXEL_SCAN_REFUSED;
    scan_output output = {.row = decoder->row++, .samples = rows, .bytes_per_row = bytes_per_row};
    if (decoder->team) return scan_team_decode_row(decoder->team, &output);
    return (*decoder->loops->decode)(&decoder->plan, &decoder->stream, &output, 0, decoder->plan.layout.mcus_per_row);
}

texel_scan_status texel_scan_decoder_finish(texel_scan_decoder *decoder, size_t *end) {
    enum { END_OF_IMAGE = 0xD9 };
    scan_stream *stream = &decoder->stream;
    texel_scan_status status = decoder->team ? scan_team_finish(decoder->team) : TEXEL_SCAN_OK;
    if (status == TEXEL_SCAN_OK) status = scan_stream_read_to_marker(stream, &stream->reader);
    if (status != TEXEL_SCAN_OK) return status;
    if (stream->marker != END_OF_IMAGE && stream->marker != 0) return TEXEL_SCAN_REFUSED;
    *end = stream->position;
    return TEXEL_SCAN_OK;
}
