#ifdef TEXEL_LIBAV

#include "libav_conversion.h"

#include <string.h>

// Between rows of converted frames and before their samples.
enum { ALIGNMENT = 64 };

/// Returns the first matrix whose name begins like this: "bt2020" is "bt2020nc".
static enum AVColorSpace matrix_named(const char *name, bool *is_known) {
    if (!name) return AVCOL_SPC_UNSPECIFIED;
    for (int i = 0; i < AVCOL_SPC_NB; i++) {
        const char *other = av.av_color_space_name(i);
        if (other && !strncmp(name, other, strlen(name))) return i;
    }
    *is_known = false;
    return AVCOL_SPC_UNSPECIFIED;
}

bool texel_conversion_set(texel_conversion *conversion, const texel_video_conversion *from) {
    bool is_known = true;
    conversion->format = av.av_get_pix_fmt(from->pixel_format);
    conversion->input_matrix = matrix_named(from->input_matrix, &is_known);
    conversion->output_matrix = matrix_named(from->output_matrix, &is_known);
    conversion->input_range = from->input_range;
    conversion->output_range = from->output_range;
    return is_known && conversion->format != AV_PIX_FMT_NONE;
}

void texel_conversion_clear(texel_conversion *conversion) {
    if (conversion->scaler) av.sws_freeContext(conversion->scaler);
    conversion->scaler = NULL;
    if (conversion->buffers) av.av_buffer_pool_uninit(&conversion->buffers);
}

/// Whether all planes have rows in their order, each as long as its samples.
static bool has_usual_rows(const AVFrame *frame) {
    for (int plane = 0; plane < av.av_pix_fmt_count_planes(frame->format); plane++) {
        int bytes = av.av_image_get_linesize(frame->format, frame->width, plane);
        if (bytes <= 0 || frame->linesize[plane] < bytes || !frame->data[plane]) return false;
    }
    return true;
}

static bool is_for(const texel_conversion *conversion, const AVFrame *frame) {
    return conversion->scaler && conversion->scaler_format == frame->format && conversion->width == frame->width &&
        conversion->height == frame->height && conversion->matrix == frame->colorspace &&
        conversion->range == frame->color_range;
}

/// Returns a matrix for swscale; a matrix that it does not know is taken as BT.601, as by FFmpeg's filter "scale".
static const int *coefficients(enum AVColorSpace matrix) {
    bool is_known = matrix >= AVCOL_SPC_BT709 && matrix <= AVCOL_SPC_BT2020_CL && matrix != AVCOL_SPC_YCGCO;
    return av.sws_getCoefficients(is_known ? (int)matrix : (int)AVCOL_SPC_BT470BG);
}

/// Sets matrices and ranges as FFmpeg's filter "scale" does.
static void set_colors(const texel_conversion *conversion, const AVFrame *frame) {
    int *old_input, *old_output, input_range, output_range, brightness, contrast, saturation;
    // Fails if both formats are RGB.
    if (av.sws_getColorspaceDetails(conversion->scaler, &old_input, &input_range, &old_output, &output_range,
                                    &brightness, &contrast, &saturation) < 0)
        return;
    enum AVColorSpace matrix =
        conversion->input_matrix != AVCOL_SPC_UNSPECIFIED ? conversion->input_matrix : frame->colorspace;
    const int *input = coefficients(matrix);
    const int *output =
        conversion->output_matrix != AVCOL_SPC_UNSPECIFIED ? coefficients(conversion->output_matrix) : input;
    if (conversion->input_range >= 0)
        input_range = conversion->input_range;
    else if (frame->color_range != AVCOL_RANGE_UNSPECIFIED)
        input_range = frame->color_range == AVCOL_RANGE_JPEG;
    if (conversion->output_range >= 0) output_range = conversion->output_range;
    av.sws_setColorspaceDetails(conversion->scaler, input, input_range, output, output_range, brightness, contrast,
                                saturation);
}

static int prepare(texel_conversion *conversion, const AVFrame *frame) {
    texel_conversion_clear(conversion);
    int bytes = av.av_image_get_buffer_size(conversion->format, frame->width, frame->height, ALIGNMENT);
    if (bytes < 0) return bytes;
    conversion->buffers = av.av_buffer_pool_init((size_t)bytes + ALIGNMENT, NULL);
    struct SwsContext *scaler = conversion->scaler = av.sws_alloc_context();
    if (!scaler || !conversion->buffers) return AVERROR(ENOMEM);
    av.av_opt_set_int(scaler, "srcw", frame->width, 0);
    av.av_opt_set_int(scaler, "srch", frame->height, 0);
    av.av_opt_set_int(scaler, "src_format", frame->format, 0);
    av.av_opt_set_int(scaler, "dstw", frame->width, 0);
    av.av_opt_set_int(scaler, "dsth", frame->height, 0);
    av.av_opt_set_int(scaler, "dst_format", conversion->format, 0);
    av.av_opt_set_int(scaler, "sws_flags",
                      SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP, 0);
    // Chroma as in MPEG-2: beside every second row of luma, between two of them.
    if (frame->format == AV_PIX_FMT_YUV420P) av.av_opt_set_int(scaler, "src_v_chr_pos", 128, 0);
    if (conversion->format == AV_PIX_FMT_YUV420P) av.av_opt_set_int(scaler, "dst_v_chr_pos", 128, 0);
    conversion->scaler_format = frame->format;
    conversion->width = frame->width;
    conversion->height = frame->height;
    conversion->matrix = frame->colorspace;
    conversion->range = frame->color_range;
    int code = av.sws_init_context(scaler, NULL, NULL);
    if (code < 0) return code;
    set_colors(conversion, frame);
    return 0;
}

int texel_conversion_run(texel_conversion *conversion, AVFrame *from, AVFrame *to) {
    bool keeps_colors = conversion->output_matrix == AVCOL_SPC_UNSPECIFIED && conversion->output_range < 0;
    if (from->format == conversion->format && keeps_colors && has_usual_rows(from)) {
        av.av_frame_move_ref(to, from);
        return 0;
    }
    if (!is_for(conversion, from)) {
        int code = prepare(conversion, from);
        if (code < 0) {
            texel_conversion_clear(conversion);
            return code;
        }
    }
    to->buf[0] = av.av_buffer_pool_get(conversion->buffers);
    if (!to->buf[0]) return AVERROR(ENOMEM);
    to->format = conversion->format;
    to->width = from->width;
    to->height = from->height;
    int code = av.av_image_fill_arrays(to->data, to->linesize, to->buf[0]->data, conversion->format, to->width,
                                       to->height, ALIGNMENT);
    if (code < 0) return code;
    code = av.sws_scale(conversion->scaler, (const uint8_t *const *)from->data, from->linesize, 0, from->height,
                        to->data, to->linesize);
    return code < 0 ? code : 0;
}

#endif
