#ifndef CODEC_PLANES_H
#define CODEC_PLANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Samples of one component of an image: of 8 bits, or of up to 16 bits in words.
typedef struct {
    const void *samples; ///< NULL if there is no such plane
    size_t bytes_per_row;
    int width, height; ///< in samples
} texel_plane;

/// Divides the sides of a plane, rounding up: each sample becomes the mean of those that it covers.
///
/// `divide_x` and `divide_y` are powers of two up to 8. `sums` has room for a 32-bit number
/// per sample of a row.
void texel_plane_shrink(const texel_plane *from, bool is_deep, int divide_x, int divide_y, void *sums, void *to,
                        size_t to_bytes_per_row);

/// How samples become red, green and blue of 8 bits: the factors of samples without their offsets.
typedef struct {
    float black;      ///< the luma of black
    float luma;       ///< the factor of luma
    float middle;     ///< the chroma of grey
    float red_v, green_u, green_v, blue_u;
    bool is_identity; ///< the planes are green, blue and red, each with the offset and the factor of luma
} texel_plane_colors;

/// An image in planes.
typedef struct {
    texel_plane planes[3]; ///< luma and chroma; without chroma, the image is grey
    texel_plane alpha;     ///< with the full range
    bool is_deep;          ///< whether samples, except of alpha, are words
    bool alpha_is_deep;
    int alpha_depth;
    /// The binary logarithms of the number of luma samples per chroma sample: 0 or 1.
    int chroma_shift_x, chroma_shift_y;
    texel_plane_colors colors;
} texel_planar_image;

/// Converts a row to BGRA, with straight or premultiplied alpha as in the planes, opaque without alpha.
///
/// Chroma samples are centred between the pixels that share them, and interpolated linearly. `chroma` has room for four
/// samples per chroma sample of a row, and for two rows of pixels.
void texel_planar_row_to_bgra(const texel_planar_image *image, int row, uint16_t *chroma, uint8_t *pixels);

#endif
