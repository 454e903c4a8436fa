// V4L2 as Swift needs it: request numbers and macros it cannot import, the variadic ioctl, and
// access to packed structs and their unions, nothing else.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <libv4lconvert.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

static inline int vcap_ioctl(int descriptor, unsigned long request, void *argument) {
    return ioctl(descriptor, request, argument);
}

static const unsigned long vcap_VIDIOC_QUERYCAP = VIDIOC_QUERYCAP;
static const unsigned long vcap_VIDIOC_ENUM_FMT = VIDIOC_ENUM_FMT;
static const unsigned long vcap_VIDIOC_G_FMT = VIDIOC_G_FMT;
static const unsigned long vcap_VIDIOC_S_FMT = VIDIOC_S_FMT;
static const unsigned long vcap_VIDIOC_TRY_FMT = VIDIOC_TRY_FMT;
static const unsigned long vcap_VIDIOC_REQBUFS = VIDIOC_REQBUFS;
static const unsigned long vcap_VIDIOC_QUERYBUF = VIDIOC_QUERYBUF;
static const unsigned long vcap_VIDIOC_QBUF = VIDIOC_QBUF;
static const unsigned long vcap_VIDIOC_DQBUF = VIDIOC_DQBUF;
static const unsigned long vcap_VIDIOC_STREAMON = VIDIOC_STREAMON;
static const unsigned long vcap_VIDIOC_STREAMOFF = VIDIOC_STREAMOFF;
static const unsigned long vcap_VIDIOC_G_PARM = VIDIOC_G_PARM;
static const unsigned long vcap_VIDIOC_S_PARM = VIDIOC_S_PARM;
static const unsigned long vcap_VIDIOC_G_INPUT = VIDIOC_G_INPUT;
static const unsigned long vcap_VIDIOC_ENUMINPUT = VIDIOC_ENUMINPUT;
static const unsigned long vcap_VIDIOC_QUERY_DV_TIMINGS = VIDIOC_QUERY_DV_TIMINGS;
static const unsigned long vcap_VIDIOC_G_DV_TIMINGS = VIDIOC_G_DV_TIMINGS;
static const unsigned long vcap_VIDIOC_S_DV_TIMINGS = VIDIOC_S_DV_TIMINGS;
static const unsigned long vcap_VIDIOC_G_PRIORITY = VIDIOC_G_PRIORITY;
static const unsigned long vcap_VIDIOC_S_PRIORITY = VIDIOC_S_PRIORITY;
static const unsigned long vcap_VIDIOC_QUERY_EXT_CTRL = VIDIOC_QUERY_EXT_CTRL;
static const unsigned long vcap_VIDIOC_QUERYMENU = VIDIOC_QUERYMENU;
static const unsigned long vcap_VIDIOC_G_EXT_CTRLS = VIDIOC_G_EXT_CTRLS;
static const unsigned long vcap_VIDIOC_S_EXT_CTRLS = VIDIOC_S_EXT_CTRLS;
static const unsigned long vcap_VIDIOC_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
static const unsigned long vcap_VIDIOC_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
static const unsigned long vcap_VIDIOC_SUBSCRIBE_EVENT = VIDIOC_SUBSCRIBE_EVENT;
static const unsigned long vcap_VIDIOC_DQEVENT = VIDIOC_DQEVENT;

static const unsigned int vcap_V4L2_EVENT_ALL = V4L2_EVENT_ALL;
static const unsigned int vcap_V4L2_CID_EXPOSURE_AUTO_PRIORITY = V4L2_CID_EXPOSURE_AUTO_PRIORITY;
static const unsigned int vcap_V4L2_CID_EXPOSURE_AUTO = V4L2_CID_EXPOSURE_AUTO;
static const unsigned int vcap_V4L2_CID_EXPOSURE_ABSOLUTE = V4L2_CID_EXPOSURE_ABSOLUTE;
static const unsigned int vcap_V4L2_CID_AUTO_EXPOSURE_BIAS = V4L2_CID_AUTO_EXPOSURE_BIAS;
static const unsigned int vcap_V4L2_CID_AUTOGAIN = V4L2_CID_AUTOGAIN;
static const unsigned int vcap_V4L2_CID_GAIN = V4L2_CID_GAIN;
static const unsigned int vcap_V4L2_CID_AUTO_WHITE_BALANCE = V4L2_CID_AUTO_WHITE_BALANCE;
static const unsigned int vcap_V4L2_CID_DO_WHITE_BALANCE = V4L2_CID_DO_WHITE_BALANCE;
static const unsigned int vcap_V4L2_CID_WHITE_BALANCE_TEMPERATURE = V4L2_CID_WHITE_BALANCE_TEMPERATURE;
static const unsigned int vcap_V4L2_CID_POWER_LINE_FREQUENCY = V4L2_CID_POWER_LINE_FREQUENCY;
static const unsigned int vcap_V4L2_CID_HUE_AUTO = V4L2_CID_HUE_AUTO;
static const unsigned int vcap_V4L2_CID_AUTOBRIGHTNESS = V4L2_CID_AUTOBRIGHTNESS;
static const unsigned int vcap_V4L2_CID_PAN_ABSOLUTE = V4L2_CID_PAN_ABSOLUTE;
static const unsigned int vcap_V4L2_CID_TILT_ABSOLUTE = V4L2_CID_TILT_ABSOLUTE;
static const unsigned int vcap_V4L2_CID_PAN_SPEED = V4L2_CID_PAN_SPEED;
static const unsigned int vcap_V4L2_CID_TILT_SPEED = V4L2_CID_TILT_SPEED;
static const unsigned int vcap_V4L2_CID_FOCUS_ABSOLUTE = V4L2_CID_FOCUS_ABSOLUTE;
static const unsigned int vcap_V4L2_CID_FOCUS_AUTO = V4L2_CID_FOCUS_AUTO;
static const unsigned int vcap_V4L2_CID_ZOOM_ABSOLUTE = V4L2_CID_ZOOM_ABSOLUTE;
static const unsigned int vcap_V4L2_CID_FLASH_LED_MODE = V4L2_CID_FLASH_LED_MODE;
static const unsigned int vcap_V4L2_CID_CAMERA_SENSOR_ROTATION = V4L2_CID_CAMERA_SENSOR_ROTATION;
// the region of interest of UVC cameras, by number: older headers have none of it
#ifndef V4L2_CTRL_WHICH_MIN_VAL
#define V4L2_CTRL_WHICH_MIN_VAL 0x0f020000
#define V4L2_CTRL_WHICH_MAX_VAL 0x0f030000
#endif
#ifndef V4L2_CID_USER_UVC_BASE
#define V4L2_CID_USER_UVC_BASE (V4L2_CID_USER_BASE + 0x11e0)
#endif
#ifndef V4L2_CID_UVC_REGION_OF_INTEREST_RECT
#define V4L2_CID_UVC_REGION_OF_INTEREST_RECT (V4L2_CID_USER_UVC_BASE + 1)
#define V4L2_CID_UVC_REGION_OF_INTEREST_AUTO (V4L2_CID_USER_UVC_BASE + 2)
#endif
static const unsigned int vcap_V4L2_CTRL_WHICH_MIN_VAL = V4L2_CTRL_WHICH_MIN_VAL;
static const unsigned int vcap_V4L2_CTRL_WHICH_MAX_VAL = V4L2_CTRL_WHICH_MAX_VAL;
static const unsigned int vcap_V4L2_CID_UVC_REGION_OF_INTEREST_RECT = V4L2_CID_UVC_REGION_OF_INTEREST_RECT;
static const unsigned int vcap_V4L2_CID_UVC_REGION_OF_INTEREST_AUTO = V4L2_CID_UVC_REGION_OF_INTEREST_AUTO;
// members of an enumeration
static const unsigned int vcap_V4L2_CTRL_COMPOUND_TYPES = 0x0100;
static const unsigned int vcap_V4L2_CTRL_TYPE_RECT = 0x0107;
static const unsigned int vcap_V4L2_CTRL_FLAG_NEXT_CTRL = V4L2_CTRL_FLAG_NEXT_CTRL;

// v4l2_ext_control is packed: Swift cannot reach its union
static inline struct v4l2_ext_control vcap_ext_control(unsigned int id, long long value, int is_wide) {
    struct v4l2_ext_control control;
    memset(&control, 0, sizeof control);
    control.id = id;
    if (is_wide) control.value64 = value; else control.value = (int)value;
    return control;
}

static inline struct v4l2_ext_control vcap_ext_rect(unsigned int id, struct v4l2_rect *rect) {
    struct v4l2_ext_control control;
    memset(&control, 0, sizeof control);
    control.id = id;
    control.size = sizeof *rect;
    control.ptr = rect;
    return control;
}

static inline struct v4l2_ext_controls vcap_ext_controls(unsigned int which, struct v4l2_ext_control *control) {
    struct v4l2_ext_controls list;
    memset(&list, 0, sizeof list);
    list.which = which;
    list.count = 1;
    list.controls = control;
    return list;
}

static inline long long vcap_ext_control_value(const struct v4l2_ext_control *control, int is_wide) {
    return is_wide ? control->value64 : control->value;
}

// v4l2_querymenu is packed
static inline struct v4l2_querymenu vcap_querymenu(unsigned int id, unsigned int index) {
    struct v4l2_querymenu menu;
    memset(&menu, 0, sizeof menu);
    menu.id = id;
    menu.index = index;
    return menu;
}

static inline const char *vcap_querymenu_name(const struct v4l2_querymenu *menu) {
    return (const char *)menu->name;
}

static inline long long vcap_querymenu_value(const struct v4l2_querymenu *menu) {
    return menu->value;
}

// v4l2_pix_format_mplane is packed
static inline void vcap_set_mplane(struct v4l2_format *format, unsigned int width,
                                   unsigned int height, unsigned int pixelformat) {
    format->fmt.pix_mp.width = width;
    format->fmt.pix_mp.height = height;
    format->fmt.pix_mp.pixelformat = pixelformat;
    format->fmt.pix_mp.field = V4L2_FIELD_NONE;
}

static inline unsigned int vcap_mplane_width(const struct v4l2_format *format) { return format->fmt.pix_mp.width; }
static inline unsigned int vcap_mplane_height(const struct v4l2_format *format) { return format->fmt.pix_mp.height; }
static inline unsigned int vcap_mplane_pixelformat(const struct v4l2_format *format) { return format->fmt.pix_mp.pixelformat; }
static inline unsigned int vcap_mplane_colorspace(const struct v4l2_format *format) { return format->fmt.pix_mp.colorspace; }
static inline unsigned int vcap_mplane_ycbcr(const struct v4l2_format *format) { return format->fmt.pix_mp.ycbcr_enc; }
static inline unsigned int vcap_mplane_quantization(const struct v4l2_format *format) { return format->fmt.pix_mp.quantization; }
static inline unsigned int vcap_mplane_transfer(const struct v4l2_format *format) { return format->fmt.pix_mp.xfer_func; }
static inline unsigned int vcap_mplane_count(const struct v4l2_format *format) { return format->fmt.pix_mp.num_planes; }
static inline unsigned int vcap_mplane_stride(const struct v4l2_format *format, int plane) { return format->fmt.pix_mp.plane_fmt[plane].bytesperline; }

// the anonymous unions of v4l2_pix_format and v4l2_event
static inline unsigned int vcap_pix_ycbcr(const struct v4l2_format *format) { return format->fmt.pix.ycbcr_enc; }
static inline unsigned int vcap_event_source_change(const struct v4l2_event *event) { return event->u.src_change.changes; }
static inline unsigned int vcap_event_control_changes(const struct v4l2_event *event) { return event->u.ctrl.changes; }
static inline unsigned int vcap_event_control_flags(const struct v4l2_event *event) { return event->u.ctrl.flags; }
static inline unsigned int vcap_event_control_type(const struct v4l2_event *event) { return event->u.ctrl.type; }
static inline long long vcap_event_control_value(const struct v4l2_event *event, int is_wide) {
    return is_wide ? event->u.ctrl.value64 : event->u.ctrl.value;
}

// v4l2_dv_timings and v4l2_bt_timings are packed. The same when size, scan, pixel clock and blanking are: the flags say
// more of the standard than of the signal.
static inline int vcap_same_timings(const struct v4l2_dv_timings *a, const struct v4l2_dv_timings *b) {
    return a->type == b->type && a->bt.width == b->bt.width && a->bt.height == b->bt.height
        && a->bt.interlaced == b->bt.interlaced && a->bt.pixelclock == b->bt.pixelclock
        && a->bt.hfrontporch + a->bt.hsync + a->bt.hbackporch == b->bt.hfrontporch + b->bt.hsync + b->bt.hbackporch
        && a->bt.vfrontporch + a->bt.vsync + a->bt.vbackporch == b->bt.vfrontporch + b->bt.vsync + b->bt.vbackporch;
}
