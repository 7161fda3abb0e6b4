#include "jpeg_destination.h"

#include <stdlib.h>

#include <jerror.h>

enum { FIRST_CAPACITY = 64 * 1024 };

static jpeg_destination *destination_of(j_compress_ptr cinfo) { return (jpeg_destination *)cinfo->dest; }

static void begin_output(j_compress_ptr cinfo) {
    jpeg_destination *destination = destination_of(cinfo);
    if (!destination->bytes) {
        destination->bytes = malloc(FIRST_CAPACITY);
        if (!destination->bytes) ERREXIT1(cinfo, JERR_OUT_OF_MEMORY, 0);
        destination->capacity = FIRST_CAPACITY;
    }
    destination->manager.next_output_byte = destination->bytes;
    destination->manager.free_in_buffer = destination->capacity;
}

/// The library calls this when the block is full, whatever free_in_buffer says.
static boolean continue_output(j_compress_ptr cinfo) {
    jpeg_destination *destination = destination_of(cinfo);
    size_t filled = destination->capacity;
    uint8_t *larger = realloc(destination->bytes, filled * 2);
    if (!larger) ERREXIT1(cinfo, JERR_OUT_OF_MEMORY, 0);
    destination->bytes = larger;
    destination->capacity = filled * 2;
    destination->manager.next_output_byte = larger + filled;
    destination->manager.free_in_buffer = filled;
    return TRUE;
}

size_t jpeg_destination_count(const jpeg_destination *destination) {
    return destination->capacity - destination->manager.free_in_buffer;
}

static void end_output(j_compress_ptr cinfo) {
    jpeg_destination *destination = destination_of(cinfo);
    destination->count = jpeg_destination_count(destination);
}

void jpeg_destination_restart(jpeg_destination *destination) {
    destination->manager.next_output_byte = destination->bytes;
    destination->manager.free_in_buffer = destination->capacity;
}

void jpeg_destination_prepare(jpeg_destination *destination, j_compress_ptr cinfo) {
    destination->manager.init_destination = begin_output;
    destination->manager.empty_output_buffer = continue_output;
    destination->manager.term_destination = end_output;
    cinfo->dest = &destination->manager;
}
