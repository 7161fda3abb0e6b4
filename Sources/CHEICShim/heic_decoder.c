#ifdef TEXEL_HEIC

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heic_library.h"
#include "heic_shim.h"

struct texel_heic_image {
    struct heif_image *image;
    enum heif_channel channels[3];
    bool has_chroma;
    bool is_repeated; ///< whether chroma has the resolution of luma, with repeated samples
};

static texel_heic_status failed(struct heif_error error, char *message) {
    snprintf(message, TEXEL_CODEC_MESSAGE_SIZE, "%.190s", error.message ? error.message : "");
    switch (error.code) {
    case heif_error_Unsupported_filetype:
    case heif_error_Unsupported_feature: return TEXEL_HEIC_UNSUPPORTED;
    case heif_error_Memory_allocation_error: return TEXEL_HEIC_OUT_OF_MEMORY;
    default: return TEXEL_HEIC_FAILED;
    }
}

static texel_heic_status decode(struct heif_context *context, const uint8_t *file, size_t count, bool is_strict,
                                struct heif_image **image, char *message) {
    // The threads would decode cells, of which there is one.
    heif.heif_context_set_max_decoding_threads(context, 0);
    struct heif_error error = heif.heif_context_read_from_memory_without_copy(context, file, count, NULL);
    if (error.code != heif_error_Ok) return failed(error, message);
    struct heif_image_handle *handle = NULL;
    error = heif.heif_context_get_primary_image_handle(context, &handle);
    if (error.code != heif_error_Ok) return failed(error, message);
    struct heif_decoding_options *options = heif.heif_decoding_options_alloc();
    if (!options) {
        heif.heif_image_handle_release(handle);
        return TEXEL_HEIC_OUT_OF_MEMORY;
    }
    options->ignore_transformations = 1;
    if (options->version >= 3) options->strict_decoding = is_strict;
    error = heif.heif_decode_image(handle, image, heif_colorspace_undefined, heif_chroma_undefined, options);
    heif.heif_decoding_options_free(options);
    heif.heif_image_handle_release(handle);
    if (error.code != heif_error_Ok) return failed(error, message);
    return *image ? TEXEL_HEIC_OK : TEXEL_HEIC_FAILED;
}

/// Finds the planes; returns false for other kinds of images.
static bool find_planes(texel_heic_image *image) {
    switch (heif.heif_image_get_colorspace(image->image)) {
    case heif_colorspace_monochrome:
        image->channels[0] = heif_channel_Y;
        return true;
    case heif_colorspace_YCbCr:
        image->channels[0] = heif_channel_Y;
        image->channels[1] = heif_channel_Cb;
        image->channels[2] = heif_channel_Cr;
        image->has_chroma = true;
        return true;
    case heif_colorspace_RGB:
        image->channels[0] = heif_channel_G;
        image->channels[1] = heif_channel_B;
        image->channels[2] = heif_channel_R;
        image->has_chroma = image->is_repeated = true;
        return true;
    default: return false;
    }
}

texel_heic_status texel_heic_decode(const uint8_t *file, size_t count, bool is_strict, texel_heic_image **image,
                                    char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    texel_heic_image *result = calloc(1, sizeof *result);
    struct heif_context *context = heif.heif_context_alloc();
    if (!result || !context) {
        if (context) heif.heif_context_free(context);
        free(result);
        return TEXEL_HEIC_OUT_OF_MEMORY;
    }
    texel_heic_status status = decode(context, file, count, is_strict, &result->image, message);
    heif.heif_context_free(context);
    if (status == TEXEL_HEIC_OK && !find_planes(result)) status = TEXEL_HEIC_FAILED;
    if (status != TEXEL_HEIC_OK) {
        texel_heic_image_free(result);
        return status;
    }
    *image = result;
    return TEXEL_HEIC_OK;
}

void texel_heic_image_free(texel_heic_image *image) {
    if (!image) return;
    if (image->image) heif.heif_image_release(image->image);
    free(image);
}

bool texel_heic_has_chroma(const texel_heic_image *image) { return image->has_chroma; }

int texel_heic_depth(const texel_heic_image *image) {
    return heif.heif_image_get_bits_per_pixel_range(image->image, image->channels[0]);
}

void texel_heic_size(const texel_heic_image *image, int *width, int *height) {
    *width = heif.heif_image_get_width(image->image, image->channels[0]);
    *height = heif.heif_image_get_height(image->image, image->channels[0]);
}

bool texel_heic_copy(const texel_heic_image *image, int plane, int shift_x, int shift_y, int columns, int rows,
                     void *samples, size_t bytes_per_row) {
    if (plane > 0 && !image->has_chroma) return false;
    if (columns <= 0 || rows <= 0) return false;
    enum heif_channel channel = image->channels[plane];
    if (!image->is_repeated) shift_x = shift_y = 0;
    int width = heif.heif_image_get_width(image->image, channel);
    int height = heif.heif_image_get_height(image->image, channel);
    int depth = heif.heif_image_get_bits_per_pixel_range(image->image, channel);
    if (depth != texel_heic_depth(image)) return false;
    // The last sample that is read is inside of the plane.
    if (((int64_t)(columns - 1) << shift_x) >= width || ((int64_t)(rows - 1) << shift_y) >= height) return false;
    int stride = 0;
    const uint8_t *from = heif.heif_image_get_plane_readonly(image->image, channel, &stride);
    if (!from || stride <= 0) return false;
    for (int y = 0; y < rows; y++) {
        const uint8_t *row = from + (size_t)(y << shift_y) * (size_t)stride;
        uint8_t *to = (uint8_t *)samples + (size_t)y * bytes_per_row;
        if (shift_x == 0) {
            memcpy(to, row, (size_t)columns * (depth > 8 ? 2 : 1));
        } else if (depth > 8) {
            for (int x = 0; x < columns; x++)
                ((uint16_t *)(void *)to)[x] = ((const uint16_t *)(const void *)row)[x << shift_x];
        } else {
            for (int x = 0; x < columns; x++) to[x] = row[x << shift_x];
        }
    }
    return true;
}

#endif
