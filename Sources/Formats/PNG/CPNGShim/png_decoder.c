#include "png_shim.h"

#include "codec_dither.h"
#include "png_fence.h"

struct texel_png_decoder {
    png_fence fence;
    png_structp png;
    png_infop info, end_info;
    texel_codec_input input; ///< `count` is the number of bytes known to be available
    size_t position;         ///< in the file
    size_t pixels;           ///< where the empty chunk replaces the file's own; SIZE_MAX if it does not
    size_t pixels_end;
    size_t replaced; ///< the bytes of the empty chunk that were read
    size_t rows_left; ///< rows of all passes that are not inflated yet
    size_t rows_end;  ///< the position when the last row was inflated; SIZE_MAX before and after
    bool has_excess;
};

/// The bytes of the IDAT chunks that are still read after the last row: enough for the end of any complete stream.
static const size_t excess_limit = 64 * 1024;

/// An IDAT chunk whose zlib stream is empty.
static const uint8_t no_pixels[] = {0, 0, 0, 8, 'I', 'D', 'A', 'T', 0x78, 0x01, 0x03, 0, 0, 0, 0, 1, 0xC6, 0x19, 0x9E,
    0x2E};

/// Waits until `count` bytes are available or the file has ended. Returns how many are available.
static size_t wait_for(texel_png_decoder *decoder, size_t count) {
    texel_codec_input *input = &decoder->input;
    if (count > input->count && input->wait) {
        ptrdiff_t there = input->wait(input->context, count);
        if (there < 0) png_fence_stop(&decoder->fence);
        input->count = (size_t)there;
    }
    return input->count;
}

/// Leaves the fence after the last row, because libpng would inflate all remaining data.
static void leave_excess(texel_png_decoder *decoder) {
    png_fence_warn(decoder->png, "IDAT: Too much image data");
    decoder->has_excess = true;
    longjmp(decoder->fence.home, 1);
}

/// Called by the library for each row that it has inflated.
static void count_row(png_structp png, png_row_infop info, png_bytep row) {
    (void)info, (void)row;
    texel_png_decoder *decoder = png_get_io_ptr(png);
    if (decoder->rows_left > 0 && --decoder->rows_left == 0) decoder->rows_end = decoder->position;
}

/// Called by the library for each row of BGRA with 16 bits, whose samples become bytes.
static void dither_row(png_structp png, png_row_infop info, png_bytep row) {
    count_row(png, info, row);
    texel_dither_row(row, row, info->width, 4, png_get_current_row_number(png));
}

/// Returns the number of rows of all passes.
static size_t count_rows(png_structp png, png_infop info) {
    uint32_t width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    if (png_get_interlace_type(png, info) == PNG_INTERLACE_NONE) return height;
    size_t count = 0;
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        if (PNG_PASS_COLS(width, pass) > 0) count += PNG_PASS_ROWS(height, pass);
    }
    return count;
}

static void read_bytes(png_structp png, png_bytep destination, size_t count) {
    texel_png_decoder *decoder = png_get_io_ptr(png);
    if (decoder->rows_end != SIZE_MAX && decoder->position - decoder->rows_end > excess_limit) leave_excess(decoder);
    while (count > 0) {
        const uint8_t *from;
        size_t step;
        if (decoder->position == decoder->pixels && decoder->replaced < sizeof no_pixels) {
            from = no_pixels + decoder->replaced;
            step = sizeof no_pixels - decoder->replaced;
            if (step > count) step = count;
            decoder->replaced += step;
        } else {
            if (decoder->position == decoder->pixels) decoder->position = decoder->pixels_end;
            step = count;
            if (decoder->position < decoder->pixels && step > decoder->pixels - decoder->position) {
                step = decoder->pixels - decoder->position;
            }
            size_t there = wait_for(decoder, decoder->position + step);
            if (there < decoder->position + step) step = there > decoder->position ? there - decoder->position : 0;
            if (step == 0) {
                decoder->fence.report.truncated = true;
                png_error(png, "the file is truncated");
            }
            from = decoder->input.bytes + decoder->position;
            decoder->position += step;
        }
        memcpy(destination, from, step);
        destination += step;
        count -= step;
    }
}

texel_png_decoder *texel_png_decoder_create(const texel_codec_input *input, const size_t *pixels,
                                            const texel_png_limits *limits, texel_should_stop should_stop,
                                            void *context) {
    texel_png_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->fence.should_stop = should_stop;
    decoder->fence.context = context;
    decoder->fence.warning_limit = limits->max_warnings;
    decoder->input = *input;
    decoder->pixels = pixels ? *pixels : SIZE_MAX;
    decoder->rows_end = SIZE_MAX;
    if (setjmp(decoder->fence.home)) {
        texel_png_decoder_destroy(decoder);
        return NULL;
    }
    decoder->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder->fence, png_fence_fail, png_fence_warn);
    if (decoder->png) decoder->info = png_create_info_struct(decoder->png);
    if (decoder->info) decoder->end_info = png_create_info_struct(decoder->png);
    if (!decoder->end_info) {
        texel_png_decoder_destroy(decoder);
        return NULL;
    }
    png_set_read_fn(decoder->png, decoder, read_bytes);
    png_set_user_limits(decoder->png, limits->max_width, limits->max_height);
    png_set_chunk_malloc_max(decoder->png, limits->max_chunk_bytes);
    png_set_chunk_cache_max(decoder->png, limits->max_chunks);
    png_set_benign_errors(decoder->png, 1);
    // The check only compares checksums with known sRGB profiles; the profile is passed on as it is.
    png_set_option(decoder->png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
    // Old programs declare windows that are smaller than the distances in their streams.
    png_set_option(decoder->png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
    return decoder;
}

void texel_png_decoder_destroy(texel_png_decoder *decoder) {
    if (!decoder) return;
    if (decoder->png) png_destroy_read_struct(&decoder->png, &decoder->info, &decoder->end_info);
    free(decoder);
}

void texel_png_decoder_set_pixels_end(texel_png_decoder *decoder, size_t end) { decoder->pixels_end = end; }

bool texel_png_decoder_has_excess(const texel_png_decoder *decoder) { return decoder->has_excess; }

size_t texel_png_decoder_position(const texel_png_decoder *decoder) { return decoder->position; }

const texel_codec_report *texel_png_decoder_report(const texel_png_decoder *decoder) {
    return &decoder->fence.report;
}

texel_codec_status texel_png_decoder_read_header(texel_png_decoder *decoder, texel_png_header *header) {
    if (setjmp(decoder->fence.home)) return decoder->fence.status;
    png_read_info(decoder->png, decoder->info);
    header->width = png_get_image_width(decoder->png, decoder->info);
    header->height = png_get_image_height(decoder->png, decoder->info);
    header->bit_depth = png_get_bit_depth(decoder->png, decoder->info);
    header->color_type = png_get_color_type(decoder->png, decoder->info);
    header->is_interlaced = png_get_interlace_type(decoder->png, decoder->info) != PNG_INTERLACE_NONE;
    header->has_transparency = (header->color_type & PNG_COLOR_MASK_ALPHA) != 0 ||
                               png_get_valid(decoder->png, decoder->info, PNG_INFO_tRNS) != 0;
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_png_decoder_start(texel_png_decoder *decoder, bool dithers) {
    if (setjmp(decoder->fence.home)) return decoder->fence.status;
    png_structp png = decoder->png;
    dithers = dithers && png_get_bit_depth(png, decoder->info) == 16;
    png_set_expand(png);                     // palettes, small grey depths, tRNS
    if (!dithers) png_set_scale_16(png);     // (v * 255 + 32767) / 65535
    png_set_gray_to_rgb(png);
    png_set_bgr(png);
    png_set_filler(png, dithers ? 0xFFFF : 0xFF, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    // The last of the transformations.
    png_set_read_user_transform_fn(png, dithers ? dither_row : count_row);
    if (dithers) png_set_user_transform_info(png, NULL, 8, 4);
    decoder->rows_left = count_rows(png, decoder->info);
    png_read_update_info(png, decoder->info);
    if (png_get_rowbytes(png, decoder->info) != (size_t)4 * png_get_image_width(png, decoder->info)) {
        png_error(png, "internal error: the rows are not BGRA");
    }
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_png_decoder_read_rows(texel_png_decoder *decoder, uint8_t *rows, size_t bytes_per_row,
                                               int count, int *rows_read) {
    *rows_read = 0;
    if (setjmp(decoder->fence.home)) {
        if (!decoder->has_excess) return decoder->fence.status;
        ++*rows_read; // the last row is complete
        return TEXEL_CODEC_OK;
    }
    png_fence_check_stop(&decoder->fence);
    for (; *rows_read < count; ++*rows_read) {
        png_read_row(decoder->png, rows + (size_t)*rows_read * bytes_per_row, NULL);
    }
    decoder->rows_end = SIZE_MAX;
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_png_decoder_read_interlaced(texel_png_decoder *decoder, uint8_t *rows,
                                                     size_t bytes_per_row) {
    if (setjmp(decoder->fence.home)) return decoder->has_excess ? TEXEL_CODEC_OK : decoder->fence.status;
    uint32_t height = png_get_image_height(decoder->png, decoder->info);
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        for (uint32_t y = 0; y < height; y++) {
            if (y % 64 == 0) png_fence_check_stop(&decoder->fence);
            png_read_row(decoder->png, rows + (size_t)y * bytes_per_row, NULL);
        }
    }
    decoder->rows_end = SIZE_MAX;
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_png_decoder_finish(texel_png_decoder *decoder) {
    if (setjmp(decoder->fence.home)) return decoder->fence.status;
    png_read_end(decoder->png, decoder->end_info);
    return TEXEL_CODEC_OK;
}

int texel_png_decoder_palette(texel_png_decoder *decoder, uint32_t colors[256]) {
    png_colorp entries = NULL;
    png_bytep alphas = NULL;
    int count = 0, alpha_count = 0;
    if (!png_get_PLTE(decoder->png, decoder->info, &entries, &count)) return 0;
    if (!png_get_tRNS(decoder->png, decoder->info, &alphas, &alpha_count, NULL)) alpha_count = 0;
    for (int i = 0; i < count && i < 256; i++) {
        uint32_t alpha = alphas && i < alpha_count ? alphas[i] : 255;
        colors[i] = alpha << 24 | (uint32_t)entries[i].red << 16 | (uint32_t)entries[i].green << 8 | entries[i].blue;
    }
    return count < 256 ? count : 256;
}

int texel_png_decoder_color_key(texel_png_decoder *decoder, uint16_t key[3]) {
    png_color_16p color = NULL;
    int type = png_get_color_type(decoder->png, decoder->info);
    if (type & (PNG_COLOR_MASK_PALETTE | PNG_COLOR_MASK_ALPHA)) return 0;
    if (!png_get_tRNS(decoder->png, decoder->info, NULL, NULL, &color) || !color) return 0;
    if (type == PNG_COLOR_TYPE_GRAY) {
        key[0] = color->gray;
        return 1;
    }
    key[0] = color->red, key[1] = color->green, key[2] = color->blue;
    return 3;
}

bool texel_png_decoder_gamma(texel_png_decoder *decoder, uint32_t *gamma) {
    png_fixed_point value = 0;
    if (!png_get_gAMA_fixed(decoder->png, decoder->info, &value) || value <= 0) return false;
    *gamma = (uint32_t)value;
    return true;
}

bool texel_png_decoder_chromaticities(texel_png_decoder *decoder, int32_t values[8]) {
    return png_get_cHRM_fixed(decoder->png, decoder->info, &values[0], &values[1], &values[2], &values[3],
                              &values[4], &values[5], &values[6], &values[7]) != 0;
}

bool texel_png_decoder_is_srgb(texel_png_decoder *decoder) {
    return png_get_valid(decoder->png, decoder->info, PNG_INFO_sRGB) != 0;
}

bool texel_png_decoder_profile(texel_png_decoder *decoder, const uint8_t **bytes, size_t *count) {
    png_charp name;
    int compression;
    png_bytep profile;
    png_uint_32 length;
    if (!png_get_iCCP(decoder->png, decoder->info, &name, &compression, &profile, &length)) return false;
    *bytes = profile;
    *count = length;
    return true;
}

/// The eXIf chunk may come before or after the pixels.
bool texel_png_decoder_exif(texel_png_decoder *decoder, const uint8_t **bytes, size_t *count) {
    png_uint_32 length = 0;
    png_bytep exif = NULL;
    if (!png_get_eXIf_1(decoder->png, decoder->info, &length, &exif) &&
        !png_get_eXIf_1(decoder->png, decoder->end_info, &length, &exif)) {
        return false;
    }
    *bytes = exif;
    *count = length;
    return true;
}

bool texel_png_decoder_density(texel_png_decoder *decoder, uint32_t *x, uint32_t *y, bool *is_per_metre) {
    int unit;
    if (!png_get_pHYs(decoder->png, decoder->info, x, y, &unit)) return false;
    *is_per_metre = unit == PNG_RESOLUTION_METER;
    return true;
}

int texel_png_decoder_text_count(texel_png_decoder *decoder) {
    int before = 0, behind = 0;
    png_get_text(decoder->png, decoder->info, NULL, &before);
    png_get_text(decoder->png, decoder->end_info, NULL, &behind);
    return before + behind;
}

bool texel_png_decoder_text(texel_png_decoder *decoder, int index, const char **keyword, const uint8_t **text,
                            size_t *count, bool *is_utf8) {
    png_textp before = NULL, behind = NULL;
    int before_count = 0, behind_count = 0;
    png_get_text(decoder->png, decoder->info, &before, &before_count);
    png_get_text(decoder->png, decoder->end_info, &behind, &behind_count);
    if (index < 0 || index >= before_count + behind_count) return false;
    const png_text *entry = index < before_count ? &before[index] : &behind[index - before_count];
    *keyword = entry->key;
    *text = (const uint8_t *)entry->text;
    *is_utf8 = entry->compression > PNG_TEXT_COMPRESSION_zTXt;
    *count = *is_utf8 ? entry->itxt_length : entry->text_length;
    return entry->key != NULL && entry->text != NULL;
}
