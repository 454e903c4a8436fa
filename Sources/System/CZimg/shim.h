#pragma once

#include <zimg.h>

// arrays of unnamed structs are not imported into Swift
static inline void vcap_zimg_set_source(
    zimg_image_buffer_const *buffer, int index, const void *data, ptrdiff_t stride) {
    buffer->plane[index].data = data;
    buffer->plane[index].stride = stride;
    buffer->plane[index].mask = ZIMG_BUFFER_MAX;
}

static inline void vcap_zimg_set_target(
    zimg_image_buffer *buffer, int index, void *data, ptrdiff_t stride, unsigned mask) {
    buffer->plane[index].data = data;
    buffer->plane[index].stride = stride;
    buffer->plane[index].mask = mask;
}
