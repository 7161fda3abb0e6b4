#ifndef HEIC_SHIM_H
#define HEIC_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "codec_report.h"

/// Loads libheif with its decoders. Only after this has returned true may the other functions be called; if it returns
/// false, `message` has the reason.
bool texel_heic_load(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Returns the file that libheif was loaded from.
const char *texel_heic_path(void);
/// Returns the version of libheif, such as "1.15.1".
const char *texel_heic_version(void);
/// Returns whether libheif has a decoder for HEVC; Debian has packages without.
bool texel_heic_decodes(void);

/// The result of a call.
typedef enum {
    TEXEL_HEIC_OK = 0,
    TEXEL_HEIC_FAILED,      ///< `message` says why
    TEXEL_HEIC_UNSUPPORTED, ///< `message` says what
    TEXEL_HEIC_OUT_OF_MEMORY
} texel_heic_status;

/// A decoded image.
typedef struct texel_heic_image texel_heic_image;

/// Decodes the image of a file with one coded image and without transformations, whose colours are declared as green,
/// blue and red with the full range (matrix 0 of ITU-T H.273).
///
/// libheif converts colours before it returns them. For that matrix it copies the samples, so they are those of the
/// HEVC stream, whatever they mean; chroma samples are repeated to the resolution of luma.
texel_heic_status texel_heic_decode(const uint8_t *file, size_t count, bool is_strict, texel_heic_image **image,
                                    char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Frees an image; NULL is allowed.
void texel_heic_image_free(texel_heic_image *image);

/// Returns whether the image has planes for chroma.
bool texel_heic_has_chroma(const texel_heic_image *image);
/// Returns the bits per sample.
int texel_heic_depth(const texel_heic_image *image);
/// Returns the size of luma in samples.
void texel_heic_size(const texel_heic_image *image, int *width, int *height);

/// Copies the upper left part of a plane, which is 0 (luma), 1 or 2, as bytes or, with more than 8 bits, as words.
///
/// `shift_x` and `shift_y` are the binary logarithms of the number of luma samples per sample of the plane. Returns
/// false if the image has no such plane or if it is smaller.
bool texel_heic_copy(const texel_heic_image *image, int plane, int shift_x, int shift_y, int columns, int rows,
                     void *samples, size_t bytes_per_row);

#endif
