// The C interface of libvcap-faces.so, which is loaded when faces, bodies or cats are detected:
// Sources/Detect/Shims/Faces implements it with OpenCV, Sources/Detect/Objects/FaceLibrary.swift finds its functions by
// name.
#ifndef VCAP_FACES_H
#define VCAP_FACES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC visibility push(default)
#endif

// Raised with every change of what follows: a library of another number is refused.
#define VCAP_FACES_INTERFACE 4

// Bits of what is looked for; what is found has one of them.
enum {
    VCAP_FACES_FACE = 1 << 0,
    VCAP_FACES_BODY = 1 << 1,
    VCAP_FACES_CAT = 1 << 2,
};

// Longest side of a frame (pixels).
#define VCAP_FACES_LONGEST_SIDE 16384
// Most of what is found in one frame (count).
#define VCAP_FACES_MOST 64

typedef struct {
    uint32_t kind;
    // Of the box around it: left and upper edge, width, height (pixels of the frame).
    float left, top, width, height;
    // How sure it is (0 to 1): no probability.
    float confidence;
    // Whether `roll` is known.
    int32_t has_roll;
    // Clockwise as the frame shows it (degrees, -180 to 180).
    float roll;
    // Whether `yaw` is known.
    int32_t has_yaw;
    // To the right as the frame shows it (degrees, -90 to 90; 0 looks at the camera): an estimate.
    float yaw;
} vcap_face;

// Where something is expected: a box of its own kind (pixels of the frame), and how far around it is looked (parts of its
// sides).
typedef struct {
    uint32_t kind;
    float left, top, width, height;
    float margin;
} vcap_faces_place;

typedef struct vcap_faces vcap_faces;

// What the library was built as (VCAP_FACES_INTERFACE).
int vcap_faces_interface(void);

// Reads what the kinds need of the folder of Debian's opencv-data. A detector is for one thread at a time. With `model`,
// the path of a YuNet model (ONNX), faces are found by it; one from elsewhere is tried with vcap_check_model first.
// Returns NULL when it cannot be done, with a half-sentence in `message`; else what is closed with vcap_faces_close.
vcap_faces *vcap_faces_open(uint32_t kinds, const char *folder, const char *model, char *message,
                            size_t message_size);

// Looks at a frame of one byte a pixel, made smaller to as many pixels as 480x270 have for faces and cats, 640x360 for
// bodies. With `is_thorough` at more pixels, and for faces and cats at rotations by 30 degrees, which says their roll.
// A model finds the faces of the whole frame, with roll and yaw. With `places` only around them, and only for what is about as large: NULL looks everywhere.
// Returns how many are in `found`, or -1 when it cannot be done, with a half-sentence in `message`.
int vcap_faces_look(vcap_faces *faces, const uint8_t *luma, int width, int height,
                    ptrdiff_t bytes_per_row, int is_thorough, const vcap_faces_place *places,
                    int place_count, vcap_face found[VCAP_FACES_MOST], char *message,
                    size_t message_size);

void vcap_faces_close(vcap_faces *faces);

// Reads a model and lets it look at a few frames. What reads models was not made for hostile ones: this is called by
// vcap-check-model, in a process of its own. `shape` is of no use here.
// Returns 0, or -1 when the model is of no use, with a half-sentence about the file in `message`.
int vcap_check_model(const char *model, const int32_t *shape, char *message, size_t message_size);

#ifdef __cplusplus
#pragma GCC visibility pop
}
#endif

#endif
