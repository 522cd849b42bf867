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

#endif
