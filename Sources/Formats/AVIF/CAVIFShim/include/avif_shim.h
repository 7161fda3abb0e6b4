#ifndef AVIF_SHIM_H
#define AVIF_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include "codec_input.h"
#include "codec_planes.h"
#include "codec_report.h"

// MARK: The library

/// Loads libavif. Only after this has returned true may the other functions be called; if it returns false, `message`
/// has the reason.
bool texel_avif_load(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Returns whether libavif 1.x is loaded, by the headers that Texel was built with, and not 0.11.
bool texel_avif_headers_are_stable(void);
/// Returns the file that libavif was loaded from.
const char *texel_avif_path(void);
/// Returns the version of libavif, such as "0.11.1".
const char *texel_avif_version(void);
/// Writes the names and versions of the AV1 codecs that libavif uses.
void texel_avif_codec_versions(char versions[256]);
/// Returns whether libavif has libaom's encoder.
bool texel_avif_encodes(void);

/// The result of a call.
typedef enum {
    TEXEL_AVIF_OK = 0,
    TEXEL_AVIF_NEEDS_BYTES, ///< the file ends before the image does
    TEXEL_AVIF_FAILED,      ///< `message` says why
    TEXEL_AVIF_UNSUPPORTED, ///< `message` says what
    TEXEL_AVIF_STOPPED,     ///< a wait for bytes was stopped
    TEXEL_AVIF_OUT_OF_MEMORY
} texel_avif_status;

// MARK: Decoding

/// The limits and choices of a decoder.
typedef struct {
    int threads;
    uint32_t pixel_limit;   ///< of a coded frame and of a grid; at most 2^28
    uint32_t side_limit;
    uint32_t frame_limit;
    uint64_t byte_limit;    ///< no byte of the image is after this position
    bool is_strict;         ///< rejects files that violate the specification without harm
    bool uses_tracks;       ///< decodes the frames of a sequence instead of the primary item
    bool accepts_missing;   ///< decodes a grid as far as its cells are there
} texel_avif_decoder_settings;

/// What a decoded frame is.
typedef struct {
    int width, height;
    int depth;
    int chroma_shift_x, chroma_shift_y; ///< the binary logarithms of the number of luma samples per chroma sample
    bool has_chroma;
    bool has_alpha;
    bool is_premultiplied;
    int rows; ///< how many complete rows there are
} texel_avif_frame;

/// A decoder of the image or of the frames of one file.
typedef struct texel_avif_decoder texel_avif_decoder;

/// Creates a decoder. `input` is copied; its bytes and its context must outlive the decoder. Returns NULL if memory
/// runs out.
texel_avif_decoder *texel_avif_decoder_create(const texel_codec_input *input,
                                              const texel_avif_decoder_settings *settings);
/// Frees a decoder; NULL is allowed.
void texel_avif_decoder_destroy(texel_avif_decoder *decoder);

/// Decodes a frame, with those before it that it depends on; 0 is a still image. Frames are fastest in order.
texel_avif_status texel_avif_decoder_decode(texel_avif_decoder *decoder, uint32_t index, texel_avif_frame *frame,
                                            char message[TEXEL_CODEC_MESSAGE_SIZE]);

/// Returns a plane of the decoded frame, which is 0 (luma), 1 or 2. Without such a plane `samples` is NULL.
texel_plane texel_avif_decoder_plane(const texel_avif_decoder *decoder, int index);

/// Writes rows of the decoded frame as BGRA, alpha premultiplied as in the file. The rows must exist. Gives the same
/// pixels for every division into calls if `first` is even.
texel_avif_status texel_avif_decoder_convert(texel_avif_decoder *decoder, int first, int count, uint8_t *rows,
                                             size_t bytes_per_row, char message[TEXEL_CODEC_MESSAGE_SIZE]);

// MARK: Encoding

/// Samples per pixel of an image to be encoded.
typedef enum { TEXEL_AVIF_444, TEXEL_AVIF_422, TEXEL_AVIF_420, TEXEL_AVIF_400 } texel_avif_sampling;

/// A block of metadata; NULL if there is none.
typedef struct {
    const uint8_t *bytes;
    size_t count;
} texel_avif_block;

/// How an image is encoded.
typedef struct {
    int width, height;
    texel_avif_sampling sampling;
    bool has_alpha;
    int primaries, transfer, matrix; ///< numbers of ITU-T H.273; the range is full
    int quantizer;       ///< 0 (lossless) to 63
    int alpha_quantizer; ///< 0 (lossless) to 63
    int speed;           ///< 0 (slowest) to 10
    int threads;
    int turns;                ///< quarter turns counter-clockwise from the stored to the displayed image
    int mirror;               ///< then: 0 exchanges top and bottom, 1 exchanges left and right, -1 nothing
    uint64_t ticks_per_second; ///< of an animation; 0 for a still image
    const char *tuning;       ///< libaom's option "tune"; NULL for libavif's choice
} texel_avif_encoder_settings;

/// An encoder of one file.
typedef struct texel_avif_encoder texel_avif_encoder;

/// Creates an encoder with memory for one image. Returns NULL if memory runs out.
texel_avif_encoder *texel_avif_encoder_create(const texel_avif_encoder_settings *settings, texel_avif_block profile,
                                              texel_avif_block exif, texel_avif_block xmp);
/// Frees an encoder; NULL is allowed.
void texel_avif_encoder_destroy(texel_avif_encoder *encoder);

/// Returns the first sample of a plane, and its distance between rows: 0 to 2 luma and chroma, 3 alpha.
uint8_t *texel_avif_encoder_plane(texel_avif_encoder *encoder, int plane, size_t *bytes_per_row);

/// Writes a row of alpha from BGRA pixels.
void texel_avif_encoder_set_alpha(texel_avif_encoder *encoder, int row, const uint8_t *pixels);
/// Writes a row of green, blue and red to the planes 0 to 2 from BGRA pixels: the identity matrix.
void texel_avif_encoder_set_identity(texel_avif_encoder *encoder, int row, const uint8_t *pixels);
/// Writes a row of luma from grey BGRA pixels.
void texel_avif_encoder_set_gray(texel_avif_encoder *encoder, int row, const uint8_t *pixels);

/// Encodes the image, which is shown for `ticks` if it is a frame of an animation.
texel_avif_status texel_avif_encoder_add(texel_avif_encoder *encoder, uint64_t ticks,
                                         char message[TEXEL_CODEC_MESSAGE_SIZE]);

/// Bytes that an encoder has made. Free `bytes` with `texel_avif_output_free`.
typedef struct {
    uint8_t *bytes;
    size_t count;
} texel_avif_output;

/// Makes the file.
texel_avif_status texel_avif_encoder_finish(texel_avif_encoder *encoder, texel_avif_output *output,
                                            char message[TEXEL_CODEC_MESSAGE_SIZE]);
void texel_avif_output_free(texel_avif_output *output);

#endif
