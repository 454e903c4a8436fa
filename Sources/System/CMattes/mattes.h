// The C interface of libvcap-mattes.so, which is loaded when a matte is made by a model of the user's:
// Sources/Detect/Shims/Mattes implements it with OpenCV, Sources/Detect/Matte/MatteLibrary.swift finds its functions by
// name.
#ifndef VCAP_MATTES_H
#define VCAP_MATTES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC visibility push(default)
#endif

// Raised with every change of what follows: a library of another number is refused.
#define VCAP_MATTES_INTERFACE 2

typedef struct vcap_mattes vcap_mattes;

// What the library was built as (VCAP_MATTES_INTERFACE).
int vcap_mattes_interface(void);

// Reads a model of ONNX and runs it once on an input of zeros of these dimensions. What reads models was not made for
// hostile ones: this is called by vcap-check-model, in a process of its own. Returns 0, or -1 with a half-sentence in
// `message`.
int vcap_check_model(const char *model, const int32_t *shape, char *message, size_t message_size);

// Reads a model that was tried. A model is for one thread at a time. Returns NULL with a half-sentence in `message`;
// else what is closed with vcap_mattes_close.
vcap_mattes *vcap_mattes_open(const uint8_t *model, size_t size, char *message, size_t message_size);

// Runs it. `input` has as many values as its four dimensions say. Returns how many values the first output has, of
// which `most` are written to `output`, and its dimensions (1 where it has fewer than four, at the front); or -1 with
// a half-sentence in `message`.
int64_t vcap_mattes_run(vcap_mattes *mattes, const float *input, const int32_t input_shape[4], float *output,
                        size_t most, int32_t output_shape[4], char *message, size_t message_size);

void vcap_mattes_close(vcap_mattes *mattes);

#ifdef __cplusplus
#pragma GCC visibility pop
}
#endif

#endif
