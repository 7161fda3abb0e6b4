#include "jpeg_dc_arrays.h"

#include <string.h>

/// The coefficients of one component.
typedef struct {
    JCOEF *values; ///< one DC coefficient per block, `width` per row
    JDIMENSION width;
    JBLOCKROW rows[MAX_SAMP_FACTOR]; ///< the blocks that libjpeg works on; all AC coefficients are 0
    JDIMENSION first, count;         ///< the block rows that `rows` represents
    bool is_changed;
} dc_array;

struct jpeg_dc_arrays {
    const bool *is_dc_only;
    int requested; ///< libjpeg requests its arrays in the order of the components
    dc_array arrays[MAX_COMPONENTS];
    jvirt_barray_ptr (*request)(j_common_ptr cinfo, int pool, boolean pre_zero, JDIMENSION width, JDIMENSION height,
                                JDIMENSION rows_at_once);
    JBLOCKARRAY (*access)(j_common_ptr cinfo, jvirt_barray_ptr array, JDIMENSION first, JDIMENSION count,
                          boolean writable);
};

static jpeg_dc_arrays *arrays_of(j_common_ptr cinfo) { return ((jpeg_client *)cinfo->client_data)->dc_arrays; }

static jvirt_barray_ptr request_array(j_common_ptr cinfo, int pool, boolean pre_zero, JDIMENSION width,
                                      JDIMENSION height, JDIMENSION rows_at_once) {
    jpeg_dc_arrays *arrays = arrays_of(cinfo);
    int component = arrays->requested++;
    if (!arrays->is_dc_only[component]) {
        return (*arrays->request)(cinfo, pool, pre_zero, width, height, rows_at_once);
    }
    dc_array *array = &arrays->arrays[component];
    size_t size = (size_t)width * height * sizeof(JCOEF), row_size = (size_t)width * sizeof(JBLOCK);
    array->width = width;
    array->values = (*cinfo->mem->alloc_large)(cinfo, pool, size);
    memset(array->values, 0, size);
    for (JDIMENSION y = 0; y < rows_at_once && y < MAX_SAMP_FACTOR; y++) {
        array->rows[y] = (*cinfo->mem->alloc_large)(cinfo, pool, row_size);
        memset(array->rows[y], 0, row_size);
    }
    return (jvirt_barray_ptr)array;
}

static void store(dc_array *array) {
    for (JDIMENSION y = 0; y < array->count; y++) {
        JCOEF *values = array->values + (size_t)(array->first + y) * array->width;
        for (JDIMENSION x = 0; x < array->width; x++) values[x] = array->rows[y][x][0];
    }
}

static void load(dc_array *array) {
    for (JDIMENSION y = 0; y < array->count; y++) {
        const JCOEF *values = array->values + (size_t)(array->first + y) * array->width;
        for (JDIMENSION x = 0; x < array->width; x++) array->rows[y][x][0] = values[x];
    }
}

static bool owns(const jpeg_dc_arrays *arrays, jvirt_barray_ptr pointer) {
    const dc_array *array = (const dc_array *)pointer;
    return array >= arrays->arrays && array < arrays->arrays + MAX_COMPONENTS;
}

bool jpeg_dc_arrays_own(j_decompress_ptr cinfo, jvirt_barray_ptr array) {
    const jpeg_dc_arrays *arrays = arrays_of((j_common_ptr)cinfo);
    return arrays && owns(arrays, array);
}

static JBLOCKARRAY access_array(j_common_ptr cinfo, jvirt_barray_ptr pointer, JDIMENSION first, JDIMENSION count,
                                boolean writable) {
    jpeg_dc_arrays *arrays = arrays_of(cinfo);
    dc_array *array = (dc_array *)pointer;
    if (!owns(arrays, pointer)) return (*arrays->access)(cinfo, pointer, first, count, writable);
    if (first != array->first || count != array->count) {
        if (array->is_changed) store(array);
        array->first = first;
        array->count = count;
        array->is_changed = false;
        load(array);
    }
    array->is_changed |= writable;
    return array->rows;
}

void jpeg_dc_arrays_apply(j_decompress_ptr cinfo, const bool *is_dc_only) {
    j_common_ptr common = (j_common_ptr)cinfo;
    jpeg_dc_arrays *arrays = (*cinfo->mem->alloc_small)(common, JPOOL_IMAGE, sizeof *arrays);
    memset(arrays, 0, sizeof *arrays);
    arrays->is_dc_only = is_dc_only;
    arrays->request = cinfo->mem->request_virt_barray;
    arrays->access = cinfo->mem->access_virt_barray;
    ((jpeg_client *)cinfo->client_data)->dc_arrays = arrays;
    cinfo->mem->request_virt_barray = request_array;
    cinfo->mem->access_virt_barray = access_array;
}
