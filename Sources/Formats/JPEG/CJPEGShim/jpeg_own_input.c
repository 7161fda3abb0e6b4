#include "jpeg_own_input.h"

#include "jpeg_fence.h"

static size_t wait_for_more(void *context, size_t known) {
    const jpeg_own_input *own = context;
    texel_codec_input *input = &own->source->input;
    size_t start = (size_t)(own->start - input->bytes);
    ptrdiff_t there = (*input->wait)(input->context, start + known + 1);
    if (there < 0) return 0;
    input->count = own->source->arrived = (size_t)there;
    return input->count - start;
}

/// Whether libjpeg's buffer grows as the file arrives.
static bool grows(const jpeg_source *source, j_decompress_ptr cinfo) {
    return cinfo->src == &source->manager && source->input.wait;
}

bool jpeg_own_input_open(jpeg_own_input *input, j_decompress_ptr cinfo, jpeg_source *source,
                         texel_scan_input *description) {
    const uint8_t *start = cinfo->src->next_input_byte;
    size_t count = cinfo->src->bytes_in_buffer;
    bool may_grow = grows(source, cinfo);
    if (may_grow && start + count != source->input.bytes + source->input.count) return false;
    *input = (jpeg_own_input){.source = source, .start = start};
    *description = (texel_scan_input){
        .bytes = start,
        .count = count,
        .wait = may_grow ? wait_for_more : NULL,
        .context = input,
    };
    return true;
}

void jpeg_own_input_close(const jpeg_own_input *input, j_decompress_ptr cinfo, size_t end) {
    const uint8_t *limit = cinfo->src->next_input_byte + cinfo->src->bytes_in_buffer;
    if (grows(input->source, cinfo)) limit = input->source->input.bytes + input->source->input.count;
    cinfo->src->next_input_byte = input->start + end;
    cinfo->src->bytes_in_buffer = (size_t)(limit - cinfo->src->next_input_byte);
}

void jpeg_own_check(j_decompress_ptr cinfo, texel_scan_status status) {
    if (status == TEXEL_SCAN_STOPPED) jpeg_fence_stop((j_common_ptr)cinfo);
    if (status == TEXEL_SCAN_REFUSED) jpeg_fence_refuse((j_common_ptr)cinfo);
}

texel_scan_code jpeg_own_code(const JHUFF_TBL *table) {
    return table ? (texel_scan_code){.counts = table->bits + 1, .symbols = table->huffval} : (texel_scan_code){0};
}

size_t jpeg_own_block_count(j_decompress_ptr cinfo) {
    size_t blocks = 0;
    for (int i = 0; i < cinfo->num_components; i++) {
        blocks += (size_t)cinfo->comp_info[i].width_in_blocks * cinfo->comp_info[i].height_in_blocks;
    }
    return blocks;
}
