#ifndef JXL_SHIM_H
#define JXL_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include "codec_input.h"
#include "codec_report.h"

// MARK: The libraries

/// Loads libjxl. Only after this has returned true may the other functions be called; if it returns false, `message`
/// has the reason.
bool texel_jxl_load(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Returns the file that libjxl was loaded from.
const char *texel_jxl_path(void);
/// Returns the version of libjxl: major * 1000000 + minor * 1000 + patch.
int texel_jxl_version(void);

/// Loads libjxl_threads, which only work with several threads needs.
bool texel_jxl_threads_load(char message[TEXEL_CODEC_MESSAGE_SIZE]);
/// Returns the file that libjxl_threads was loaded from.
const char *texel_jxl_threads_path(void);

/// Bytes that the library has made. Free `bytes` with `texel_jxl_free`.
typedef struct {
    uint8_t *bytes;
    size_t count;
} texel_jxl_output;

void texel_jxl_free(texel_jxl_output *output);

// MARK: Decoding

/// What a decoder reports.
typedef enum {
    TEXEL_JXL_NEEDS_BYTES = 0,
    TEXEL_JXL_HEADER, ///< the colours are known
    TEXEL_JXL_FRAME,  ///< a displayed frame begins
    TEXEL_JXL_NEEDS_OUTPUT,
    TEXEL_JXL_IMAGE, ///< all pixels of a frame are written
    TEXEL_JXL_END,
    TEXEL_JXL_DAMAGED,
    TEXEL_JXL_OUT_OF_MEMORY
} texel_jxl_event;

/// What a decoder is created for.
typedef enum {
    TEXEL_JXL_READ_HEADER, ///< stops after the header
    TEXEL_JXL_READ_FRAMES, ///< the headers of frames, without pixels
    TEXEL_JXL_READ_PIXELS
} texel_jxl_purpose;

/// The colours of decoded pixels, if the file stores colours as XYB. Other files have pixels in their own colours.
typedef enum {
    TEXEL_JXL_OWN_COLORS, ///< the file's; it must not have an ICC profile
    TEXEL_JXL_SRGB,
    TEXEL_JXL_DISPLAY_P3
} texel_jxl_colors;

/// A decoder of one codestream, whose bytes may still be arriving.
typedef struct texel_jxl_decoder texel_jxl_decoder;

/// Creates a decoder. `threads` includes the caller's; more than one need `texel_jxl_threads_load`. Returns NULL if
/// memory runs out.
texel_jxl_decoder *texel_jxl_decoder_create(texel_jxl_purpose purpose, size_t threads);

/// Frees a decoder; NULL is allowed.
void texel_jxl_decoder_destroy(texel_jxl_decoder *decoder);

/// Gives the next bytes of the codestream. They must stay in place until `TEXEL_JXL_NEEDS_BYTES` is returned. Call it
/// only at the beginning and after that event. Returns false if memory runs out.
bool texel_jxl_decoder_feed(texel_jxl_decoder *decoder, const uint8_t *bytes, size_t count);

/// Decodes until something is to be reported.
texel_jxl_event texel_jxl_decoder_next(texel_jxl_decoder *decoder);

/// Chooses the colours of the pixels, after `TEXEL_JXL_HEADER`. Returns false if the library refuses them.
bool texel_jxl_decoder_set_colors(texel_jxl_decoder *decoder, texel_jxl_colors colors);

/// Returns the ICC profile of the file (`is_original`) or of the decoded pixels, after `TEXEL_JXL_HEADER`. Returns
/// `TEXEL_CODEC_FAILED` if there is none, and `TEXEL_CODEC_MEMORY_LIMIT` if it is longer than `limit`.
texel_codec_status texel_jxl_decoder_profile(texel_jxl_decoder *decoder, bool is_original, size_t limit,
                                             texel_jxl_output *output);

/// Returns the size of the image as stored, after `TEXEL_JXL_HEADER`.
void texel_jxl_decoder_size(const texel_jxl_decoder *decoder, uint32_t *width, uint32_t *height);

/// Returns the ticks of the frame that has begun.
uint32_t texel_jxl_decoder_duration(const texel_jxl_decoder *decoder);

/// Skips displayed frames, from the next one on.
void texel_jxl_decoder_skip(texel_jxl_decoder *decoder, size_t count);

/// Sets the memory for the frame that `TEXEL_JXL_NEEDS_OUTPUT` was returned for: RGBA with straight alpha. `rows` has
/// `byte_count` bytes and must outlive the frame. Returns false if that is too few for the image.
bool texel_jxl_decoder_set_rows(texel_jxl_decoder *decoder, uint8_t *rows, size_t byte_count);

/// Writes what can be shown of a frame whose bytes have not all arrived. Returns false if nothing can be.
bool texel_jxl_decoder_flush(texel_jxl_decoder *decoder);

/// Returns the content of the box that `box` holds: a whole brob box with its header. `limit` is the maximum size of
/// the result.
texel_codec_status texel_jxl_inflate_box(const uint8_t *box, size_t count, size_t limit, texel_jxl_output *output);

// MARK: Encoding

/// How an image is encoded.
typedef struct {
    uint32_t width, height;
    bool has_alpha;
    bool is_gray;       ///< the pixels have one colour channel; red, green and blue are equal
    bool is_lossless;
    float distance;     ///< libjxl's measure of loss, if not lossless
    int effort;         ///< 1 to 9
    int orientation;    ///< as in EXIF, 1 to 8
    int primaries;      ///< the number of ITU-T H.273: 1, 9, 11 or 12; ignored if there is a profile
    int transfer;       ///< the number of ITU-T H.273: 1, 8, 13, 16 or 18; ignored if there is a profile
    const uint8_t *profile; ///< an ICC profile; NULL for none
    size_t profile_count;
    uint32_t ticks_per_second; ///< of an animation; 0 for a still image
    uint32_t play_count;       ///< of an animation; 0 for endless
    size_t threads;            ///< including the caller's
} texel_jxl_config;

/// An encoder of one codestream, without a container.
typedef struct texel_jxl_encoder texel_jxl_encoder;

/// Creates an encoder. Returns NULL and a message if the library refuses the settings or memory runs out.
texel_jxl_encoder *texel_jxl_encoder_create(const texel_jxl_config *config, char message[TEXEL_CODEC_MESSAGE_SIZE]);
void texel_jxl_encoder_destroy(texel_jxl_encoder *encoder);

/// A frame, or the image.
typedef struct {
    const uint8_t *pixels; ///< BGRA, straight
    size_t bytes_per_row;
    uint32_t x, y, width, height; ///< the part of the canvas that changes; all of it for the first frame
    uint32_t duration;            ///< in ticks
    bool is_last;
} texel_jxl_frame;

/// Encodes a frame. The pixels are not needed afterwards.
texel_codec_status texel_jxl_encoder_add(texel_jxl_encoder *encoder, const texel_jxl_frame *frame,
                                         char message[TEXEL_CODEC_MESSAGE_SIZE]);

/// Moves the bytes so far to `output`; after the last frame they are the codestream.
void texel_jxl_encoder_take(texel_jxl_encoder *encoder, texel_jxl_output *output);

/// Returns whether red, green and blue are equal in all pixels.
bool texel_jxl_is_gray(const uint8_t *pixels, size_t bytes_per_row, uint32_t width, uint32_t height);

// MARK: JPEG

/// Stores a JPEG so that it can be restored byte for byte. Returns a file with a container.
texel_codec_status texel_jxl_store_jpeg(const uint8_t *jpeg, size_t count, int effort, size_t threads,
                                        texel_jxl_output *output, char message[TEXEL_CODEC_MESSAGE_SIZE]);

/// Restores the JPEG that a file with a container stores. Returns `TEXEL_CODEC_FAILED` if it stores none or is damaged,
/// and `TEXEL_CODEC_MEMORY_LIMIT` if the JPEG is larger than `limit` bytes.
texel_codec_status texel_jxl_restore_jpeg(const uint8_t *file, size_t count, size_t limit, texel_jxl_output *output);

#endif
