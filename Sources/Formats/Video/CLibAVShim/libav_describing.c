#ifdef TEXEL_VIDEO

#include <math.h>
#include <string.h>

#include "libav_video.h"

int texel_orientation_of(const int32_t *matrix) {
    if (!matrix) return 1;
    double x_to_x = matrix[0], x_to_y = matrix[1], y_to_x = matrix[3], y_to_y = matrix[4];
    // All zero, it says nothing.
    if (x_to_x == 0 && x_to_y == 0 && y_to_x == 0 && y_to_y == 0) return 1;
    double degree = 0.0175; // its tangent
    if (fabs(x_to_y) <= degree * fabs(x_to_x) && fabs(y_to_x) <= degree * fabs(y_to_y)) {
        if (x_to_x < 0) return y_to_y < 0 ? 3 : 2;
        return y_to_y < 0 ? 4 : 1;
    }
    if (fabs(x_to_x) <= degree * fabs(x_to_y) && fabs(y_to_y) <= degree * fabs(y_to_x)) {
        if (x_to_y > 0) return y_to_x > 0 ? 5 : 6;
        return y_to_x > 0 ? 8 : 7;
    }
    return 0;
}

/// Returns the display matrix of a stream: a 3 × 3 matrix by rows, to be multiplied by (x, y, 1) from the left; NULL if
/// there is none.
static const int32_t *display_matrix(const AVStream *stream) {
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
    const AVPacketSideData *data = stream->codecpar->coded_side_data;
    int count = stream->codecpar->nb_coded_side_data;
#else
    const AVPacketSideData *data = stream->side_data;
    int count = stream->nb_side_data;
#endif
    for (int i = 0; i < count; i++)
        if (data[i].type == AV_PKT_DATA_DISPLAYMATRIX && data[i].size >= 9 * sizeof(int32_t))
            return (const int32_t *)(const void *)data[i].data;
    return NULL;
}

static texel_video_fraction fraction(AVRational value) {
    return (texel_video_fraction){.numerator = value.num, .denominator = value.den};
}

texel_video_fraction texel_aspect_of(const texel_video *video, const AVFrame *frame) {
    // Containers may correct what the codec says.
    AVRational aspect = video->stream->sample_aspect_ratio;
    if (aspect.num > 0 && aspect.den > 0) return fraction(aspect);
    return fraction(frame ? frame->sample_aspect_ratio : video->stream->codecpar->sample_aspect_ratio);
}

/// Returns 0 for limited, 1 for full, -1 for unknown.
static int range_number(enum AVColorRange range) {
    return range == AVCOL_RANGE_MPEG ? 0 : range == AVCOL_RANGE_JPEG ? 1 : -1;
}

static int specified(int value, int fallback) { return value == 2 ? fallback : value; }

texel_video_colors texel_colors_of(const texel_video *video, const AVFrame *frame) {
    const AVCodecParameters *parameters = video->stream->codecpar;
    texel_video_colors colors = {
        .matrix = parameters->color_space,
        .transfer = parameters->color_trc,
        .primaries = parameters->color_primaries,
        .range = range_number(parameters->color_range),
    };
    if (!frame) return colors;
    int range = range_number(frame->color_range);
    return (texel_video_colors){
        .matrix = specified(frame->colorspace, colors.matrix),
        .transfer = specified(frame->color_trc, colors.transfer),
        .primaries = specified(frame->color_primaries, colors.primaries),
        .range = range >= 0 ? range : colors.range,
    };
}

static texel_video_fields fields_of(enum AVFieldOrder order) {
    switch (order) {
    case AV_FIELD_PROGRESSIVE: return TEXEL_FIELDS_PROGRESSIVE;
    // The second letter is the order of display.
    case AV_FIELD_TT:
    case AV_FIELD_BT: return TEXEL_FIELDS_TOP_FIRST;
    case AV_FIELD_BB:
    case AV_FIELD_TB: return TEXEL_FIELDS_BOTTOM_FIRST;
    default: return TEXEL_FIELDS_UNKNOWN;
    }
}

texel_video_description texel_video_describe(const texel_video *video) {
    const AVStream *stream = video->stream;
    const AVCodecParameters *parameters = stream->codecpar;
    const AVPixFmtDescriptor *format = av.av_pix_fmt_desc_get(parameters->format);
    uint64_t flags = format ? format->flags : 0;
    int64_t duration = stream->duration;
    if (!texel_is_usable(duration) && texel_is_usable(video->input->duration))
        duration = av.av_rescale_q(video->input->duration, (AVRational){1, AV_TIME_BASE}, stream->time_base);
    return (texel_video_description){
        .container = video->input->iformat->name,
        .codec = av.avcodec_get_name(parameters->codec_id),
        .profile = av.avcodec_profile_name(parameters->codec_id, parameters->profile),
        .pixel_format = av.av_get_pix_fmt_name(parameters->format),
        .width = parameters->width,
        .height = parameters->height,
        .depth = format ? format->comp[0].depth : 0,
        .is_rgb = flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL),
        .has_alpha = video->has_alpha || (flags & AV_PIX_FMT_FLAG_ALPHA),
        .loses_alpha = video->loses_alpha,
        .colors = texel_colors_of(video, NULL),
        .fields = fields_of(parameters->field_order),
        .average_rate = fraction(stream->avg_frame_rate),
        .base_rate = fraction(stream->r_frame_rate),
        .time_base = fraction(stream->time_base),
        .aspect = texel_aspect_of(video, NULL),
        .orientation = texel_orientation_of(display_matrix(stream)),
        .duration = texel_is_usable(duration) && duration > 0 ? duration : -1,
        .frame_count = stream->nb_frames,
        .has_cover_only = stream->disposition & AV_DISPOSITION_ATTACHED_PIC,
        .stream_count = (int)video->input->nb_streams,
        .index = stream->index,
    };
}

texel_video_stream texel_video_stream_at(const texel_video *video, int index) {
    const AVStream *stream = video->input->streams[index];
    const AVDictionaryEntry *language = av.av_dict_get(stream->metadata, "language", NULL, 0);
    return (texel_video_stream){
        .kind = av.av_get_media_type_string(stream->codecpar->codec_type),
        .codec = av.avcodec_get_name(stream->codecpar->codec_id),
        .language = language && strcmp(language->value, "und") ? language->value : NULL,
        .is_default = stream->disposition & AV_DISPOSITION_DEFAULT,
        .is_cover = stream->disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS),
    };
}

#endif
