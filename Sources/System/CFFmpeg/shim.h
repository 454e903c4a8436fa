// The FFmpeg family as Swift needs it: macros and constants it cannot import, nothing else.
#pragma once

#include <libavcodec/avcodec.h>
#include <libavcodec/vorbis_parser.h>
#include <libavfilter/avfilter.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/crc.h>
#include <libavutil/display.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/error.h>
#include <libavutil/imgutils.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/log.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/tx.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

static const int vcap_averror_eof = AVERROR_EOF;
static const int vcap_averror_exit = AVERROR_EXIT;
static const int vcap_averror_eagain = AVERROR(EAGAIN);
static const int vcap_averror_einval = AVERROR(EINVAL);
static const int vcap_averror_eio = AVERROR(EIO);
static const int vcap_averror_enomem = AVERROR(ENOMEM);
static const int vcap_averror_eacces = AVERROR(EACCES);
static const int64_t vcap_no_pts = AV_NOPTS_VALUE;
static const int64_t vcap_time_base = AV_TIME_BASE;
