#include "jpeg_shim.h"

#include "jpeg_block_size.h"
#include "jpeg_dc_arrays.h"
#include "jpeg_fence.h"
#include "jpeg_own_coefficients.h"
#include "jpeg_own_scan.h"
#include "jpeg_scan_selection.h"
#include "jpeg_source.h"

struct texel_jpeg_decoder {
    jpeg_fence fence;
    struct jpeg_decompress_struct cinfo;
    bool created;
    long max_bytes; ///< 0 for no limit
    texel_codec_input input;
    jpeg_source source;
    bool skips_scans;
    jpeg_scan_selection selection;
    J_COLOR_SPACE output; ///< of rows; not used for planes
    bool makes_planes;
    int denominator;
    int threads;
    texel_jpeg_scan_choice scan_choice;
    jpeg_own_scan scan;
    jpeg_own_coefficients coefficients;
    jpeg_client client;
};

/// Creates libjpeg's decompressor. The caller has armed the fence.
static void create_decompressor(texel_jpeg_decoder *decoder) {
    decoder->cinfo.err = &decoder->fence.manager;
    decoder->client = (jpeg_client){.scan = &decoder->scan, .coefficients = &decoder->coefficients};
    decoder->cinfo.client_data = &decoder->client;
    jpeg_create_decompress(&decoder->cinfo);
    decoder->created = true;
    decoder->cinfo.progress = &decoder->fence.progress;
    if (decoder->max_bytes > 0) decoder->cinfo.mem->max_memory_to_use = decoder->max_bytes;
}

texel_jpeg_decoder *texel_jpeg_decoder_create(const texel_codec_input *input, const texel_jpeg_limits *limits,
                                              texel_should_stop should_stop, void *context) {
    texel_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    jpeg_fence_prepare(&decoder->fence, should_stop, context);
    decoder->fence.scan_limit = limits->max_scans;
    decoder->fence.warning_limit = limits->max_warnings;
    decoder->max_bytes = limits->max_bytes;
    decoder->input = *input;
    if (setjmp(decoder->fence.home)) {
        texel_jpeg_decoder_destroy(decoder);
        return NULL;
    }
    create_decompressor(decoder);
    return decoder;
}

void texel_jpeg_decoder_destroy(texel_jpeg_decoder *decoder) {
    if (!decoder) return;
    jpeg_own_scan_disconnect(&decoder->scan);
    jpeg_own_coefficients_disconnect(&decoder->coefficients);
    if (decoder->created) jpeg_destroy_decompress(&decoder->cinfo);
    jpeg_scan_selection_free(&decoder->selection);
    free(decoder);
}

const texel_codec_report *texel_jpeg_decoder_report(const texel_jpeg_decoder *decoder) {
    return &decoder->fence.report;
}

size_t texel_jpeg_decoder_position(const texel_jpeg_decoder *decoder) {
    const texel_codec_input *input = &decoder->input;
    const uint8_t *next = decoder->cinfo.src ? decoder->cinfo.src->next_input_byte : NULL;
    if (decoder->scan.decoder) next = decoder->scan.input.start + texel_scan_decoder_position(decoder->scan.decoder);
    // At the end of a truncated file libjpeg reads a marker that is not in the file.
    bool is_inside = next && next >= input->bytes && next <= input->bytes + input->count;
    return is_inside ? (size_t)(next - input->bytes) : 0;
}

static texel_jpeg_color color_of(J_COLOR_SPACE space) {
    switch (space) {
    case JCS_GRAYSCALE: return TEXEL_JPEG_COLOR_GRAY;
    case JCS_YCbCr: return TEXEL_JPEG_COLOR_YCBCR;
    case JCS_RGB: return TEXEL_JPEG_COLOR_RGB;
    case JCS_CMYK: return TEXEL_JPEG_COLOR_CMYK;
    case JCS_YCCK: return TEXEL_JPEG_COLOR_YCCK;
    default: return TEXEL_JPEG_COLOR_OTHER;
    }
}

texel_codec_status texel_jpeg_decoder_read_header(texel_jpeg_decoder *decoder, texel_jpeg_header *header) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (setjmp(decoder->fence.home)) return decoder->fence.status;
    jpeg_source_connect(&decoder->source, cinfo, &decoder->input);
    jpeg_read_header(cinfo, TRUE);
    header->width = (int)cinfo->image_width;
    header->height = (int)cinfo->image_height;
    header->components = cinfo->num_components;
    header->color = color_of(cinfo->jpeg_color_space);
    header->has_multiple_scans = jpeg_has_multiple_scans(cinfo);
    return TEXEL_CODEC_OK;
}

void texel_jpeg_decoder_skip_scans(texel_jpeg_decoder *decoder) { decoder->skips_scans = true; }

void texel_jpeg_decoder_use_threads(texel_jpeg_decoder *decoder, int count) { decoder->threads = count; }

void texel_jpeg_decoder_choose_scan(texel_jpeg_decoder *decoder, texel_jpeg_scan_choice choice) {
    decoder->scan_choice = choice;
}

bool texel_jpeg_decoder_uses_own_scan(const texel_jpeg_decoder *decoder) {
    return decoder->scan.decoder != NULL || decoder->coefficients.is_in_use;
}

/// Starts decompression. The caller has armed the fence.
static void start(texel_jpeg_decoder *decoder) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    cinfo->raw_data_out = decoder->makes_planes;
    cinfo->out_color_space = decoder->makes_planes ? cinfo->jpeg_color_space : decoder->output;
    cinfo->scale_num = 1;
    cinfo->scale_denom = (unsigned)decoder->denominator;
    if (decoder->skips_scans && decoder->denominator == DCTSIZE && cinfo->progressive_mode) {
        // The selection needs the whole file. No row is decoded before the last scan anyway.
        jpeg_source_wait_for_end(&decoder->source, cinfo);
        if (jpeg_scan_selection_apply(&decoder->selection, cinfo, decoder->fence.scan_limit)) {
            jpeg_dc_arrays_apply(cinfo, decoder->selection.is_dc_only);
        }
    }
    // Block smoothing estimates AC coefficients that have not been read; at 1/8 the DC coefficients alone are exact.
    if (decoder->denominator == DCTSIZE) cinfo->do_block_smoothing = FALSE;
    jpeg_start_decompress(cinfo); // reads all scans, if there are several
    jpeg_fence_check_scans(&decoder->fence, cinfo);
}

/// Starts decompression, and lets Texel's own decoders read the scans. The caller has armed the fence.
static void start_with_own_decoders(texel_jpeg_decoder *decoder) {
    bool uses_own = decoder->scan_choice != TEXEL_JPEG_SCAN_LIBRARY;
    bool allows_small = decoder->scan_choice == TEXEL_JPEG_SCAN_OWN;
    decoder->coefficients.allows_small = decoder->scan.allows_small = allows_small;
    decoder->scan.threads = decoder->threads;
    if (uses_own) {
        jpeg_own_coefficients_connect(&decoder->coefficients, &decoder->cinfo, &decoder->source);
    } else {
        jpeg_source_divide(&decoder->source, &decoder->cinfo);
    }
    start(decoder);
    jpeg_own_coefficients_finish(&decoder->coefficients);
    if (uses_own) jpeg_own_scan_connect(&decoder->scan, &decoder->cinfo, &decoder->source);
    if (!decoder->scan.decoder) jpeg_source_divide(&decoder->source, &decoder->cinfo);
}

/// The most rows of samples that a band has in one component: those of four blocks.
enum { BAND_ROWS = MAX_SAMP_FACTOR * DCTSIZE };

/// Reads a band of every plane. The caller has armed the fence.
static void read_band(struct jpeg_decompress_struct *cinfo, uint8_t *const *rows, const size_t *bytes_per_row) {
    JSAMPROW pointers[TEXEL_JPEG_PLANES][BAND_ROWS];
    JSAMPARRAY arrays[TEXEL_JPEG_PLANES];
    JDIMENSION lines = 0;
    for (int i = 0; i < cinfo->num_components; i++) {
        const jpeg_component_info *component = &cinfo->comp_info[i];
        int height = component->v_samp_factor * BLOCK_HEIGHT(component);
        for (int y = 0; y < height; y++) pointers[i][y] = rows[i] + (size_t)y * bytes_per_row[i];
        arrays[i] = pointers[i];
        // libjpeg counts rows at the full output height and requires room for at least one row of MCUs.
        if ((JDIMENSION)height > lines) lines = (JDIMENSION)height;
    }
    jpeg_read_raw_data(cinfo, arrays, lines);
}

/// Reads and drops what was read before, after decompression was started again. The caller has armed the fence.
static void skip(texel_jpeg_decoder *decoder, JDIMENSION rows, JDIMENSION bands) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    j_common_ptr common = (j_common_ptr)cinfo;
    if (!decoder->makes_planes) {
        JDIMENSION samples = cinfo->output_width * (JDIMENSION)cinfo->output_components;
        JSAMPARRAY row = (*cinfo->mem->alloc_sarray)(common, JPOOL_IMAGE, samples, 1);
        while (cinfo->output_scanline < rows) jpeg_read_scanlines(cinfo, row, 1);
        return;
    }
    uint8_t *planes[TEXEL_JPEG_PLANES] = {NULL};
    const size_t bytes_per_row[TEXEL_JPEG_PLANES] = {0}; // every row to the same place
    for (int i = 0; i < cinfo->num_components; i++) {
        const jpeg_component_info *component = &cinfo->comp_info[i];
        size_t bytes = (size_t)component->width_in_blocks * (size_t)BLOCK_WIDTH(component);
        planes[i] = (*cinfo->mem->alloc_large)(common, JPOOL_IMAGE, bytes);
    }
    while (cinfo->output_iMCU_row < bands) read_band(cinfo, planes, bytes_per_row);
}

/// Decodes with libjpeg from the start, up to where Texel's own decoder of the scan refused the file.
static texel_codec_status start_again(texel_jpeg_decoder *decoder) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    JDIMENSION rows = cinfo->output_scanline, bands = cinfo->output_iMCU_row;
    if (setjmp(decoder->fence.home)) return decoder->fence.status;
    jpeg_own_scan_disconnect(&decoder->scan);
    jpeg_own_coefficients_disconnect(&decoder->coefficients);
    // The headers' warnings are counted again.
    jpeg_fence_clear_report(&decoder->fence);
    // A new one, without the tables, functions and memory of the first attempt.
    decoder->created = false;
    jpeg_destroy_decompress(cinfo);
    create_decompressor(decoder);
    jpeg_source_connect(&decoder->source, cinfo, &decoder->input);
    jpeg_read_header(cinfo, TRUE);
    jpeg_source_divide(&decoder->source, cinfo);
    start(decoder);
    skip(decoder, rows, bands);
    return TEXEL_CODEC_OK;
}

/// Starts decompression; with libjpeg alone if an own decoder refuses a scan.
static texel_codec_status start_safely(texel_jpeg_decoder *decoder) {
    if (setjmp(decoder->fence.home)) return decoder->fence.is_refused ? start_again(decoder) : decoder->fence.status;
    start_with_own_decoders(decoder);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_jpeg_decoder_start(texel_jpeg_decoder *decoder, texel_jpeg_layout layout, int denominator,
                                            int *width, int *height) {
    decoder->denominator = denominator;
    decoder->output = layout == TEXEL_JPEG_GRAY   ? JCS_GRAYSCALE
                      : layout == TEXEL_JPEG_CMYK ? JCS_CMYK
                                                  : JCS_EXT_BGRA;
    texel_codec_status status = start_safely(decoder);
    *width = (int)decoder->cinfo.output_width;
    *height = (int)decoder->cinfo.output_height;
    return status;
}

static texel_codec_status read_rows(texel_jpeg_decoder *decoder, uint8_t *rows, size_t bytes_per_row, int count,
                                    int *rows_read) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (setjmp(decoder->fence.home)) return decoder->fence.status;
    while (*rows_read < count) {
        // The library returns at most rec_outbuf_height (up to 4) rows per call.
        JSAMPROW pointers[4];
        int wanted = count - *rows_read < 4 ? count - *rows_read : 4;
        for (int i = 0; i < wanted; i++) pointers[i] = rows + (size_t)(*rows_read + i) * bytes_per_row;
        *rows_read += (int)jpeg_read_scanlines(cinfo, pointers, (JDIMENSION)wanted);
    }
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_jpeg_decoder_read_rows(texel_jpeg_decoder *decoder, uint8_t *rows, size_t bytes_per_row,
                                                int count, int *rows_read) {
    *rows_read = 0;
    texel_codec_status status = read_rows(decoder, rows, bytes_per_row, count, rows_read);
    if (!decoder->fence.is_refused) return status;
    status = start_again(decoder);
    return status == TEXEL_CODEC_OK ? read_rows(decoder, rows, bytes_per_row, count, rows_read) : status;
}

texel_codec_status texel_jpeg_decoder_start_planes(texel_jpeg_decoder *decoder, int denominator,
                                                   texel_jpeg_plane *planes) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (setjmp(decoder->fence.home)) return decoder->fence.status;
    if (cinfo->num_components > TEXEL_JPEG_PLANES) ERREXIT1(cinfo, JERR_COMPONENT_COUNT, cinfo->num_components);
    decoder->makes_planes = true;
    decoder->denominator = denominator;
    texel_codec_status status = start_safely(decoder);
    if (status != TEXEL_CODEC_OK) return status;
    for (int i = 0; i < cinfo->num_components; i++) {
        const jpeg_component_info *component = &cinfo->comp_info[i];
        planes[i] = (texel_jpeg_plane){
            .width = (int)component->downsampled_width,
            .height = (int)component->downsampled_height,
            .bytes_per_row = (size_t)component->width_in_blocks * (size_t)BLOCK_WIDTH(component),
            .band_height = component->v_samp_factor * BLOCK_HEIGHT(component),
            .horizontal_numerator = component->h_samp_factor * BLOCK_WIDTH(component),
            .horizontal_denominator = cinfo->max_h_samp_factor * DCTSIZE,
            .vertical_numerator = component->v_samp_factor * BLOCK_HEIGHT(component),
            .vertical_denominator = cinfo->max_v_samp_factor * DCTSIZE,
        };
    }
    return TEXEL_CODEC_OK;
}

static texel_codec_status read_planes(texel_jpeg_decoder *decoder, uint8_t *const *rows, const size_t *bytes_per_row) {
    if (setjmp(decoder->fence.home)) return decoder->fence.status;
    read_band(&decoder->cinfo, rows, bytes_per_row);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_jpeg_decoder_read_planes(texel_jpeg_decoder *decoder, uint8_t *const *rows,
                                                  const size_t *bytes_per_row) {
    texel_codec_status status = read_planes(decoder, rows, bytes_per_row);
    if (!decoder->fence.is_refused) return status;
    status = start_again(decoder);
    return status == TEXEL_CODEC_OK ? read_planes(decoder, rows, bytes_per_row) : status;
}

texel_codec_status texel_jpeg_decoder_finish(texel_jpeg_decoder *decoder) {
    if (setjmp(decoder->fence.home)) return decoder->fence.status;
    jpeg_finish_decompress(&decoder->cinfo);
    return TEXEL_CODEC_OK;
}
