#pragma once

#include <lcms2.h>

// built of macros that take arguments
static const cmsUInt32Number vcap_gray_8 = TYPE_GRAY_8;
static const cmsUInt32Number vcap_rgb_8 = TYPE_RGB_8;
static const cmsUInt32Number vcap_rgba_8 = TYPE_RGBA_8;
static const cmsUInt32Number vcap_rgb_16 = TYPE_RGB_16;
static const cmsUInt32Number vcap_rgba_16 = TYPE_RGBA_16;
static const cmsUInt32Number vcap_cmyk_8 = TYPE_CMYK_8;
static const cmsUInt32Number vcap_cmyk_inverted_8 = TYPE_CMYK_8_REV;
