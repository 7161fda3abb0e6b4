#include "jpeg_shim.h"

#include "jpeg_destination.h"
#include "jpeg_fence.h"
#include "jpeg_own_coefficients.h"
#include "jpeg_source.h"

// Coefficients are read into libjpeg's arrays and stay there. The encoder requests rows of blocks through its memory
// manager; ours returns a band of rows that is moved on the way, so there is never a second copy of all coefficients.

/// How a block's 64 coefficients change: transposing the samples transposes the coefficients, and mirroring negates
/// those of odd frequencies, because their cosines are odd functions.
typedef struct {
    bool transposes;
    bool is_identity;
    uint16_t flips[DCTSIZE2]; ///< after the transposition: all bits set if the sign changes, else 0
} block_move;

/// The blocks of one component: the source's, and a band of the moved ones.
typedef struct {
    JBLOCKROW *rows;        ///< every row of blocks of the source
    int x, y;               ///< the position in the source of the first moved block, in blocks
    int x_step, y_step;     ///< 1 or -1: the direction through the source, along its own axes
    int width, height;      ///< of the moved image, in blocks
    const block_move *move;
    JBLOCK *band;           ///< `capacity` rows of `width` blocks
    JBLOCKROW *band_rows;
    int capacity, first, count; ///< the rows that the band holds
} moved_component;

struct texel_jpeg_transcoder {
    jpeg_fence fence;
    struct jpeg_decompress_struct source;
    struct jpeg_compress_struct result;
    jpeg_destination destination;
    bool source_created, result_created;
    long max_bytes; ///< that libjpeg may allocate for the source; 0 for no limit
    texel_codec_input input;
    jpeg_source reading;
    texel_jpeg_scan_choice scan_choice;
    jpeg_own_coefficients coefficients;
    jpeg_client client;
    block_move move;
    moved_component components[MAX_COMPONENTS];
    jvirt_barray_ptr arrays[MAX_COMPONENTS]; ///< pointers to `components`, as libjpeg's array type
};

// MARK: Blocks

static block_move block_move_make(const texel_jpeg_move *move) {
    block_move blocks = {.transposes = move->transposes,
                         .is_identity = !move->transposes && !move->mirrors_x && !move->mirrors_y};
    for (int v = 0; v < DCTSIZE; v++) {
        for (int u = 0; u < DCTSIZE; u++) {
            bool flips = (move->mirrors_x && u % 2 == 1) != (move->mirrors_y && v % 2 == 1);
            blocks.flips[v * DCTSIZE + u] = flips ? UINT16_MAX : 0;
        }
    }
    return blocks;
}

/// Unsigned, because damaged files have coefficients (-32,768) whose negation would overflow.
typedef uint16_t coefficient_row __attribute__((vector_size(16)));

/// Transposes 8 × 8 coefficients in three rounds of interleaving.
static void transpose(coefficient_row rows[DCTSIZE]) {
    for (int round = 0; round < 3; round++) {
        coefficient_row next[DCTSIZE];
        for (int i = 0; i < DCTSIZE / 2; i++) {
            next[2 * i] = __builtin_shufflevector(rows[i], rows[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
            next[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
        }
        memcpy(rows, next, sizeof next);
    }
}

static void move_block(const block_move *move, const JCOEF *from, JCOEF *to) {
    coefficient_row rows[DCTSIZE], flips[DCTSIZE];
    memcpy(rows, from, sizeof rows);
    memcpy(flips, move->flips, sizeof flips);
    if (move->transposes) transpose(rows);
    for (int v = 0; v < DCTSIZE; v++) rows[v] = (rows[v] ^ flips[v]) - flips[v];
    memcpy(to, rows, sizeof rows);
}

/// Fills the band from row `first` on.
static void fill_band(moved_component *component, int first) {
    int count = component->height - first < component->capacity ? component->height - first : component->capacity;
    component->first = first;
    component->count = count;
    const block_move *move = component->move;
    if (move->is_identity) {
        for (int i = 0; i < count; i++) {
            component->band_rows[i] = component->rows[component->y + first + i] + component->x;
        }
    } else if (move->transposes) {
        // Source rows become moved columns: each source row is read once for all rows of the band.
        for (int column = 0; column < component->width; column++) {
            const JBLOCK *blocks = component->rows[component->y + column * component->y_step];
            for (int i = 0; i < count; i++) {
                move_block(move, blocks[component->x + (first + i) * component->x_step],
                           component->band_rows[i][column]);
            }
        }
    } else {
        for (int i = 0; i < count; i++) {
            const JBLOCK *blocks = component->rows[component->y + (first + i) * component->y_step];
            for (int column = 0; column < component->width; column++) {
                move_block(move, blocks[component->x + column * component->x_step], component->band_rows[i][column]);
            }
        }
    }
}

/// Replaces access_virt_barray of the encoder's memory manager; its "arrays" are our components. libjpeg requests one
/// row of MCUs at a time; it does not read block rows below the image.
static JBLOCKARRAY moved_rows(j_common_ptr cinfo, jvirt_barray_ptr array, JDIMENSION start_row, JDIMENSION num_rows,
                              boolean writable) {
    (void)cinfo, (void)num_rows, (void)writable;
    moved_component *component = (moved_component *)array;
    int first = (int)start_row;
    int last = first + (int)num_rows < component->height ? first + (int)num_rows : component->height;
    if (first < component->first || last > component->first + component->count) fill_band(component, first);
    return component->band_rows + (first - component->first);
}

// MARK: Life

/// Creates libjpeg's decompressor. The caller has armed the fence.
static void create_source(texel_jpeg_transcoder *transcoder) {
    struct jpeg_decompress_struct *source = &transcoder->source;
    source->err = &transcoder->fence.manager;
    transcoder->client = (jpeg_client){.coefficients = &transcoder->coefficients};
    source->client_data = &transcoder->client;
    jpeg_create_decompress(source);
    transcoder->source_created = true;
    source->progress = &transcoder->fence.progress;
    if (transcoder->max_bytes > 0) source->mem->max_memory_to_use = transcoder->max_bytes;
}

texel_jpeg_transcoder *texel_jpeg_transcoder_create(const texel_codec_input *input, const texel_jpeg_limits *limits,
                                                    texel_should_stop should_stop, void *context) {
    texel_jpeg_transcoder *transcoder = calloc(1, sizeof *transcoder);
    if (!transcoder) return NULL;
    jpeg_fence_prepare(&transcoder->fence, should_stop, context);
    transcoder->fence.scan_limit = limits->max_scans;
    transcoder->fence.warning_limit = limits->max_warnings;
    transcoder->max_bytes = limits->max_bytes;
    transcoder->input = *input;
    transcoder->result.err = &transcoder->fence.manager;
    if (setjmp(transcoder->fence.home)) {
        texel_jpeg_transcoder_destroy(transcoder);
        return NULL;
    }
    create_source(transcoder);
    jpeg_create_compress(&transcoder->result);
    transcoder->result_created = true;
    transcoder->result.progress = &transcoder->fence.progress;
    transcoder->result.mem->access_virt_barray = moved_rows;
    jpeg_destination_prepare(&transcoder->destination, &transcoder->result);
    return transcoder;
}

void texel_jpeg_transcoder_destroy(texel_jpeg_transcoder *transcoder) {
    if (!transcoder) return;
    jpeg_own_coefficients_disconnect(&transcoder->coefficients);
    if (transcoder->source_created) jpeg_destroy_decompress(&transcoder->source);
    if (transcoder->result_created) jpeg_destroy_compress(&transcoder->result);
    free(transcoder->destination.bytes);
    free(transcoder);
}

const texel_codec_report *texel_jpeg_transcoder_report(const texel_jpeg_transcoder *transcoder) {
    return &transcoder->fence.report;
}

// MARK: Reading

/// Reads the coefficients of the whole file into libjpeg's arrays. The caller has armed the fence.
static void read_file(texel_jpeg_transcoder *transcoder, bool uses_own_decoder) {
    struct jpeg_decompress_struct *source = &transcoder->source;
    jpeg_source_connect(&transcoder->reading, source, &transcoder->input);
    jpeg_read_header(source, TRUE);
    if (uses_own_decoder) {
        jpeg_own_coefficients_connect(&transcoder->coefficients, source, &transcoder->reading);
    } else {
        jpeg_source_divide(&transcoder->reading, source);
    }
    jvirt_barray_ptr *arrays = jpeg_read_coefficients(source);
    jpeg_own_coefficients_finish(&transcoder->coefficients);
    jpeg_fence_check_scans(&transcoder->fence, source);
    // libjpeg mixes the coefficients of a scan of all components with those of later scans; decoders read only the
    // first.
    if (!jpeg_has_multiple_scans(source) && source->input_scan_number > 1) ERREXIT(source, JERR_EOI_EXPECTED);
    for (int ci = 0; ci < source->num_components; ci++) {
        jpeg_component_info *info = &source->comp_info[ci];
        JBLOCKROW *rows = (*source->mem->alloc_small)((j_common_ptr)source, JPOOL_IMAGE,
                                                      info->height_in_blocks * sizeof *rows);
        for (JDIMENSION y = 0; y < info->height_in_blocks; y++) {
            // The whole array is in memory; there is no backing store.
            rows[y] = (*source->mem->access_virt_barray)((j_common_ptr)source, arrays[ci], y, 1, FALSE)[0];
        }
        transcoder->components[ci].rows = rows;
    }
}

/// Reads the file anew, with libjpeg alone.
static texel_codec_status read_again(texel_jpeg_transcoder *transcoder) {
    if (setjmp(transcoder->fence.home)) return transcoder->fence.status;
    jpeg_own_coefficients_disconnect(&transcoder->coefficients);
    jpeg_fence_clear_report(&transcoder->fence);
    transcoder->source_created = false;
    jpeg_destroy_decompress(&transcoder->source);
    create_source(transcoder);
    read_file(transcoder, false);
    return TEXEL_CODEC_OK;
}

static texel_codec_status read_once(texel_jpeg_transcoder *transcoder) {
    if (setjmp(transcoder->fence.home)) return transcoder->fence.status;
    read_file(transcoder, transcoder->scan_choice != TEXEL_JPEG_SCAN_LIBRARY);
    return TEXEL_CODEC_OK;
}

void texel_jpeg_transcoder_choose_scan(texel_jpeg_transcoder *transcoder, texel_jpeg_scan_choice choice) {
    transcoder->scan_choice = choice;
}

bool texel_jpeg_transcoder_uses_own_scan(const texel_jpeg_transcoder *transcoder) {
    return transcoder->coefficients.is_in_use;
}

texel_codec_status texel_jpeg_transcoder_read(texel_jpeg_transcoder *transcoder, bool *is_progressive) {
    transcoder->coefficients.allows_small = transcoder->scan_choice == TEXEL_JPEG_SCAN_OWN;
    texel_codec_status status = read_once(transcoder);
    if (transcoder->fence.is_refused) status = read_again(transcoder);
    *is_progressive = transcoder->source.progressive_mode;
    return status;
}

texel_codec_status texel_jpeg_transcoder_copy(const texel_jpeg_transcoder *transcoder, int component, int16_t *blocks,
                                              int width, int height, uint16_t *steps) {
    if (component < 0 || component >= transcoder->source.num_components) return TEXEL_CODEC_FAILED;
    const jpeg_component_info *info = &transcoder->source.comp_info[component];
    if (info->width_in_blocks != (JDIMENSION)width || info->height_in_blocks != (JDIMENSION)height
        || !info->quant_table) {
        return TEXEL_CODEC_FAILED;
    }
    size_t row_size = (size_t)width * sizeof(JBLOCK);
    for (int y = 0; y < height; y++) {
        memcpy((char *)blocks + (size_t)y * row_size, transcoder->components[component].rows[y], row_size);
    }
    memcpy(steps, info->quant_table->quantval, sizeof info->quant_table->quantval);
    return TEXEL_CODEC_OK;
}

// MARK: Writing

/// Returns the slot of the component's quantisation table, moved. A file may redefine a slot between its scans, so
/// slots are assigned anew; there are as many as components.
static int table_slot(texel_jpeg_transcoder *transcoder, const jpeg_component_info *info, int *used) {
    struct jpeg_compress_struct *result = &transcoder->result;
    UINT16 values[DCTSIZE2];
    for (int k = 0; k < DCTSIZE2; k++) {
        int from = transcoder->move.transposes ? k % DCTSIZE * DCTSIZE + k / DCTSIZE : k;
        values[k] = info->quant_table->quantval[from];
    }
    for (int slot = 0; slot < *used; slot++) {
        if (memcmp(result->quant_tbl_ptrs[slot]->quantval, values, sizeof values) == 0) return slot;
    }
    int slot = (*used)++;
    if (!result->quant_tbl_ptrs[slot]) result->quant_tbl_ptrs[slot] = jpeg_alloc_quant_table((j_common_ptr)result);
    memcpy(result->quant_tbl_ptrs[slot]->quantval, values, sizeof values);
    result->quant_tbl_ptrs[slot]->sent_table = FALSE;
    return slot;
}

static bool is_same_table(const JHUFF_TBL *a, const JHUFF_TBL *b) {
    return a && b && memcmp(a->bits, b->bits, sizeof a->bits) == 0 &&
           memcmp(a->huffval, b->huffval, sizeof a->huffval) == 0;
}

/// Returns whether the source was coded with the tables that fast encoders use for all images. If an encoder chose
/// better ones, the result must not grow by using these again.
static bool has_standard_tables(const struct jpeg_decompress_struct *source,
                                const struct jpeg_compress_struct *result) {
    const jpeg_component_info *info = &source->comp_info[0];
    // A component without a scan has no table index; a damaged scan may have an invalid one.
    if (!info->quant_table || info->ac_tbl_no < 0 || info->ac_tbl_no >= NUM_HUFF_TBLS) return false;
    return is_same_table(source->ac_huff_tbl_ptrs[info->ac_tbl_no], result->ac_huff_tbl_ptrs[0]);
}

static int ceiling_quotient(long value, long divisor) { return (int)((value + divisor - 1) / divisor); }

/// Computes the component's position and direction in the source, and allocates its band.
static void place_component(texel_jpeg_transcoder *transcoder, int index, const texel_jpeg_move *move) {
    struct jpeg_decompress_struct *source = &transcoder->source;
    const jpeg_component_info *info = &source->comp_info[index];
    moved_component *component = &transcoder->components[index];
    // The size of a block in image pixels is this, divided by the component's sampling factor.
    long block_width = (long)source->max_h_samp_factor * DCTSIZE;
    long block_height = (long)source->max_v_samp_factor * DCTSIZE;
    long across = info->h_samp_factor, down = info->v_samp_factor;
    bool mirrors_columns = move->transposes ? move->mirrors_y : move->mirrors_x;
    bool mirrors_rows = move->transposes ? move->mirrors_x : move->mirrors_y;
    component->x_step = mirrors_columns ? -1 : 1;
    component->y_step = mirrors_rows ? -1 : 1;
    component->x = mirrors_columns ? (int)((move->x + move->width) * across / block_width) - 1
                                   : (int)(move->x * across / block_width);
    component->y = mirrors_rows ? (int)((move->y + move->height) * down / block_height) - 1
                                : (int)(move->y * down / block_height);
    int columns = ceiling_quotient(move->width * across, block_width);
    int rows = ceiling_quotient(move->height * down, block_height);
    component->width = move->transposes ? rows : columns;
    component->height = move->transposes ? columns : rows;
    component->move = &transcoder->move;
    component->first = component->count = 0;
    // Twice the block rows that a row of MCUs can have. A transposition reads as many neighbouring blocks of a source
    // row.
    component->capacity = 2 * MAX_SAMP_FACTOR;
    struct jpeg_memory_mgr *memory = transcoder->result.mem;
    j_common_ptr result = (j_common_ptr)&transcoder->result;
    component->band_rows = (*memory->alloc_small)(result, JPOOL_IMAGE,
                                                  component->capacity * sizeof *component->band_rows);
    memset(component->band_rows, 0, component->capacity * sizeof *component->band_rows);
    if (transcoder->move.is_identity) return;
    size_t row_size = (size_t)component->width * sizeof(JBLOCK);
    for (int i = 0; i < component->capacity; i++) {
        component->band_rows[i] = (*memory->alloc_large)(result, JPOOL_IMAGE, row_size);
    }
}

texel_codec_status texel_jpeg_transcoder_start(texel_jpeg_transcoder *transcoder, const texel_jpeg_move *move,
                                               bool progressive, bool optimize_huffman) {
    struct jpeg_decompress_struct *source = &transcoder->source;
    struct jpeg_compress_struct *result = &transcoder->result;
    if (setjmp(transcoder->fence.home)) return transcoder->fence.status;
    transcoder->move = block_move_make(move);
    result->image_width = (JDIMENSION)(move->transposes ? move->height : move->width);
    result->image_height = (JDIMENSION)(move->transposes ? move->width : move->height);
    result->input_components = source->num_components;
    result->in_color_space = source->jpeg_color_space;
    jpeg_set_defaults(result);
    jpeg_set_colorspace(result, source->jpeg_color_space);
    // The caller writes these markers as the source has them.
    result->write_JFIF_header = FALSE;
    result->write_Adobe_marker = FALSE;
    result->optimize_coding = optimize_huffman || !has_standard_tables(source, result);
    int used_tables = 0;
    for (int ci = 0; ci < source->num_components; ci++) {
        const jpeg_component_info *from = &source->comp_info[ci];
        jpeg_component_info *to = &result->comp_info[ci];
        to->component_id = from->component_id;
        to->h_samp_factor = move->transposes ? from->v_samp_factor : from->h_samp_factor;
        to->v_samp_factor = move->transposes ? from->h_samp_factor : from->v_samp_factor;
        // A component without a scan has no table.
        if (!from->quant_table) ERREXIT1(source, JERR_NO_QUANT_TABLE, from->quant_tbl_no);
        to->quant_tbl_no = table_slot(transcoder, from, &used_tables);
        place_component(transcoder, ci, move);
        transcoder->arrays[ci] = (jvirt_barray_ptr)&transcoder->components[ci];
    }
    if (progressive) jpeg_simple_progression(result);
    jpeg_write_coefficients(result, transcoder->arrays);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_jpeg_transcoder_write_marker(texel_jpeg_transcoder *transcoder, int marker,
                                                      const uint8_t *bytes, size_t count) {
    if (setjmp(transcoder->fence.home)) return transcoder->fence.status;
    jpeg_write_marker(&transcoder->result, marker, bytes, (unsigned)count);
    return TEXEL_CODEC_OK;
}

texel_codec_status texel_jpeg_transcoder_finish(texel_jpeg_transcoder *transcoder, const uint8_t **bytes,
                                                size_t *count) {
    if (setjmp(transcoder->fence.home)) return transcoder->fence.status;
    jpeg_finish_compress(&transcoder->result);
    *bytes = transcoder->destination.bytes;
    *count = transcoder->destination.count;
    return TEXEL_CODEC_OK;
}
