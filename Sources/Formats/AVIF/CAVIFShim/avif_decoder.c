#ifdef TEXEL_AVIF

#include <stdlib.h>
#include <string.h>

#include "avif_decoder.h"
#include "avif_results.h"

/// Returns bytes of the file, waiting for them.
static avifResult read_bytes(avifIO *io, uint32_t flags, uint64_t offset, size_t size, avifROData *out) {
    texel_avif_decoder *decoder = io->data;
    texel_codec_input *input = &decoder->input;
    if (flags != 0) return AVIF_RESULT_IO_ERROR;
    if (input->wait && (offset >= input->count || size > input->count - offset)) {
        size_t end = size > SIZE_MAX / 2 || offset > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)offset + size;
        ptrdiff_t there = input->wait(input->context, end);
        if (there < 0) {
            decoder->is_stopped = true;
            return AVIF_RESULT_IO_ERROR;
        }
        if ((size_t)there > input->count) input->count = (size_t)there;
    }
    if (offset > input->count) return AVIF_RESULT_WAITING_ON_IO;
    size_t available = input->count - (size_t)offset;
    // Headers are read in blocks that may extend beyond the file; data must be there.
    if (decoder->is_parsed && size > available) return AVIF_RESULT_WAITING_ON_IO;
    out->data = input->bytes + offset;
    out->size = size < available ? size : available;
    return AVIF_RESULT_OK;
}

texel_avif_decoder *texel_avif_decoder_create(const texel_codec_input *input,
                                              const texel_avif_decoder_settings *settings) {
    texel_avif_decoder *decoder = calloc(1, sizeof *decoder);
    if (!decoder) return NULL;
    decoder->input = *input;
    decoder->settings = *settings;
    decoder->io.read = read_bytes;
    decoder->io.data = decoder;
    decoder->io.persistent = AVIF_TRUE;
    decoder->io.sizeHint = settings->byte_limit;
    decoder->decoder = avif.avifDecoderCreate();
    decoder->view = avif.avifImageCreateEmpty();
    if (!decoder->decoder || !decoder->view) {
        texel_avif_decoder_destroy(decoder);
        return NULL;
    }
    avifDecoder *d = decoder->decoder;
    if (avif.avifCodecName(AVIF_CODEC_CHOICE_DAV1D, AVIF_CODEC_FLAG_CAN_DECODE))
        d->codecChoice = AVIF_CODEC_CHOICE_DAV1D;
    d->maxThreads = settings->threads;
    d->allowIncremental = settings->accepts_missing;
    d->ignoreExif = AVIF_TRUE;
    d->ignoreXMP = AVIF_TRUE;
    d->imageSizeLimit = settings->pixel_limit;
    d->imageDimensionLimit = settings->side_limit;
    d->imageCountLimit = settings->frame_limit;
    d->strictFlags = settings->is_strict ? AVIF_STRICT_ENABLED : AVIF_STRICT_DISABLED;
    avif.avifDecoderSetIO(d, &decoder->io);
    return decoder;
}

void texel_avif_decoder_destroy(texel_avif_decoder *decoder) {
    if (!decoder) return;
    if (decoder->view) avif.avifImageDestroy(decoder->view);
    if (decoder->decoder) avif.avifDecoderDestroy(decoder->decoder);
    free(decoder);
}

static texel_avif_status failed(texel_avif_decoder *decoder, avifResult result, char *message) {
    if (decoder->is_stopped) return TEXEL_AVIF_STOPPED;
    texel_avif_message(result, &decoder->decoder->diag, message);
    return texel_avif_status_of(result);
}

static void describe(const avifImage *image, texel_avif_frame *frame) {
    avifPixelFormatInfo format;
    avif.avifGetPixelFormatInfo(image->yuvFormat, &format);
    memset(frame, 0, sizeof *frame);
    frame->width = (int)image->width;
    frame->height = (int)image->height;
    frame->depth = (int)image->depth;
    frame->chroma_shift_x = format.chromaShiftX;
    frame->chroma_shift_y = format.chromaShiftY;
    frame->has_chroma = image->yuvFormat != AVIF_PIXEL_FORMAT_YUV400 && image->yuvPlanes[AVIF_CHAN_U] &&
                        image->yuvPlanes[AVIF_CHAN_V];
    frame->has_alpha = image->alphaPlane != NULL;
    frame->is_premultiplied = frame->has_alpha && image->alphaPremultiplied;
    frame->rows = frame->height;
}

texel_avif_status texel_avif_decoder_decode(texel_avif_decoder *decoder, uint32_t index, texel_avif_frame *frame,
                                            char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    avifDecoder *d = decoder->decoder;
    if (!decoder->is_parsed) {
        avifResult result = avif.avifDecoderSetSource(d, decoder->settings.uses_tracks
                                                             ? AVIF_DECODER_SOURCE_TRACKS
                                                             : AVIF_DECODER_SOURCE_PRIMARY_ITEM);
        if (result == AVIF_RESULT_OK) result = avif.avifDecoderParse(d);
        if (result != AVIF_RESULT_OK) return failed(decoder, result, message);
        decoder->is_parsed = true;
    }
    avifResult result = avif.avifDecoderNthImage(d, index);
    bool is_partial = result == AVIF_RESULT_WAITING_ON_IO && decoder->settings.accepts_missing;
    uint32_t rows = is_partial ? avif.avifDecoderDecodedRowCount(d) : 0;
    if (result != AVIF_RESULT_OK && rows == 0) return failed(decoder, result, message);
    if (!d->image->yuvPlanes[AVIF_CHAN_Y] || d->image->width > INT32_MAX || d->image->height > INT32_MAX)
        return TEXEL_AVIF_FAILED;
    describe(d->image, frame);
    if (is_partial) frame->rows = (int)rows;
    return TEXEL_AVIF_OK;
}

texel_plane texel_avif_decoder_plane(const texel_avif_decoder *decoder, int index) {
    const avifImage *image = decoder->decoder->image;
    texel_plane plane = {0};
    if (!image->yuvPlanes[index] || (index > 0 && image->yuvFormat == AVIF_PIXEL_FORMAT_YUV400)) return plane;
    avifPixelFormatInfo format;
    avif.avifGetPixelFormatInfo(image->yuvFormat, &format);
    uint32_t shift_x = index > 0 ? (uint32_t)format.chromaShiftX : 0;
    uint32_t shift_y = index > 0 ? (uint32_t)format.chromaShiftY : 0;
    plane.samples = image->yuvPlanes[index];
    plane.bytes_per_row = image->yuvRowBytes[index];
    plane.width = (int)((image->width + shift_x) >> shift_x);
    plane.height = (int)((image->height + shift_y) >> shift_y);
    return plane;
}

texel_avif_status texel_avif_decoder_convert(texel_avif_decoder *decoder, int first, int count, uint8_t *rows,
                                             size_t bytes_per_row, char message[TEXEL_CODEC_MESSAGE_SIZE]) {
    const avifImage *image = decoder->decoder->image;
    avifCropRect area = {0, (uint32_t)first, image->width, (uint32_t)count};
    avifResult result = avif.avifImageSetViewRect(decoder->view, image, &area);
    if (result != AVIF_RESULT_OK) return failed(decoder, result, message);
    avifRGBImage rgb;
    avif.avifRGBImageSetDefaults(&rgb, decoder->view);
    rgb.depth = 8;
    rgb.format = AVIF_RGB_FORMAT_BGRA;
    // The automatic choice repeats chroma samples if libyuv has no interpolation for the format.
    rgb.chromaUpsampling = AVIF_CHROMA_UPSAMPLING_BILINEAR;
    rgb.alphaPremultiplied = decoder->view->alphaPremultiplied;
    // libyuv drops the bits after the eighth before it multiplies.
    rgb.avoidLibYUV = decoder->view->depth > 8;
    rgb.pixels = rows;
    rgb.rowBytes = (uint32_t)bytes_per_row;
    result = avif.avifImageYUVToRGB(decoder->view, &rgb);
    return result == AVIF_RESULT_OK ? TEXEL_AVIF_OK : failed(decoder, result, message);
}

#endif
