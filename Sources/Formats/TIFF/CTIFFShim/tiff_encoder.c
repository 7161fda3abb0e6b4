#ifdef TEXEL_TIFF

#include <stdlib.h>
#include <string.h>

#include "tiff_library.h"
#include "tiff_messages.h"
#include "tiff_shim.h"

struct texel_tiff_encoder {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
    uint64_t position;
    bool is_out_of_memory;
    TIFF *handle;
    texel_codec_report report;
};

/// Makes room for `count` bytes, and clears bytes that libtiff has skipped.
static bool reserve(texel_tiff_encoder *encoder, size_t count) {
    if (count > encoder->capacity) {
        size_t capacity = encoder->capacity > SIZE_MAX / 2 || encoder->capacity * 2 < count ? count
                                                                                            : encoder->capacity * 2;
        uint8_t *larger = realloc(encoder->bytes, capacity);
        if (!larger) {
            encoder->is_out_of_memory = true;
            return false;
        }
        encoder->bytes = larger;
        encoder->capacity = capacity;
    }
    if (count > encoder->count) {
        memset(encoder->bytes + encoder->count, 0, count - encoder->count);
        encoder->count = count;
    }
    return true;
}

static tmsize_t write_bytes(thandle_t context, void *buffer, tmsize_t count) {
    texel_tiff_encoder *encoder = context;
    if (count <= 0) return 0;
    if (encoder->position > SIZE_MAX - (size_t)count || !reserve(encoder, (size_t)encoder->position + (size_t)count))
        return 0;
    memcpy(encoder->bytes + encoder->position, buffer, (size_t)count);
    encoder->position += (size_t)count;
    return count;
}

static tmsize_t read_bytes(thandle_t context, void *buffer, tmsize_t count) {
    texel_tiff_encoder *encoder = context;
    if (count <= 0 || encoder->position >= encoder->count) return 0;
    size_t available = encoder->count - (size_t)encoder->position;
    size_t done = (size_t)count < available ? (size_t)count : available;
    memcpy(buffer, encoder->bytes + encoder->position, done);
    encoder->position += done;
    return (tmsize_t)done;
}

static toff_t seek(thandle_t context, toff_t offset, int origin) {
    texel_tiff_encoder *encoder = context;
    uint64_t base = origin == SEEK_CUR ? encoder->position : origin == SEEK_END ? encoder->count : 0;
    encoder->position = base + offset;
    return encoder->position;
}

static int close_nothing(thandle_t context) {
    (void)context;
    return 0;
}

static toff_t file_size(thandle_t context) { return ((texel_tiff_encoder *)context)->count; }

/// Sets the fields of the directory; returns false if libtiff refuses one.
static bool configure(TIFF *handle, const texel_tiff_config *config) {
    bool is_gray = config->samples == 1;
    int photometric = is_gray ? PHOTOMETRIC_MINISBLACK : config->is_jpeg ? PHOTOMETRIC_YCBCR : PHOTOMETRIC_RGB;
    bool done = tiff.TIFFSetField(handle, TIFFTAG_IMAGEWIDTH, config->width) &&
                tiff.TIFFSetField(handle, TIFFTAG_IMAGELENGTH, config->height) &&
                tiff.TIFFSetField(handle, TIFFTAG_BITSPERSAMPLE, 8) &&
                tiff.TIFFSetField(handle, TIFFTAG_SAMPLESPERPIXEL, (int)config->samples) &&
                tiff.TIFFSetField(handle, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) &&
                tiff.TIFFSetField(handle, TIFFTAG_ROWSPERSTRIP, config->rows_per_strip) &&
                tiff.TIFFSetField(handle, TIFFTAG_COMPRESSION,
                                  config->is_jpeg ? COMPRESSION_JPEG : COMPRESSION_ADOBE_DEFLATE) &&
                tiff.TIFFSetField(handle, TIFFTAG_PHOTOMETRIC, photometric);
    if (done && config->samples == 4) {
        uint16_t alpha = EXTRASAMPLE_UNASSALPHA;
        done = tiff.TIFFSetField(handle, TIFFTAG_EXTRASAMPLES, 1, &alpha);
    }
    if (!done) return false;
    if (!config->is_jpeg)
        return tiff.TIFFSetField(handle, TIFFTAG_PREDICTOR,
                                 config->has_predictor ? PREDICTOR_HORIZONTAL : PREDICTOR_NONE) &&
               tiff.TIFFSetField(handle, TIFFTAG_ZIPQUALITY, config->level);
    // Only the quantisation tables are shared, so that each strip has Huffman tables of its own.
    done = tiff.TIFFSetField(handle, TIFFTAG_JPEGQUALITY, config->quality) &&
           tiff.TIFFSetField(handle, TIFFTAG_JPEGTABLESMODE, JPEGTABLESMODE_QUANT);
    if (is_gray || !done) return done;
    return tiff.TIFFSetField(handle, TIFFTAG_YCBCRSUBSAMPLING, (int)config->horizontal, (int)config->vertical) &&
           tiff.TIFFSetField(handle, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
}

texel_tiff_encoder *texel_tiff_encoder_create(const texel_tiff_config *config, texel_codec_report *report) {
    texel_tiff_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return NULL;
    TIFFOpenOptions *options = texel_tiff_options(&encoder->report, 0);
    if (!options) {
        free(encoder);
        return NULL;
    }
    encoder->handle =
        tiff.TIFFClientOpenExt("image", config->is_big_endian ? "wbm" : "wlm", encoder, read_bytes, write_bytes, seek,
                               close_nothing, file_size, NULL, NULL, options);
    tiff.TIFFOpenOptionsFree(options);
    if (encoder->handle && configure(encoder->handle, config)) return encoder;
    *report = encoder->report;
    texel_tiff_encoder_destroy(encoder);
    return NULL;
}

void texel_tiff_encoder_destroy(texel_tiff_encoder *encoder) {
    if (!encoder) return;
    // Closing may write.
    if (encoder->handle) tiff.TIFFClose(encoder->handle);
    free(encoder->bytes);
    free(encoder);
}

static texel_codec_status result(const texel_tiff_encoder *encoder, bool succeeded, texel_codec_report *report) {
    if (succeeded) return TEXEL_CODEC_OK;
    *report = encoder->report;
    return encoder->is_out_of_memory ? TEXEL_CODEC_OUT_OF_MEMORY : TEXEL_CODEC_FAILED;
}

texel_codec_status texel_tiff_encoder_write_strip(texel_tiff_encoder *encoder, uint32_t index, uint8_t *rows,
                                                  size_t count, texel_codec_report *report) {
    tmsize_t done = tiff.TIFFWriteEncodedStrip(encoder->handle, index, rows, (tmsize_t)count);
    return result(encoder, done == (tmsize_t)count && !encoder->is_out_of_memory, report);
}

texel_codec_status texel_tiff_encoder_finish(texel_tiff_encoder *encoder, const uint8_t **bytes, size_t *count,
                                             texel_codec_report *report) {
    bool succeeded = tiff.TIFFWriteDirectory(encoder->handle) == 1 && !encoder->is_out_of_memory;
    *bytes = encoder->bytes;
    *count = encoder->count;
    return result(encoder, succeeded, report);
}

#endif
