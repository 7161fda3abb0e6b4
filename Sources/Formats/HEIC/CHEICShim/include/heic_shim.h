#ifndef HEIC_SHIM_H
#define HEIC_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec_planes.h"
#include "codec_report.h"

/// Loads libde265. Only after this has returned true may the other functions be called; if it returns false, `message`
/// has the reason.
bool texel_heic_load(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Returns the file that libde265 was loaded from.
const char *texel_heic_path(void);
/// Returns the version of libde265, such as "1.0.11".
const char *texel_heic_version(void);

/// The result of a call.
typedef enum {
    TEXEL_HEIC_OK = 0,
    TEXEL_HEIC_FAILED,      ///< `message` says why, or is empty
    TEXEL_HEIC_UNSUPPORTED, ///< `message` says what
    TEXEL_HEIC_OUT_OF_MEMORY
} texel_heic_status;

/// A decoded image, with its decoder.
typedef struct texel_heic_image texel_heic_image;

/// Decodes the first image of a stream: NAL units with their lengths in four bytes before them.
///
/// `is_strict` makes warnings errors.
texel_heic_status texel_heic_decode(const uint8_t *units, size_t count, bool is_strict, texel_heic_image **image,
                                    char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Frees an image; NULL is allowed.
void texel_heic_image_free(texel_heic_image *image);

/// Returns chroma_format_idc (ITU-T H.265, table 6-1): 0 without chroma, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
int texel_heic_chroma_format(const texel_heic_image *image);
/// Returns the bits per sample of luma.
int texel_heic_depth(const texel_heic_image *image);
/// Returns the size of luma in samples.
void texel_heic_size(const texel_heic_image *image, int *width, int *height);

/// Returns a plane, which is 0 (luma), 1 or 2: samples are bytes or, with more than 8 bits, words. Without such a
/// plane, or if it has another depth than luma, `samples` is NULL.
texel_plane texel_heic_plane(const texel_heic_image *image, int plane);

#endif
