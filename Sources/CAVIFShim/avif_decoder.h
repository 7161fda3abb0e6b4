#ifndef AVIF_DECODER_H
#define AVIF_DECODER_H

#include "avif_library.h"
#include "avif_shim.h"

struct texel_avif_decoder {
    avifIO io;
    texel_codec_input input;
    texel_avif_decoder_settings settings;
    avifDecoder *decoder;
    avifImage *view;   ///< some rows of the image
    avifImage *shrunk; ///< the reduced image; NULL if it is not reduced
    bool is_parsed, is_stopped;
};

/// Describes a decoded image.
void texel_avif_describe(const avifImage *image, texel_avif_frame *frame);

#endif
