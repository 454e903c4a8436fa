// The C interface of libvcap-stereo.so, which is loaded when the depth of a stereo pair is computed:
// Sources/Detect/Shims/Stereo implements it with OpenCV, Sources/Detect/Stereo/StereoLibrary.swift finds its functions
// by name.
#ifndef VCAP_STEREO_H
#define VCAP_STEREO_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC visibility push(default)
#endif

// Raised with every change of what follows: a library of another number is refused.
#define VCAP_STEREO_INTERFACE 1

// Longest side of a frame (pixels).
#define VCAP_STEREO_LONGEST_SIDE 16384
// Parts of a pixel in a disparity.
#define VCAP_STEREO_PARTS 16

// What the library was built as (VCAP_STEREO_INTERFACE).
int vcap_stereo_interface(void);

// How far each point of the left frame lies to the left in the right one (16ths of a pixel; 0: not known), of two
// frames of one byte a pixel whose rows show the same; thread-safe. `disparities` is a multiple of 16 (pixels): points
// that are nearer, and those of so many columns at the left edge, are not known. `block` is odd, 3 to 11 (pixels).
// `disparity` has width x height values. Returns 0, or -1 when it cannot be done, with a sentence in `message`.
int vcap_stereo_disparity(const uint8_t *left, ptrdiff_t left_bytes_per_row, const uint8_t *right,
                          ptrdiff_t right_bytes_per_row, int width, int height, int disparities, int block,
                          uint16_t *disparity, char *message, size_t message_size);

#ifdef __cplusplus
#pragma GCC visibility pop
}
#endif

#endif
