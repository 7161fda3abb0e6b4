#include "jpeg_shim.h"

#include "jpeg_destination.h"
#include "jpeg_fence.h"

/// The blocks of one component, which libjpeg requests by rows.
typedef struct {
    const JBLOCK *blocks;
    int width, height;
    JBLOCKROW rows[MAX_SAMP_FACTOR]; ///< the rows requested last
} coefficient_rows;

struct texel_jpeg_encoder {
    jpeg_fence fence;
    struct jpeg_compress_struct cinfo;
    jpeg_destination destination;
    coefficient_rows components[MAX_COMPONENTS];
    jvirt_barray_ptr arrays[MAX_COMPONENTS]; ///< pointers to `components`, as libjpeg's array type
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

/// Sets all parameters except quantisation and scans.
static void set_parameters(struct jpeg_compress_struct *cinfo, const texel_jpeg_parameters *parameters) {
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
    cinfo->optimize_coding = parameters->optimize_huffman;
    cinfo->restart_interval = (unsigned)parameters->restart_interval;
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
}

/// Assigns each component its table. Components with equal tables share one, so that it is written once.
static void set_tables(struct jpeg_compress_struct *cinfo, const texel_jpeg_parameters *parameters) {
    if (parameters->table_count > NUM_QUANT_TBLS) ERREXIT1(cinfo, JERR_DQT_INDEX, parameters->table_count);
    for (int i = 0; i < cinfo->num_components; i++) {
        int number = i < parameters->table_count ? i : parameters->table_count - 1;
        const uint16_t *table = parameters->tables + number * DCTSIZE2;
        int shared = 0;
        while (shared < number && memcmp(parameters->tables + shared * DCTSIZE2, table, DCTSIZE2 * sizeof *table))
            shared++;
        cinfo->comp_info[i].quant_tbl_no = shared;
        if (shared != i) continue;
        unsigned int steps[DCTSIZE2];
        for (int k = 0; k < DCTSIZE2; k++) steps[k] = table[k];
        jpeg_add_quant_table(cinfo, shared, steps, 100, FALSE);
    }
}

texel_codec_status texel_jpeg_encoder_start(texel_jpeg_encoder *encoder, const texel_jpeg_parameters *parameters) {
    struct jpeg_compress_struct *cinfo = &encoder->cinfo;
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    set_parameters(cinfo, parameters);
    if (parameters->table_count > 0) set_tables(cinfo, parameters);
    else jpeg_set_quality(cinfo, parameters->quality, TRUE);
    if (parameters->progressive) jpeg_simple_progression(cinfo);
    cinfo->raw_data_in = parameters->layout == TEXEL_JPEG_RAW;
    jpeg_start_compress(cinfo, TRUE);
    return TEXEL_CODEC_OK;
}

// MARK: Coefficients

/// Replaces access_virt_barray of the encoder's memory manager. Its "arrays" are our components, so the coefficients
/// are not copied. libjpeg requests one row of MCUs at a time; it does not read block rows below the image.
static JBLOCKARRAY rows_of_blocks(j_common_ptr cinfo, jvirt_barray_ptr array, JDIMENSION start_row,
                                  JDIMENSION num_rows, boolean writable) {
    (void)cinfo, (void)writable;
    coefficient_rows *component = (coefficient_rows *)array;
    for (JDIMENSION i = 0; i < num_rows && i < MAX_SAMP_FACTOR; i++) {
        JDIMENSION height = (JDIMENSION)component->height;
        JDIMENSION row = start_row + i < height ? start_row + i : height - 1;
        // libjpeg uses one type for rows that it reads and rows that it fills.
        component->rows[i] = (JBLOCKROW)(component->blocks + (size_t)row * (size_t)component->width);
    }
    return component->rows;
}

static void set_components(texel_jpeg_encoder *encoder, const texel_jpeg_coefficients *coefficients) {
    struct jpeg_compress_struct *cinfo = &encoder->cinfo;
    for (int i = 0; i < cinfo->num_components; i++) {
        const texel_jpeg_component *component = &coefficients->components[i];
        int table = component->quantizer;
        if (table < 0 || table >= NUM_QUANT_TBLS) ERREXIT1(cinfo, JERR_DQT_INDEX, table);
        if (!cinfo->quant_tbl_ptrs[table]) cinfo->quant_tbl_ptrs[table] = jpeg_alloc_quant_table((j_common_ptr)cinfo);
        memcpy(cinfo->quant_tbl_ptrs[table]->quantval, coefficients->quantizers + table * DCTSIZE2,
               DCTSIZE2 * sizeof(UINT16));
        cinfo->comp_info[i].quant_tbl_no = table;
        encoder->components[i] = (coefficient_rows){
            .blocks = (const JBLOCK *)component->blocks, .width = component->width, .height = component->height};
        encoder->arrays[i] = (jvirt_barray_ptr)&encoder->components[i];
    }
    cinfo->mem->access_virt_barray = rows_of_blocks;
}

static void set_scans(struct jpeg_compress_struct *cinfo, const texel_jpeg_scan *scans, int count) {
    jpeg_scan_info *infos = (*cinfo->mem->alloc_small)((j_common_ptr)cinfo, JPOOL_IMAGE, (size_t)count * sizeof *infos);
    for (int i = 0; i < count; i++) {
        const texel_jpeg_scan *scan = &scans[i];
        infos[i] = (jpeg_scan_info){
            .Ss = scan->first, .Se = scan->last, .Ah = scan->high_bit, .Al = scan->low_bit};
        for (int component = 0; component < cinfo->num_components; component++) {
            if (scan->components >> component & 1) infos[i].component_index[infos[i].comps_in_scan++] = component;
        }
    }
    cinfo->scan_info = infos;
    cinfo->num_scans = count;
}

/// Copies one Huffman table; returns the next one.
static const uint8_t *set_huffman_table(struct jpeg_compress_struct *cinfo, JHUFF_TBL **table, const uint8_t *bytes) {
    enum { lengths = 16, symbols = 256 };
    if (!*table) *table = jpeg_alloc_huff_table((j_common_ptr)cinfo);
    (*table)->bits[0] = 0;
    memcpy((*table)->bits + 1, bytes, lengths);
    memcpy((*table)->huffval, bytes + lengths, symbols);
    (*table)->sent_table = FALSE;
    return bytes + lengths + symbols;
}

static void set_huffman_tables(struct jpeg_compress_struct *cinfo, const uint8_t *bytes, int pairs) {
    if (pairs > NUM_HUFF_TBLS) ERREXIT1(cinfo, JERR_DHT_INDEX, pairs);
    for (int i = 0; i < pairs; i++) {
        bytes = set_huffman_table(cinfo, &cinfo->dc_huff_tbl_ptrs[i], bytes);
        bytes = set_huffman_table(cinfo, &cinfo->ac_huff_tbl_ptrs[i], bytes);
    }
}

texel_codec_status texel_jpeg_encoder_start_coefficients(texel_jpeg_encoder *encoder,
                                                         const texel_jpeg_parameters *parameters,
                                                         const texel_jpeg_coefficients *coefficients) {
    struct jpeg_compress_struct *cinfo = &encoder->cinfo;
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    set_parameters(cinfo, parameters);
    set_components(encoder, coefficients);
    set_huffman_tables(cinfo, coefficients->huffman_tables, coefficients->huffman_table_pairs);
    if (coefficients->scan_count > 0) set_scans(cinfo, coefficients->scans, coefficients->scan_count);
    jpeg_write_coefficients(cinfo, encoder->arrays);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_jpeg_encoder_write_marker(texel_jpeg_encoder *encoder, int marker, const uint8_t *bytes,
                                                   size_t count) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    jpeg_write_marker(&encoder->cinfo, marker, bytes, (unsigned)count);
    return TEXEL_CODEC_OK;
}

// MARK: Samples

texel_codec_status texel_jpeg_encoder_write_rows(texel_jpeg_encoder *encoder, const uint8_t *rows,
                                                 size_t bytes_per_row, int count) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    for (int y = 0; y < count;) {
        // Sixteen rows are one row of MCUs even if chroma is halved vertically.
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
        // The samples of the image itself (ITU-T T.81, A.1.1); its last column fills the rest of the block.
        size_t width = ((size_t)cinfo->image_width * (size_t)component->h_samp_factor
                        + (size_t)cinfo->max_h_samp_factor - 1) / (size_t)cinfo->max_h_samp_factor;
        size_t padded = (size_t)component->width_in_blocks * DCTSIZE;
        for (int y = 0; y < component->v_samp_factor * DCTSIZE; y++) {
            // Below the image its last row is repeated.
            JSAMPROW row = rows[i] + (size_t)(y < counts[i] ? y : counts[i] - 1) * bytes_per_row[i];
            if (y < counts[i]) memset(row + width, row[width - 1], padded - width);
            pointers[i][y] = row;
        }
        arrays[i] = pointers[i];
    }
    jpeg_write_raw_data(cinfo, arrays, (JDIMENSION)cinfo->max_v_samp_factor * DCTSIZE);
    return TEXEL_CODEC_OK;
}

size_t texel_jpeg_encoder_take(texel_jpeg_encoder *encoder, size_t least, const uint8_t **bytes) {
    size_t count = jpeg_destination_count(&encoder->destination);
    if (count < least) return 0;
    *bytes = encoder->destination.bytes;
    jpeg_destination_restart(&encoder->destination);
    return count;
}

texel_codec_status texel_jpeg_encoder_finish(texel_jpeg_encoder *encoder, const uint8_t **bytes, size_t *count) {
    if (setjmp(encoder->fence.home)) return encoder->fence.status;
    jpeg_finish_compress(&encoder->cinfo);
    *bytes = encoder->destination.bytes;
    *count = encoder->destination.count;
    return TEXEL_CODEC_OK;
}
