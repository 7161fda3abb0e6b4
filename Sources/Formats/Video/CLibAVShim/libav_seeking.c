#ifdef TEXEL_VIDEO

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "libav_video.h"

/// Forgets what was read, before the input is read from another place.
static void restart(texel_video *video) {
    av.av_packet_unref(video->packet);
    av.av_frame_unref(video->decoded);
    av.avcodec_flush_buffers(video->decoder);
    video->has_packet = video->is_draining = false;
    video->error_count = video->read_error = 0;
    video->jump = 0;
    video->expected = video->last_tick = video->last_packet = AV_NOPTS_VALUE;
}

/// Moves the input to the last key frame that is not after a tick, or to the start.
static int jump_to(texel_video *video, int64_t tick) {
    int64_t places[] = {tick + video->start, video->start, 0};
    int code = -1;
    for (size_t i = 0; code < 0 && i < sizeof places / sizeof places[0]; i++)
        code = av.av_seek_frame(video->input, video->stream->index, places[i], AVSEEK_FLAG_BACKWARD);
    if (code < 0) return code;
    restart(video);
    video->sought = tick;
    return 0;
}

bool texel_jump_further_back(texel_video *video) {
    if (video->target == AV_NOPTS_VALUE || video->sought == AV_NOPTS_VALUE || video->sought <= 0) return false;
    int64_t second = av.av_rescale_q(1, (AVRational){1, 1}, video->stream->time_base);
    int64_t distance = video->target - video->sought;
    int64_t earlier = video->target - 2 * (distance > second ? distance : second);
    return jump_to(video, earlier > 0 ? earlier : 0) >= 0;
}

/// Whether a tick ahead is reached sooner from the key frame before it than by decoding on: if that key frame is ahead
/// too. Where an index does not reach, if the tick is further away than key frames usually are from each other; before
/// the first frame nothing is lost by a jump.
static bool is_worth_a_jump(const texel_video *video, int64_t here, int64_t tick) {
    // Streams without times would begin anew.
    if (video->input->iformat->flags & (AVFMT_NOTIMESTAMPS | AVFMT_GENERIC_INDEX)) return false;
    int index = av.av_index_search_timestamp(video->stream, tick + video->start, AVSEEK_FLAG_BACKWARD);
    bool is_known = index >= 0 && index < av.avformat_index_get_entries_count(video->stream) - 1;
    if (is_known) return av.avformat_index_get_entry(video->stream, index)->timestamp > here + video->start;
    int seconds = video->last_tick == AV_NOPTS_VALUE ? 1 : 10;
    return tick - here > av.av_rescale_q(seconds, (AVRational){1, 1}, video->stream->time_base);
}

texel_video_status texel_video_seek(texel_video *video, int64_t tick, texel_video_failure *failure) {
    int64_t here = video->last_tick == AV_NOPTS_VALUE ? 0 : video->last_tick;
    bool is_ahead = video->last_tick == AV_NOPTS_VALUE || tick > here;
    if (!is_ahead || is_worth_a_jump(video, here, tick)) {
        int code = video->input->pb && !video->input->pb->seekable ? AVERROR(ENOSYS) : jump_to(video, tick);
        if (code == AVERROR_EXIT) return TEXEL_VIDEO_INTERRUPTED;
        if (code < 0 && !is_ahead) {
            snprintf(failure->message, sizeof failure->message, "moving back in this video");
            return TEXEL_VIDEO_UNSUPPORTED;
        }
    }
    video->target = tick;
    return TEXEL_VIDEO_OK;
}

static int compare_ticks(const void *a, const void *b) {
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

/// Whether each packet of the stream gives one frame, at the packet's time.
static bool has_packet_per_frame(const texel_video *video) {
    enum AVCodecID codec = video->stream->codecpar->codec_id;
    return !(video->input->iformat->flags & (AVFMT_TS_DISCONT | AVFMT_NOTIMESTAMPS | AVFMT_GENERIC_INDEX)) &&
        codec != AV_CODEC_ID_VP8 && (!video->input->pb || video->input->pb->seekable);
}

texel_video_status texel_video_find(texel_video *video, int64_t number, int64_t *tick, texel_video_failure *failure) {
    // Packets come in the order of decoding: a frame may follow at most this many that are shown later.
    enum { REORDER_LIMIT = 64 };
    snprintf(failure->message, sizeof failure->message, "finding frames of this video by number");
    if (!has_packet_per_frame(video)) return TEXEL_VIDEO_UNSUPPORTED;
    int64_t count = 0, room = 0, *ticks = NULL;
    int code = 0;
    bool is_known = true;
    while (is_known && count <= number + REORDER_LIMIT && (code = texel_read_packet(video)) == 0) {
        bool is_shown = !(video->packet->flags & AV_PKT_FLAG_DISCARD);
        is_known = texel_is_usable(video->packet->pts);
        if (is_shown && is_known) {
            if (count == room) {
                room = room ? 2 * room : 1024;
                int64_t *larger = realloc(ticks, (size_t)room * sizeof *ticks);
                if (!larger) {
                    free(ticks);
                    return TEXEL_VIDEO_OUT_OF_MEMORY;
                }
                ticks = larger;
            }
            ticks[count++] = video->packet->pts - video->start;
        }
        av.av_packet_unref(video->packet);
    }
    texel_video_status status = TEXEL_VIDEO_OK;
    if (code == AVERROR_EXIT)
        status = TEXEL_VIDEO_INTERRUPTED;
    else if (!is_known || (code < 0 && code != AVERROR_EOF))
        status = TEXEL_VIDEO_UNSUPPORTED;
    else if (number >= count)
        status = TEXEL_VIDEO_END;
    if (status == TEXEL_VIDEO_OK) {
        qsort(ticks, (size_t)count, sizeof *ticks, compare_ticks);
        *tick = ticks[number];
        // Frames of equal times could not be told apart.
        if (number > 0 && ticks[number - 1] == *tick) status = TEXEL_VIDEO_UNSUPPORTED;
    }
    free(ticks);
    if (status != TEXEL_VIDEO_INTERRUPTED && jump_to(video, 0) < 0) return TEXEL_VIDEO_UNSUPPORTED;
    return status;
}

#endif
