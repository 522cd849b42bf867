// What Swift cannot see of libavformat, libavcodec and libavutil, and where their versions differ.
#ifndef SILO_CFFMPEG_SHIM_H
#define SILO_CFFMPEG_SHIM_H

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/error.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>

// AVERROR and its constants are macros with casts, which Swift does not import.
static inline int silo_averror(int errno_value) { return AVERROR(errno_value); }
static const int silo_averror_eof = AVERROR_EOF;
static const int silo_averror_exit = AVERROR_EXIT;
static const int silo_averror_invaliddata = AVERROR_INVALIDDATA;
static const int silo_averror_demuxer_not_found = AVERROR_DEMUXER_NOT_FOUND;
static const int silo_averror_stream_not_found = AVERROR_STREAM_NOT_FOUND;
static const int silo_averror_patchwelcome = AVERROR_PATCHWELCOME;
static const int silo_averror_bsf_not_found = AVERROR_BSF_NOT_FOUND;

// A compound literal and a shifted constant, which Swift does not import.
static const int64_t silo_nopts = AV_NOPTS_VALUE;
static inline AVRational silo_rational(int num, int den) { AVRational r = { num, den }; return r; }

// AV_DISPOSITION_*, AV_NOPTS and the parent of a log context are macros or pointer arithmetic. The root is the
// object that a caller knows (its AVFormatContext), so that lines can be kept for each input and output.
static inline const void *silo_log_root(const void *object)
{
    const void *root = object;
    while (root) {
        const AVClass *type = *(const AVClass *const *)root;
        if (!type || !type->parent_log_context_offset) break;
        const void *parent = *(const void *const *)((const char *)root + type->parent_log_context_offset);
        if (!parent) break;
        root = parent;
    }
    return root;
}

// Channel counts and layouts moved from three fields into one struct in 5.1.
static inline int silo_channel_count(const AVCodecParameters *p) { return p->ch_layout.nb_channels; }
static inline int silo_describe_layout(const AVCodecParameters *p, char *text, size_t size)
{
    if (p->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) return -1;
    return av_channel_layout_describe(&p->ch_layout, text, size);
}

// Side data of a stream moved from the stream to its parameters in 6.1.
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
static inline const uint8_t *silo_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size)
{
    const AVPacketSideData *found = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, type);
    *size = found ? found->size : 0;
    return found ? found->data : NULL;
}
#else
static inline const uint8_t *silo_stream_side_data(
    const AVStream *stream, enum AVPacketSideDataType type, size_t *size)
{
    *size = 0;
    return av_stream_get_side_data(stream, type, size);
}
#endif

// The stream array is a pointer to pointers and its count is unsigned; out of range is NULL, not a wild read.
static inline AVStream *silo_stream(const AVFormatContext *context, int index)
{
    return index >= 0 && (unsigned)index < context->nb_streams ? context->streams[index] : NULL;
}

// AV_CODEC_ID_* that Swift sees only as raw values: the name of a codec, or NULL for none.
static inline const char *silo_codec_name(enum AVCodecID id)
{
    const AVCodecDescriptor *found = avcodec_descriptor_get(id);
    return found ? found->name : NULL;
}

#endif
