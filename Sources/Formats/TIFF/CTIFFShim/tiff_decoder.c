#ifdef TEXEL_TIFF

#include <stdlib.h>
#include <string.h>

#include "tiff_library.h"
#include "tiff_messages.h"
#include "tiff_shim.h"

struct texel_tiff_decoder {
    texel_tiff_input input;
    uint64_t position;
    TIFF *handle;
    texel_codec_report report;
};

static uint64_t size_of(const texel_tiff_decoder *decoder) {
    return (uint64_t)decoder->input.head_count + decoder->input.count;
}

/// Copies as much of a range of `count` bytes at `source` as is requested; returns how much.
static size_t copy(uint8_t *buffer, size_t wanted, const uint8_t *source, size_t count, uint64_t position) {
    if (position >= count) return 0;
    size_t available = count - (size_t)position;
    if (wanted > available) wanted = available;
    memcpy(buffer, source + position, wanted);
    return wanted;
}

static tmsize_t read_bytes(thandle_t context, void *buffer, tmsize_t count) {
    texel_tiff_decoder *decoder = context;
    const texel_tiff_input *input = &decoder->input;
    if (count <= 0) return 0;
    size_t wanted = (size_t)count;
    size_t done = copy(buffer, wanted, input->head, input->head_count, decoder->position);
    decoder->position += done;
    if (done < wanted && decoder->position >= input->head_count && input->count > 0) {
        size_t more = copy((uint8_t *)buffer + done, wanted - done, input->bytes, input->count,
                           decoder->position - input->head_count);
        decoder->position += more;
        done += more;
    }
    return (tmsize_t)done;
}

static tmsize_t write_nothing(thandle_t context, void *buffer, tmsize_t count) {
    (void)context, (void)buffer, (void)count;
    return 0;
}

static toff_t seek(thandle_t context, toff_t offset, int origin) {
    texel_tiff_decoder *decoder = context;
    uint64_t base = origin == SEEK_CUR ? decoder->position : origin == SEEK_END ? size_of(decoder) : 0;
    decoder->position = base + offset;
    return decoder->position;
}

static int close_nothing(thandle_t context) {
    (void)context;
    return 0;
}

/// The bytes that the caller makes available later count too: the directory refers to them.
static toff_t file_size(thandle_t context) {
    (void)context;
    return INT64_MAX;
}

/// Opens the file and sets what libtiff does not read from it.
static bool open_input(texel_tiff_decoder *decoder, size_t max_allocation, bool converts_to_rgb) {
    TIFFOpenOptions *options = texel_tiff_options(&decoder->report, max_allocation);
    if (!options) return false;
    // m: read, do not map. 
    decoder->handle = tiff.TIFFClientOpenExt("image", "rm", decoder, read_bytes, write_nothing, seek, close_nothing,
                                             file_size, NULL, NULL, options);
    tiff.TIFFOpenOptionsFree(options);
    if (!decoder->handle) return false;
    if (converts_to_rgb) tiff.TIFFSetField(decoder->handle, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    return true;
}

texel_tiff_decoder *texel_tiff_decoder_create(const texel_tiff_input *input, size_t max_allocation,
                                              bool converts_to_rgb, texel_codec_status *status,
                                              texel_codec_report *report) {
    texel_tiff_decoder *decoder = calloc(1, sizeof *decoder);
    *status = decoder ? TEXEL_CODEC_OK : TEXEL_CODEC_OUT_OF_MEMORY;
    if (!decoder) return NULL;
    decoder->input = *input;
    if (open_input(decoder, max_allocation, converts_to_rgb)) {
        // The directory is the caller's own; what libtiff says about it does not concern the file.
        memset(&decoder->report, 0, sizeof decoder->report);
        return decoder;
    }
    *status = decoder->report.error[0] ? TEXEL_CODEC_FAILED : TEXEL_CODEC_OUT_OF_MEMORY;
    *report = decoder->report;
    free(decoder);
    return NULL;
}

void texel_tiff_decoder_destroy(texel_tiff_decoder *decoder) {
    if (!decoder) return;
    tiff.TIFFClose(decoder->handle);
    free(decoder);
}

void texel_tiff_decoder_set_count(texel_tiff_decoder *decoder, size_t count) { decoder->input.count = count; }

texel_codec_status texel_tiff_decoder_read_row(texel_tiff_decoder *decoder, uint32_t row, uint8_t *buffer,
                                               size_t count) {
    if (tiff.TIFFScanlineSize(decoder->handle) != (tmsize_t)count) return TEXEL_CODEC_FAILED;
    return tiff.TIFFReadScanline(decoder->handle, buffer, row, 0) == 1 ? TEXEL_CODEC_OK : TEXEL_CODEC_FAILED;
}

texel_codec_status texel_tiff_decoder_read_tile(texel_tiff_decoder *decoder, uint32_t index, uint8_t *buffer,
                                                size_t count) {
    if (tiff.TIFFTileSize(decoder->handle) != (tmsize_t)count) return TEXEL_CODEC_FAILED;
    tmsize_t done = tiff.TIFFReadEncodedTile(decoder->handle, index, buffer, (tmsize_t)count);
    return done == (tmsize_t)count ? TEXEL_CODEC_OK : TEXEL_CODEC_FAILED;
}

const texel_codec_report *texel_tiff_decoder_report(const texel_tiff_decoder *decoder) { return &decoder->report; }

#endif
