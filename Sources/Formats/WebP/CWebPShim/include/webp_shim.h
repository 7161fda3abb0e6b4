#ifndef WEBP_SHIM_H
#define WEBP_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include "codec_input.h"
#include "codec_report.h"

// MARK: The libraries

/// Loads libwebp. Only after this has returned true may the other functions be called; if it returns false, `message`
/// has the reason.
bool texel_webp_load(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Returns the file that libwebp was loaded from.
const char *texel_webp_path(void);
/// Returns the version of libwebp: major, minor and revision in one byte each.
int texel_webp_version(void);

/// Loads libwebpmux, which only encoders of animations need.
bool texel_webp_mux_load(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Returns the file that libwebpmux was loaded from.
const char *texel_webp_mux_path(void);
/// Returns the version of libwebpmux, as `texel_webp_version` does.
int texel_webp_mux_version(void);

// MARK: Decoding

/// The progress of a decoder.
typedef enum {
    TEXEL_WEBP_COMPLETE = 0,
    TEXEL_WEBP_NEEDS_BYTES, ///< rows are missing
    TEXEL_WEBP_DAMAGED,
    TEXEL_WEBP_OUT_OF_MEMORY
} texel_webp_progress;

/// A decoder of one image, whose bytes may still be arriving.
typedef struct texel_webp_decoder texel_webp_decoder;

/// Creates a decoder that writes BGRA with straight alpha. Returns NULL if memory runs out.
///
/// `rows` must have `height` × `bytes_per_row` bytes and outlive the decoder. `is_scaled` says whether the image has
/// another size and is scaled to this one. `uses_threads` allows a second thread.
texel_webp_decoder *texel_webp_decoder_create(uint8_t *rows, size_t bytes_per_row, int width, int height,
                                              bool is_scaled, bool uses_threads);

/// Creates a decoder of an image with loss that writes luma, and chroma at half the resolution (rounded up), without
/// alpha. `bytes_per_row` are those of luma and of chroma; `height` is that of the image.
texel_webp_decoder *texel_webp_decoder_create_planes(uint8_t *const planes[3], const size_t bytes_per_row[2],
    int height,
                                                     bool uses_threads);

/// Frees a decoder; NULL is allowed.
void texel_webp_decoder_destroy(texel_webp_decoder *decoder);

/// Decodes as much as the first `count` bytes of the image allow. `bytes` begins with the header of an ALPH, VP8 or
/// VP8L chunk; it must be at the same place at each call. `rows_done` receives the number of complete rows.
texel_webp_progress texel_webp_decoder_update(texel_webp_decoder *decoder, const uint8_t *bytes, size_t count,
                                              int *rows_done);

// MARK: Encoding

/// How an image is encoded; the fields are those of libwebp's WebPConfig.
typedef struct {
    float quality;
    int method;
    bool lossless;
    bool exact;         ///< whether colours under transparent pixels are kept
    int near_lossless;  ///< 0 (most preprocessing) to 100 (none)
    int alpha_quality;  ///< 0 to 100
    bool use_sharp_yuv;
    bool use_threads;
} texel_webp_config;

/// Called with the completed share, 0 to 100; returns whether to go on.
typedef bool (*texel_webp_go_on)(void *context, int percent);

/// Bytes that an encoder has made. Free `bytes` with `texel_webp_free`.
typedef struct {
    uint8_t *bytes;
    size_t count;
} texel_webp_output;

/// Encodes pixels 0xAARRGGBB as a whole WebP file. With loss, and if not `exact`, colours of transparent pixels are
/// overwritten. `error` receives libwebp's number of an error (WebPEncodingError).
texel_codec_status texel_webp_encode(const texel_webp_config *config, uint32_t *pixels, size_t bytes_per_row, int width,
                                     int height, texel_webp_go_on go_on, void *context, texel_webp_output *output,
                                     int *error);

/// Encodes planes with BT.601's limited range, chroma at half the resolution.
texel_codec_status texel_webp_encode_planes(const texel_webp_config *config, uint8_t *const planes[3],
                                            const size_t bytes_per_row[3], int width, int height,
                                            texel_webp_go_on go_on, void *context, texel_webp_output *output,
                                            int *error);

void texel_webp_free(texel_webp_output *output);

/// An encoder of animations.
typedef struct texel_webp_animation texel_webp_animation;

/// Returns NULL if memory runs out or a side is too large.
texel_webp_animation *texel_webp_animation_create(int width, int height, int loop_count, bool minimizes_size,
                                                  bool mixes_lossless);
void texel_webp_animation_destroy(texel_webp_animation *animation);

/// Adds a frame that is shown from `start` on, in milliseconds. `context` must stay valid until the next frame is added
/// or the file is made.
texel_codec_status texel_webp_animation_add(texel_webp_animation *animation, const texel_webp_config *config,
                                            uint32_t *pixels, size_t bytes_per_row, int start,
                                            texel_webp_go_on go_on, void *context);
/// Ends the last frame at `end` and makes the file.
texel_codec_status texel_webp_animation_finish(texel_webp_animation *animation, int end, texel_webp_output *output);
/// Returns the message of the last error.
const char *texel_webp_animation_error(texel_webp_animation *animation);

#endif
