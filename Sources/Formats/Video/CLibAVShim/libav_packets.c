#ifdef TEXEL_VIDEO

#include <errno.h>
#include <string.h>
#include <time.h>

#include "libav_video.h"

/// Larger ticks are taken as damaged.
static const int64_t TICK_LIMIT = INT64_C(1) << 61;

bool texel_is_usable(int64_t tick) { return tick > -TICK_LIMIT && tick < TICK_LIMIT; }

int64_t texel_ticks_per_frame(const texel_video *video) {
    AVRational rate = video->stream->avg_frame_rate;
    if (rate.num <= 0 || rate.den <= 0) return 1;
    int64_t ticks = av.av_rescale_q(1, (AVRational){rate.den, rate.num}, video->stream->time_base);
    return ticks > 0 ? ticks : 1;
}

/// Closes gaps of more than ten seconds, and jumps back, in the times of formats that allow them.
static void remove_jump(texel_video *video, AVPacket *packet) {
    if (!(video->input->iformat->flags & AVFMT_TS_DISCONT) || !texel_is_usable(packet->dts)) return;
    int64_t limit = av.av_rescale_q(10, (AVRational){1, 1}, video->stream->time_base);
    int64_t dts = packet->dts + video->jump;
    if (video->expected != AV_NOPTS_VALUE && (dts - video->expected > limit || video->expected - dts > limit)) {
        video->jump = video->expected - packet->dts;
        dts = video->expected;
    }
    if (texel_is_usable(packet->pts)) packet->pts += video->jump;
    packet->dts = dts;
    int64_t duration =
        packet->duration > 0 && texel_is_usable(packet->duration) ? packet->duration : texel_ticks_per_frame(video);
    video->expected = texel_is_usable(dts + duration) ? dts + duration : AV_NOPTS_VALUE;
}

int texel_read_packet(texel_video *video) {
    for (;;) {
        int code = av.av_read_frame(video->input, video->packet);
        if (code == AVERROR(EAGAIN)) {
            if (texel_video_asks(video)) return AVERROR_EXIT;
            nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
        } else if (code < 0) {
            return code;
        } else if (video->packet->stream_index == video->stream->index) {
            remove_jump(video, video->packet);
            if (texel_is_usable(video->packet->dts)) video->last_packet = video->packet->dts;
            return 0;
        } else {
            av.av_packet_unref(video->packet);
        }
    }
}

// MARK: Faults

static bool is_discontinuous(const texel_video *video) { return video->input->iformat->flags & AVFMT_TS_DISCONT; }

void texel_count_lost(texel_video *video, int code) {
    video->decoding_error = code;
    if (video->has_frame || !is_discontinuous(video)) video->faults.lost_packets++;
}

void texel_note_end(texel_video *video, int code) {
    bool is_early = code != AVERROR_EOF;
    bool is_before_end = video->announced_end != AV_NOPTS_VALUE && video->last_packet != AV_NOPTS_VALUE &&
        video->last_packet + video->jump < video->announced_end && !is_discontinuous(video);
    int messages = texel_copy_messages(&video->messages).demuxer_count;
    if (is_early || is_before_end || messages > video->demuxer_messages) video->faults.ends_early = true;
    video->demuxer_messages = messages;
}

void texel_note_packet(texel_video *video) {
    int messages = texel_copy_messages(&video->messages).demuxer_count;
    bool is_damaged = video->packet->flags & AV_PKT_FLAG_CORRUPT;
    if ((messages > video->demuxer_messages || is_damaged) && (video->has_frame || !is_discontinuous(video)))
        video->faults.lost_packets++;
    video->demuxer_messages = messages;
}

texel_video_faults texel_video_take_faults(texel_video *video) {
    texel_video_faults faults = video->faults;
    texel_video_messages messages = texel_copy_messages(&video->messages);
    memcpy(faults.message, messages.latest, sizeof faults.message);
    video->faults = (texel_video_faults){0};
    return faults;
}

#endif
