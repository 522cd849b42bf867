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

// Copies what a container says of a stream beside its parameters: Dolby Vision, mastering display, rotation.
static inline int silo_copy_stream_side_data(AVStream *to, const AVStream *from)
{
#if LIBAVFORMAT_VERSION_INT < AV_VERSION_INT(60, 15, 100)
    for (int i = 0; i < from->nb_side_data; i++) {
        const AVPacketSideData *side = &from->side_data[i];
        uint8_t *copy = av_stream_new_side_data(to, side->type, side->size);
        if (!copy) return AVERROR(ENOMEM);
        memcpy(copy, side->data, side->size);
    }
#endif
    return 0;
}

// FFERRTAG and MKTAG are macros with casts.
static const uint32_t silo_tag_hvc1 = MKTAG('h', 'v', 'c', '1');
static const uint32_t silo_tag_dvh1 = MKTAG('d', 'v', 'h', '1');

// The type of the buffer that a write callback is given lost its mutability in 7.0.
typedef int (*silo_write_function)(void *opaque, uint8_t *buffer, int count);
static inline AVIOContext *silo_alloc_writer(
    unsigned char *buffer, int size, void *opaque, silo_write_function write,
    int64_t (*seek)(void *opaque, int64_t offset, int whence))
{
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    return avio_alloc_context(buffer, size, 1, opaque, NULL,
        (int (*)(void *, const uint8_t *, int))write, seek);
#else
    return avio_alloc_context(buffer, size, 1, opaque, NULL, write, seek);
#endif
}

// The array of chapters belongs to the context, which frees each with av_free.
static inline int silo_add_chapter(
    AVFormatContext *context, int64_t start, int64_t end, const char *title)
{
    AVChapter **list = av_realloc_array(
        context->chapters, context->nb_chapters + 1, sizeof(*context->chapters));
    if (!list) return AVERROR(ENOMEM);
    context->chapters = list;
    AVChapter *chapter = av_mallocz(sizeof(*chapter));
    if (!chapter) return AVERROR(ENOMEM);
    chapter->id = context->nb_chapters + 1;
    chapter->time_base = silo_rational(1, 1000000);
    chapter->start = start;
    chapter->end = end;
    list[context->nb_chapters++] = chapter;
    return title ? av_dict_set(&chapter->metadata, "title", title, 0) : 0;
}

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
