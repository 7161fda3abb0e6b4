#include "jpeg_shim.h"

#include "jpeg_block_size.h"
#include "jpeg_dc_arrays.h"
#include "jpeg_fence.h"
#include "jpeg_scan_selection.h"
#include "jpeg_source.h"

struct texel_jpeg_decoder {
    jpeg_fence fence;
    struct jpeg_decompress_struct cinfo;
    bool created;
    texel_codec_input input;
    jpeg_source source;
    bool skips_scans;
    jpeg_scan_selection selection;
};

texel_jpeg_decoder *texel_jpeg_decoder_create(const texel_codec_input *input, const texel_jpeg_limits *limits,
                                              texel_should_stop should_stop, void *context) {
    texel_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    jpeg_fence_prepare(&decoder->fence, should_stop, context);
    decoder->fence.scan_limit = limits->max_scans;
    decoder->fence.warning_limit = limits->max_warnings;
    decoder->cinfo.err = &decoder->fence.manager;
    if (setjmp(decoder->fence.home)) {
        texel_jpeg_decoder_destroy(decoder);
        return NULL;
    }
    jpeg_create_decompress(&decoder->cinfo);
    decoder->created = true;
    decoder->cinfo.progress = &decoder->fence.progress;
    if (limits->max_bytes > 0) decoder->cinfo.mem->max_memory_to_use = limits->max_bytes;
    decoder->input = *input;
    return decoder;
}

void texel_jpeg_decoder_destroy(texel_jpeg_decoder *decoder) {
    if (!decoder) return;
    if (decoder->created) jpeg_destroy_decompress(&decoder->cinfo);
    jpeg_scan_selection_free(&decoder->selection);
    free(decoder);
}

const texel_codec_report *texel_jpeg_decoder_report(const texel_jpeg_decoder *decoder) {
    return &decoder->fence.report;
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
    header->has_adobe_marker = cinfo->saw_Adobe_marker;
    header->has_multiple_scans = jpeg_has_multiple_scans(cinfo);
    return TEXEL_CODEC_OK;
}

void texel_jpeg_decoder_skip_scans(texel_jpeg_decoder *decoder) { decoder->skips_scans = true; }

/// Starts decompression. The caller has armed the fence.
static void start(texel_jpeg_decoder *decoder, int denominator) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    cinfo->scale_num = 1;
    cinfo->scale_denom = (unsigned)denominator;
    if (decoder->skips_scans && denominator == DCTSIZE && cinfo->progressive_mode) {
        // The selection needs the whole file. No row is decoded before the last scan anyway.
        jpeg_source_wait_for_end(&decoder->source, cinfo);
        if (jpeg_scan_selection_apply(&decoder->selection, cinfo, decoder->fence.scan_limit)) {
            jpeg_dc_arrays_apply(cinfo, decoder->selection.is_dc_only);
        }
    }
    // Block smoothing estimates AC coefficients that have not been read; at 1/8 the DC coefficients alone are exact.
    if (denominator == DCTSIZE) cinfo->do_block_smoothing = FALSE;
    jpeg_start_decompress(cinfo); // reads all scans, if there are several
    jpeg_fence_check_scans(&decoder->fence, cinfo);
}

texel_codec_status texel_jpeg_decoder_start(texel_jpeg_decoder *decoder, texel_jpeg_layout layout, int denominator,
                                            int *width, int *height) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (setjmp(decoder->fence.home)) return decoder->fence.status;
    cinfo->out_color_space = layout == TEXEL_JPEG_GRAY   ? JCS_GRAYSCALE
                             : layout == TEXEL_JPEG_CMYK ? JCS_CMYK
                                                         : JCS_EXT_BGRA;
    start(decoder, denominator);
    *width = (int)cinfo->output_width;
    *height = (int)cinfo->output_height;
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_jpeg_decoder_read_rows(texel_jpeg_decoder *decoder, uint8_t *rows, size_t bytes_per_row,
                                                int count, int *rows_read) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    *rows_read = 0;
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

texel_codec_status texel_jpeg_decoder_start_planes(texel_jpeg_decoder *decoder, int denominator,
                                                   texel_jpeg_plane *planes) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (setjmp(decoder->fence.home)) return decoder->fence.status;
    if (cinfo->num_components > TEXEL_JPEG_PLANES) ERREXIT1(cinfo, JERR_COMPONENT_COUNT, cinfo->num_components);
    cinfo->raw_data_out = TRUE;
    cinfo->out_color_space = cinfo->jpeg_color_space;
    start(decoder, denominator);
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

texel_codec_status texel_jpeg_decoder_read_planes(texel_jpeg_decoder *decoder, uint8_t *const *rows,
                                                  const size_t *bytes_per_row) {
    struct jpeg_decompress_struct *cinfo = &decoder->cinfo;
    if (setjmp(decoder->fence.home)) return decoder->fence.status;
    // A band has at most four rows of blocks, of eight rows each.
    JSAMPROW pointers[TEXEL_JPEG_PLANES][MAX_SAMP_FACTOR * DCTSIZE];
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
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_jpeg_decoder_finish(texel_jpeg_decoder *decoder) {
    if (setjmp(decoder->fence.home)) return decoder->fence.status;
    jpeg_finish_decompress(&decoder->cinfo);
    return TEXEL_CODEC_OK;
}
