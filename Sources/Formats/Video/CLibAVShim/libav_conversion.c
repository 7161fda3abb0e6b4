#ifdef TEXEL_VIDEO

#include "libav_conversion.h"

#include <string.h>

// Between rows of converted frames and before their samples.
enum { ALIGNMENT = 64 };

void texel_conversion_clear(texel_conversion *conversion) {
    if (conversion->scaler) av.sws_freeContext(conversion->scaler);
    conversion->scaler = NULL;
    if (conversion->buffers) av.av_buffer_pool_uninit(&conversion->buffers);
}

/// The formats that Texel reads, by the resolution of chroma, the depth, and whether there is alpha.
static const enum AVPixelFormat planar_formats[3][2][2] = {
    {{AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVA420P}, {AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUVA420P10LE}},
    {{AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVA422P}, {AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_YUVA422P10LE}},
    {{AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUVA444P}, {AV_PIX_FMT_YUV444P10LE, AV_PIX_FMT_YUVA444P10LE}},
};

/// Returns the full-range format of an old kind as the usual one: its range is told apart from it.
static enum AVPixelFormat without_range(enum AVPixelFormat format) {
    switch (format) {
    case AV_PIX_FMT_YUVJ420P: return AV_PIX_FMT_YUV420P;
    case AV_PIX_FMT_YUVJ422P: return AV_PIX_FMT_YUV422P;
    case AV_PIX_FMT_YUVJ444P: return AV_PIX_FMT_YUV444P;
    case AV_PIX_FMT_YUVJ440P: return AV_PIX_FMT_YUV440P;
    case AV_PIX_FMT_YUVJ411P: return AV_PIX_FMT_YUV411P;
    default: return format;
    }
}

/// Returns the format that Texel reads with at least the resolution of a format, in 8 or 10 bits.
static enum AVPixelFormat nearest(enum AVPixelFormat format, bool keeps_light) {
    const AVPixFmtDescriptor *form = av.av_pix_fmt_desc_get(format);
    if (!form) return AV_PIX_FMT_NONE;
    bool is_deep = form->comp[0].depth > 8;
    bool has_alpha = form->flags & AV_PIX_FMT_FLAG_ALPHA;
    bool is_xyz = format == AV_PIX_FMT_XYZ12LE || format == AV_PIX_FMT_XYZ12BE;
    if (form->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER) || is_xyz)
        return is_deep && keeps_light ? planar_formats[2][1][has_alpha] : AV_PIX_FMT_BGRA;
    // Grey with alpha has no colours whose matrix could matter.
    if (form->nb_components < 3) return has_alpha ? AV_PIX_FMT_BGRA : is_deep ? AV_PIX_FMT_GRAY10LE : AV_PIX_FMT_GRAY8;
    if (format == AV_PIX_FMT_NV12) return format;
    int chroma = form->log2_chroma_w == 0 ? 2 : form->log2_chroma_h == 0 ? 1 : 0;
    return planar_formats[chroma][is_deep][has_alpha];
}

/// Whether all planes have rows in their order, each as long as its samples.
static bool has_usual_rows(const AVFrame *frame) {
    for (int plane = 0; plane < av.av_pix_fmt_count_planes(frame->format); plane++) {
        int bytes = av.av_image_get_linesize(frame->format, frame->width, plane);
        if (bytes <= 0 || frame->linesize[plane] < bytes || !frame->data[plane]) return false;
    }
    return true;
}

static int prepare(texel_conversion *conversion, const AVFrame *frame, enum AVPixelFormat to) {
    texel_conversion_clear(conversion);
    int bytes = av.av_image_get_buffer_size(to, frame->width, frame->height, ALIGNMENT);
    if (bytes < 0) return bytes;
    conversion->buffers = av.av_buffer_pool_init((size_t)bytes + ALIGNMENT, NULL);
    struct SwsContext *scaler = conversion->scaler = av.sws_alloc_context();
    if (!scaler || !conversion->buffers) return AVERROR(ENOMEM);
    enum AVPixelFormat from = without_range(frame->format);
    av.av_opt_set_int(scaler, "srcw", frame->width, 0);
    av.av_opt_set_int(scaler, "srch", frame->height, 0);
    av.av_opt_set_int(scaler, "src_format", from, 0);
    av.av_opt_set_int(scaler, "dstw", frame->width, 0);
    av.av_opt_set_int(scaler, "dsth", frame->height, 0);
    av.av_opt_set_int(scaler, "dst_format", to, 0);
    av.av_opt_set_int(scaler, "sws_flags",
                      SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP, 0);
    int code = av.sws_init_context(scaler, NULL, NULL);
    if (code < 0) return code;
    // Equal on both sides, so that samples are moved and not converted. Only RGB that becomes luma and chroma is.
    const int *matrix = av.sws_getCoefficients(SWS_CS_ITU709);
    av.sws_setColorspaceDetails(scaler, matrix, 1, matrix, 1, 0, 1 << 16, 1 << 16);
    conversion->from = frame->format;
    conversion->to = to;
    conversion->width = frame->width;
    conversion->height = frame->height;
    return 0;
}

static int convert(texel_conversion *conversion, const AVFrame *from, AVFrame *to, enum AVPixelFormat format) {
    bool is_ready = conversion->scaler && conversion->from == from->format && conversion->to == format &&
        conversion->width == from->width && conversion->height == from->height;
    int code = is_ready ? 0 : prepare(conversion, from, format);
    if (code < 0) {
        texel_conversion_clear(conversion);
        return code;
    }
    to->buf[0] = av.av_buffer_pool_get(conversion->buffers);
    if (!to->buf[0]) return AVERROR(ENOMEM);
    to->format = format;
    to->width = from->width;
    to->height = from->height;
    code = av.av_image_fill_arrays(to->data, to->linesize, to->buf[0]->data, format, to->width, to->height, ALIGNMENT);
    if (code < 0) return code;
    code = av.sws_scale(conversion->scaler, (const uint8_t *const *)from->data, from->linesize, 0, from->height,
                        to->data, to->linesize);
    return code < 0 ? code : 0;
}

/// Describes the samples of a frame that has one of the formats that Texel reads.
static void describe(const AVFrame *frame, texel_video_picture *picture) {
    const AVPixFmtDescriptor *form = av.av_pix_fmt_desc_get(frame->format);
    picture->width = frame->width;
    picture->height = frame->height;
    picture->depth = form->comp[0].depth;
    picture->has_alpha = form->flags & AV_PIX_FMT_FLAG_ALPHA;
    picture->is_interleaved = frame->format == AV_PIX_FMT_NV12;
    picture->samples = form->flags & AV_PIX_FMT_FLAG_RGB ? TEXEL_SAMPLES_BGRA
        : form->nb_components < 3                        ? TEXEL_SAMPLES_GRAY
        : form->log2_chroma_w == 0                       ? TEXEL_SAMPLES_444
        : form->log2_chroma_h == 0                       ? TEXEL_SAMPLES_422
                                                         : TEXEL_SAMPLES_420;
    for (int plane = 0; plane < av.av_pix_fmt_count_planes(frame->format) && plane < 4; plane++) {
        bool is_chroma = plane == 1 || plane == 2;
        picture->planes[plane] = (texel_plane){
            .samples = frame->data[plane],
            .bytes_per_row = (size_t)frame->linesize[plane],
            .width = av.av_image_get_linesize(frame->format, frame->width, plane),
            .height = AV_CEIL_RSHIFT(frame->height, is_chroma ? form->log2_chroma_h : 0),
        };
    }
}

int texel_conversion_run(texel_conversion *conversion, AVFrame *from, AVFrame *to, bool keeps_light,
                         texel_video_picture *picture) {
    const AVPixFmtDescriptor *form = av.av_pix_fmt_desc_get(from->format);
    enum AVPixelFormat format = nearest(without_range(from->format), keeps_light);
    if (!form || format == AV_PIX_FMT_NONE) return AVERROR(ENOSYS);
    bool is_grey_or_old = form->nb_components < 3 || without_range(from->format) != from->format;
    bool has_alpha = form->flags & (AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL);
    bool is_rgb = form->flags & AV_PIX_FMT_FLAG_RGB;
    if (without_range(from->format) == format && has_usual_rows(from)) {
        from->format = format;
        av.av_frame_move_ref(to, from);
    } else {
        int code = convert(conversion, from, to, format);
        if (code < 0) return code;
    }
    describe(to, picture);
    picture->is_full_range_by_format = is_grey_or_old;
    if (picture->samples == TEXEL_SAMPLES_BGRA)
        picture->has_alpha = has_alpha;
    else if (is_rgb)
        picture->colors = (texel_video_colors){
            .matrix = AVCOL_SPC_BT709, .transfer = picture->colors.transfer, .primaries = picture->colors.primaries,
            .range = 1};
    return 0;
}

#endif
