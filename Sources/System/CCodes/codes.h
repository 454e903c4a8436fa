// The C interface of libvcap-codes.so, which is loaded when codes are detected: Sources/Detect/Shims/Codes implements
// it with zxing-cpp, Sources/Detect/Codes/CodeLibrary.swift finds its functions by name.
#ifndef VCAP_CODES_H
#define VCAP_CODES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#pragma GCC visibility push(default)
#endif

// Raised with every change of what follows: a library of another number is refused.
#define VCAP_CODES_INTERFACE 2

// Bits of the symbologies that are looked for; a code has one of them.
enum {
    VCAP_CODES_AZTEC = 1 << 0,
    VCAP_CODES_CODABAR = 1 << 1,
    VCAP_CODES_CODE_39 = 1 << 2,
    VCAP_CODES_CODE_93 = 1 << 3,
    VCAP_CODES_CODE_128 = 1 << 4,
    VCAP_CODES_DATA_MATRIX = 1 << 5,
    VCAP_CODES_EAN_8 = 1 << 6,
    VCAP_CODES_EAN_13 = 1 << 7,
    VCAP_CODES_ITF = 1 << 8,
    VCAP_CODES_PDF_417 = 1 << 9,
    VCAP_CODES_QR = 1 << 10,
    VCAP_CODES_UPC_A = 1 << 11,
    VCAP_CODES_UPC_E = 1 << 12,
};

// Longest side of a frame (pixels).
#define VCAP_CODES_LONGEST_SIDE 16384

typedef struct {
    uint32_t symbology;
    // Whether `text` is what the code says; else only `bytes` are.
    int32_t is_text;
    // UTF-8, not terminated.
    const char *text;
    size_t text_length;
    const uint8_t *bytes;
    size_t bytes_length;
    // Horizontal and vertical places of the code's own top left, top right, bottom right and bottom left corner
    // (pixels of the frame).
    float corners[8];
} vcap_code;

typedef struct vcap_codes vcap_codes;

// What the library was built as (VCAP_CODES_INTERFACE).
int vcap_codes_interface(void);

// Looks for codes in a frame of one byte a pixel; thread-safe. With `is_thorough`, a frame in which none is found is
// looked at once more, enlarged to twice its size and with the whole range of luma, and then with dark and light exchanged.
// Returns NULL when it cannot be done, with a sentence in `message`; else what is freed with vcap_codes_free.
vcap_codes *vcap_codes_read(const uint8_t *luma, int width, int height, ptrdiff_t bytes_per_row,
                            uint32_t symbologies, int is_thorough, char *message,
                            size_t message_size);

size_t vcap_codes_count(const vcap_codes *codes);

// Lends a code; its pointers are valid until vcap_codes_free. Returns 0 where there is no such code.
int vcap_codes_get(const vcap_codes *codes, size_t index, vcap_code *code);

void vcap_codes_free(vcap_codes *codes);

// Modules a side that a QR code has at most.
#define VCAP_CODES_QR_SIDE 177

// Makes a QR code of UTF-8 text, of which a sixth may be unreadable; thread-safe. Writes a byte a module into `modules`,
// which has room for VCAP_CODES_QR_SIDE rows of as many, row by row without gaps: 1 where it is dark.
// Returns the modules a side, or 0 with a sentence in `message`.
int vcap_codes_make_qr(const char *text, size_t text_length, uint8_t *modules, char *message,
                       size_t message_size);

#ifdef __cplusplus
#pragma GCC visibility pop
}
#endif

#endif
