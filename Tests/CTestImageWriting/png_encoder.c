#include "png_encoder.h"

#include "png_fence.h"

struct texel_png_encoder {
    png_fence fence;
    png_structp png;
    png_infop info;
    bool wrote_info;
    uint8_t *bytes;
    size_t count, capacity;
};

static void write_bytes(png_structp png, png_bytep source, size_t count) {
    texel_png_encoder *encoder = png_get_io_ptr(png);
    if (count > encoder->capacity - encoder->count) {
        size_t capacity = encoder->capacity < 32 * 1024 ? 64 * 1024 : encoder->capacity * 2;
        while (capacity - encoder->count < count) capacity *= 2;
        uint8_t *larger = realloc(encoder->bytes, capacity);
        if (!larger) png_error(png, "Out of memory");
        encoder->bytes = larger;
        encoder->capacity = capacity;
    }
    memcpy(encoder->bytes + encoder->count, source, count);
    encoder->count += count;
}

static void flush_nothing(png_structp png) { (void)png; }

texel_png_encoder *texel_png_encoder_create(texel_should_stop should_stop, void *context) {
    texel_png_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return NULL;
    encoder->fence.should_stop = should_stop;
    encoder->fence.context = context;
    if (setjmp(encoder->fence.home)) {
        texel_png_encoder_destroy(encoder);
        return NULL;
    }
    encoder->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &encoder->fence, png_fence_fail, png_fence_warn);
    if (encoder->png) encoder->info = png_create_info_struct(encoder->png);
    if (!encoder->info) {
        texel_png_encoder_destroy(encoder);
        return NULL;
    }
    png_set_write_fn(encoder->png, encoder, write_bytes, flush_nothing);
    png_set_benign_errors(encoder->png, 1);
    return encoder;
}

void texel_png_encoder_destroy(texel_png_encoder *encoder) {
    if (!encoder) return;
    if (encoder->png) png_destroy_write_struct(&encoder->png, &encoder->info);
    free(encoder->bytes);
    free(encoder);
}

const texel_codec_report *texel_png_encoder_report(const texel_png_encoder *encoder) {
    return &encoder->fence.report;
}

static void set_palette(texel_png_encoder *encoder, const texel_png_parameters *parameters) {
    png_color colors[256];
    png_byte alphas[256];
    int translucent = 0; // tRNS ends with the last entry that is not opaque
    int count = parameters->palette_count < 256 ? parameters->palette_count : 256;
    for (int i = 0; i < count; i++) {
        const uint8_t *entry = parameters->palette + 4 * i;
        colors[i] = (png_color){entry[0], entry[1], entry[2]};
        alphas[i] = entry[3];
        if (entry[3] != 255) translucent = i + 1;
    }
    png_set_PLTE(encoder->png, encoder->info, colors, count);
    if (translucent) png_set_tRNS(encoder->png, encoder->info, alphas, translucent, NULL);
}

static void set_transparent_color(texel_png_encoder *encoder, const texel_png_parameters *parameters) {
    const uint8_t *value = parameters->transparency;
    png_color_16 color = {0};
    if (parameters->color_type == PNG_COLOR_TYPE_GRAY) {
        color.gray = (png_uint_16)(value[0] << 8 | value[1]);
    } else {
        color.red = (png_uint_16)(value[0] << 8 | value[1]);
        color.green = (png_uint_16)(value[2] << 8 | value[3]);
        color.blue = (png_uint_16)(value[4] << 8 | value[5]);
    }
    png_set_tRNS(encoder->png, encoder->info, NULL, 0, &color);
}

texel_codec_status texel_png_encoder_start(texel_png_encoder *encoder, const texel_png_parameters *parameters) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    png_structp png = encoder->png;
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); // ours were checked long before
    png_set_IHDR(png, encoder->info, parameters->width, parameters->height, parameters->bit_depth,
                 parameters->color_type, parameters->is_interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, parameters->compression_level);
    png_set_compression_buffer_size(png, 64 * 1024);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, parameters->filters);
    if (parameters->palette) set_palette(encoder, parameters);
    if (parameters->transparency) set_transparent_color(encoder, parameters);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_png_encoder_set_gamma(texel_png_encoder *encoder, uint32_t gamma) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    png_set_gAMA_fixed(encoder->png, encoder->info, (png_fixed_point)gamma);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_png_encoder_set_chromaticities(texel_png_encoder *encoder, const int32_t values[8]) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    png_set_cHRM_fixed(encoder->png, encoder->info, values[0], values[1], values[2], values[3], values[4],
                       values[5], values[6], values[7]);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_png_encoder_set_profile(texel_png_encoder *encoder, const uint8_t *bytes, size_t count) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    png_set_iCCP(encoder->png, encoder->info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, bytes, (png_uint_32)count);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_png_encoder_set_exif(texel_png_encoder *encoder, const uint8_t *bytes, size_t count) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    png_set_eXIf_1(encoder->png, encoder->info, (png_uint_32)count, (png_bytep)bytes);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_png_encoder_set_density(texel_png_encoder *encoder, uint32_t x, uint32_t y,
                                                 bool is_per_metre) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    png_set_pHYs(encoder->png, encoder->info, x, y, is_per_metre ? PNG_RESOLUTION_METER : PNG_RESOLUTION_UNKNOWN);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_png_encoder_add_text(texel_png_encoder *encoder, const char *keyword, const uint8_t *text,
                                              size_t count, bool is_utf8) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    png_text entry = {0};
    entry.compression = is_utf8 ? PNG_ITXT_COMPRESSION_NONE : PNG_TEXT_COMPRESSION_NONE;
    entry.key = (png_charp)keyword;
    entry.text = (png_charp)text; // ends with a zero byte: the caller adds it
    entry.text_length = is_utf8 ? 0 : count;
    entry.itxt_length = is_utf8 ? count : 0;
    png_set_text(encoder->png, encoder->info, &entry, 1);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_png_encoder_write_rows(texel_png_encoder *encoder, const uint8_t *rows,
                                                size_t bytes_per_row, int count) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    if (!encoder->wrote_info) {
        png_write_info(encoder->png, encoder->info);
        encoder->wrote_info = true;
    }
    int passes = png_set_interlace_handling(encoder->png);
    for (int pass = 0; pass < passes; pass++) {
        for (int y = 0; y < count; y++) {
            if (y % 64 == 0) png_fence_check_stop(&encoder->fence);
            png_write_row(encoder->png, rows + (size_t)y * bytes_per_row);
        }
    }
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_png_encoder_finish(texel_png_encoder *encoder, const uint8_t **bytes, size_t *count) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    png_write_end(encoder->png, NULL);
    *bytes = encoder->bytes;
    *count = encoder->count;
    return TEXEL_CODEC_OK;
}
