#include "jpeg_shim.h"

#include "jpeg_destination.h"
#include "jpeg_fence.h"

struct texel_jpeg_encoder {
    jpeg_fence fence;
    struct jpeg_compress_struct cinfo;
    jpeg_destination destination;
    bool created;
};

texel_jpeg_encoder *texel_jpeg_encoder_create(texel_should_stop should_stop, void *context) {
    texel_jpeg_encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder) return NULL;
    jpeg_fence_prepare(&encoder->fence, should_stop, context);
    encoder->cinfo.err = &encoder->fence.manager;
    if (setjmp(encoder->fence.home)) {
        texel_jpeg_encoder_destroy(encoder);
        return NULL;
    }
    jpeg_create_compress(&encoder->cinfo);
    encoder->created = true;
    encoder->cinfo.progress = &encoder->fence.progress;
    jpeg_destination_prepare(&encoder->destination, &encoder->cinfo);
    return encoder;
}

void texel_jpeg_encoder_destroy(texel_jpeg_encoder *encoder) {
    if (!encoder) return;
    if (encoder->created) jpeg_destroy_compress(&encoder->cinfo);
    free(encoder->destination.bytes);
    free(encoder);
}

const texel_codec_report *texel_jpeg_encoder_report(const texel_jpeg_encoder *encoder) {
    return &encoder->fence.report;
}

static J_COLOR_SPACE file_space(texel_jpeg_color color) {
    switch (color) {
    case TEXEL_JPEG_COLOR_GRAY: return JCS_GRAYSCALE;
    case TEXEL_JPEG_COLOR_RGB: return JCS_RGB;
    case TEXEL_JPEG_COLOR_CMYK: return JCS_CMYK;
    case TEXEL_JPEG_COLOR_YCCK: return JCS_YCCK;
    default: return JCS_YCbCr;
    }
}

texel_codec_status texel_jpeg_encoder_start(texel_jpeg_encoder *encoder, const texel_jpeg_parameters *parameters) {
    struct jpeg_compress_struct *cinfo = &encoder->cinfo;
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    cinfo->image_width = (JDIMENSION)parameters->width;
    cinfo->image_height = (JDIMENSION)parameters->height;
    switch (parameters->layout) {
    case TEXEL_JPEG_GRAY:
        cinfo->in_color_space = JCS_GRAYSCALE;
        cinfo->input_components = 1;
        break;
    case TEXEL_JPEG_CMYK:
        cinfo->in_color_space = JCS_CMYK;
        cinfo->input_components = 4;
        break;
    case TEXEL_JPEG_BGRA:
        cinfo->in_color_space = JCS_EXT_BGRA;
        cinfo->input_components = 4;
        break;
    case TEXEL_JPEG_RAW:
        cinfo->in_color_space = file_space(parameters->color);
        cinfo->input_components = parameters->color == TEXEL_JPEG_COLOR_GRAY ? 1 : 3;
        break;
    }
    jpeg_set_defaults(cinfo);
    jpeg_set_colorspace(cinfo, file_space(parameters->color));
    jpeg_set_quality(cinfo, parameters->quality, TRUE);
    cinfo->optimize_coding = parameters->optimize_huffman;
    if (cinfo->num_components > 1) {
        cinfo->comp_info[0].h_samp_factor = parameters->horizontal_sampling;
        cinfo->comp_info[0].v_samp_factor = parameters->vertical_sampling;
    }
    if (cinfo->jpeg_color_space == JCS_YCCK) {
        cinfo->comp_info[3].h_samp_factor = parameters->horizontal_sampling;
        cinfo->comp_info[3].v_samp_factor = parameters->vertical_sampling;
    }
    cinfo->density_unit = (UINT8)parameters->density_unit;
    cinfo->X_density = (UINT16)parameters->density_x;
    cinfo->Y_density = (UINT16)parameters->density_y;
    if (parameters->progressive) jpeg_simple_progression(cinfo);
    cinfo->raw_data_in = parameters->layout == TEXEL_JPEG_RAW;
    jpeg_start_compress(cinfo, TRUE);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_jpeg_encoder_write_marker(texel_jpeg_encoder *encoder, int marker, const uint8_t *bytes,
                                                   size_t count) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    jpeg_write_marker(&encoder->cinfo, marker, bytes, (unsigned)count);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_jpeg_encoder_write_rows(texel_jpeg_encoder *encoder, const uint8_t *rows,
                                                 size_t bytes_per_row, int count) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    for (int y = 0; y < count;) {
        // Sixteen rows are one row of blocks even when the chroma is halved.
        JSAMPROW pointers[16];
        int batch = count - y < 16 ? count - y : 16;
        for (int i = 0; i < batch; i++) pointers[i] = (JSAMPROW)(rows + (size_t)(y + i) * bytes_per_row);
        y += (int)jpeg_write_scanlines(&encoder->cinfo, pointers, (JDIMENSION)batch);
    }
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_jpeg_encoder_write_planes(texel_jpeg_encoder *encoder, uint8_t *const *rows,
                                                   const size_t *bytes_per_row, const int *counts) {
    struct jpeg_compress_struct *cinfo = &encoder->cinfo;
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    JSAMPROW pointers[MAX_COMPONENTS][MAX_SAMP_FACTOR * DCTSIZE];
    JSAMPARRAY arrays[MAX_COMPONENTS];
    for (int i = 0; i < cinfo->num_components; i++) {
        const jpeg_component_info *component = &cinfo->comp_info[i];
        // The picture's own samples (ITU-T T.81, A.1.1), then its last column to the end of the block.
        size_t width = ((size_t)cinfo->image_width * (size_t)component->h_samp_factor
                        + (size_t)cinfo->max_h_samp_factor - 1) / (size_t)cinfo->max_h_samp_factor;
        size_t padded = (size_t)component->width_in_blocks * DCTSIZE;
        for (int y = 0; y < component->v_samp_factor * DCTSIZE; y++) {
            // Below the picture its last row is repeated.
            JSAMPROW row = rows[i] + (size_t)(y < counts[i] ? y : counts[i] - 1) * bytes_per_row[i];
            if (y < counts[i]) memset(row + width, row[width - 1], padded - width);
            pointers[i][y] = row;
        }
        arrays[i] = pointers[i];
    }
    jpeg_write_raw_data(cinfo, arrays, (JDIMENSION)cinfo->max_v_samp_factor * DCTSIZE);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_jpeg_encoder_finish(texel_jpeg_encoder *encoder, const uint8_t **bytes, size_t *count) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    jpeg_finish_compress(&encoder->cinfo);
    *bytes = encoder->destination.bytes;
    *count = encoder->destination.count;
    return TEXEL_CODEC_OK;
}
