// libvcap-codes.so: zxing-cpp behind the C interface of Sources/System/CCodes/codes.h. No exception leaves it.
#define ZX_USE_UTF8 1

#include "../../../System/CCodes/codes.h"
#include "aztec.hpp"
#include "extent.hpp"

#include <ZXing/BitMatrix.h>
#include <ZXing/MultiFormatWriter.h>
#include <ZXing/ReadBarcode.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace vcap {

struct Symbology {
    uint32_t bit;
    ZXing::BarcodeFormat format;
};

constexpr Symbology symbologies_known[] = {
    {VCAP_CODES_AZTEC, ZXing::BarcodeFormat::Aztec},
    {VCAP_CODES_CODABAR, ZXing::BarcodeFormat::Codabar},
    {VCAP_CODES_CODE_39, ZXing::BarcodeFormat::Code39},
    {VCAP_CODES_CODE_93, ZXing::BarcodeFormat::Code93},
    {VCAP_CODES_CODE_128, ZXing::BarcodeFormat::Code128},
    {VCAP_CODES_DATA_MATRIX, ZXing::BarcodeFormat::DataMatrix},
    {VCAP_CODES_EAN_8, ZXing::BarcodeFormat::EAN8},
    {VCAP_CODES_EAN_13, ZXing::BarcodeFormat::EAN13},
    {VCAP_CODES_ITF, ZXing::BarcodeFormat::ITF},
    {VCAP_CODES_PDF_417, ZXing::BarcodeFormat::PDF417},
    {VCAP_CODES_QR, ZXing::BarcodeFormat::QRCode},
    {VCAP_CODES_UPC_A, ZXing::BarcodeFormat::UPCA},
    {VCAP_CODES_UPC_E, ZXing::BarcodeFormat::UPCE},
};

struct Code {
    uint32_t symbology;
    bool is_text;
    std::string text;
    std::vector<uint8_t> bytes;
    vcap::Corners corners;
    // The middle of a linear one, in the plane where it was read.
    vcap::Point place;
};

static bool is_text(ZXing::ContentType type) {
    return type == ZXing::ContentType::Text || type == ZXing::ContentType::GS1 ||
           type == ZXing::ContentType::ISO15434;
}

// ASCII with tabs is text; zxing-cpp 1.4 lets line ends alone pass.
static bool is_plain(const std::vector<uint8_t> &bytes) {
    return !bytes.empty() && std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) {
        return (byte >= 0x20 && byte < 0x7F) || byte == '\t' || byte == '\n' || byte == '\r';
    });
}

static Code code_of(const ZXing::Result &result, uint32_t symbology, const vcap::Plane &plane) {
    Code code{symbology, is_text(result.contentType()), result.text(), {}, {}, {}};
    const auto &bytes = result.bytes();
    code.bytes.assign(bytes.begin(), bytes.end());
    if (!code.is_text && is_plain(code.bytes)) {
        code.is_text = true;
        code.text.assign(code.bytes.begin(), code.bytes.end());
    }
    for (size_t place = 0; place < code.corners.size(); place++) {
        const auto corner = result.position()[place];
        code.corners[place] = {static_cast<float>(corner.x), static_cast<float>(corner.y)};
    }
    // of a mirrored one zxing-cpp 1.4 states them the other way round
    if (symbology == VCAP_CODES_QR && result.isMirrored()) std::swap(code.corners[1], code.corners[3]);
    if (symbology == VCAP_CODES_DATA_MATRIX && result.isMirrored()) std::swap(code.corners[0], code.corners[2]);
    // without a right guard zxing-cpp 1.4 states a corner of the frame for both ends of it
    if (symbology == VCAP_CODES_PDF_417 && result.position()[1] == result.position()[2])
        complete_rows(plane, code.corners);
    return code;
}

static ZXing::BarcodeFormats formats_of(uint32_t wanted) {
    ZXing::BarcodeFormats formats;
    for (const auto &known : symbologies_known)
        if (wanted & known.bit) formats |= known.format;
    return formats;
}

using Codes = std::vector<Code>;

static void read(const vcap::Plane &plane, const ZXing::DecodeHints &hints, Codes &found) {
    ZXing::ImageView view(plane.pixels, plane.width, plane.height, ZXing::ImageFormat::Lum,
                          static_cast<int>(plane.bytes_per_row));
    for (const auto &result : ZXing::ReadBarcodes(view, hints)) {
        if (!result.isValid()) continue;
        for (const auto &known : symbologies_known)
            if (result.format() == known.format)
                found.push_back(code_of(result, known.bit, plane));
    }
}

// From the places in a copy to those in what it was made of; NULL for a plane that is none.
static void move(Codes &codes, const vcap::Copy *copy) {
    if (!copy) return;
    for (auto &code : codes)
        for (auto &corner : code.corners) corner = copy->source(corner.x, corner.y);
}

static std::vector<uint8_t> pixels_of(const vcap::Plane &plane) {
    std::vector<uint8_t> pixels;
    pixels.reserve(static_cast<size_t>(plane.width) * plane.height);
    for (int y = 0; y < plane.height; y++)
        pixels.insert(pixels.end(), plane.row(y), plane.row(y) + plane.width);
    return pixels;
}

// zxing-cpp 1.4 tries the likeliest triples of finder patterns, and of codes in rows and columns most triples belong to
// several of them. So what was read is painted over, and the rest looked at again, as long as there is something more.
static void read_matrices(const vcap::Plane &plane, uint32_t symbologies, const vcap::Copy *copy,
                          Codes &found) {
    constexpr size_t rounds = 64;
    ZXing::DecodeHints hints;
    hints.setFormats(formats_of(symbologies));
    if (hints.formats().empty()) return;
    Codes read_now;
    read(plane, hints, read_now);
    std::vector<uint8_t> pixels;
    for (size_t round = 0, known = 0; round < rounds && read_now.size() > known; round++) {
        if (pixels.empty()) pixels = pixels_of(plane);
        for (; known < read_now.size(); known++)
            paint_over(pixels, plane.width, plane.height, read_now[known].corners);
        read({pixels.data(), plane.width, plane.height, plane.width}, hints, read_now);
    }
    move(read_now, copy);
    std::move(read_now.begin(), read_now.end(), std::back_inserter(found));
}

// Codes on a line. ITF, Codabar and Code 39 have no check digit: each counts where five lines say the same.
// One after the other, each painted over when it is read: asked for several, zxing-cpp 1.4 compares what it read in the
// frame with what it read in the same frame made smaller or inverted, and ends the program (assertion in
// Result::operator==) where a linear code was read in both.
static void read_lines(const vcap::Plane &plane, uint32_t symbologies, Codes &found) {
    constexpr int most = 24;
    ZXing::DecodeHints hints;
    hints.setFormats(formats_of(symbologies));
    if (hints.formats().empty()) return;
    hints.setReturnCodabarStartEnd(true);
    hints.setMaxNumberOfSymbols(1);
    std::vector<uint8_t> pixels;
    vcap::Plane rest = plane;
    for (int count = 0; count < most; count++) {
        Codes one;
        read(rest, hints, one);
        if (one.empty()) return;
        // what is read in a few lines alone may be anything
        constexpr uint32_t unchecked = VCAP_CODES_ITF | VCAP_CODES_CODABAR | VCAP_CODES_CODE_39;
        bool is_sure = true;
        if (one.front().symbology & unchecked) {
            ZXing::DecodeHints again = hints;
            again.setFormats(formats_of(one.front().symbology));
            again.setMinLineCount(5);
            Codes more;
            read(rest, again, more);
            is_sure = !more.empty() && more.front().text == one.front().text;
            // fewer than four characters between start and stop are read in bars of any widths
            if (one.front().symbology == VCAP_CODES_CODABAR && one.front().text.size() < 6) is_sure = false;
        }
        if (pixels.empty()) {
            pixels = pixels_of(plane);
            rest = {pixels.data(), plane.width, plane.height, plane.width};
        }
        Code &code = one.front();
        float left = plane.width, top = plane.height, right = 0, bottom = 0;
        for (const auto &corner : code.corners) {
            left = std::min(left, corner.x);
            right = std::max(right, corner.x);
            top = std::min(top, corner.y);
            bottom = std::max(bottom, corner.y);
        }
        // lines that were read are few of a code's; those that are left are painted over when they are read
        const float longest = std::max(right - left, bottom - top);
        const float across = 4 + longest / (right - left < bottom - top ? 4 : 16);
        const float down = 4 + longest / (right - left < bottom - top ? 16 : 4);
        const int first = std::max(0, static_cast<int>(left - across));
        const int end = std::min(plane.width, static_cast<int>(right + across) + 1);
        for (int y = std::max(0, static_cast<int>(top - down));
             y < std::min(plane.height, static_cast<int>(bottom + down) + 1); y++)
            if (first < end)
                std::fill_n(pixels.begin() + static_cast<ptrdiff_t>(y) * plane.width + first, end - first, 255);
        // of one that is rotated, what was not painted over may be read again
        const bool is_known = std::any_of(found.begin(), found.end(), [&](const Code &other) {
            return other.symbology == code.symbology && other.text == code.text &&
                   std::abs(other.place.x - (left + right) / 2) < longest &&
                   std::abs(other.place.y - (top + bottom) / 2) < longest;
        });
        code.place = {(left + right) / 2, (top + bottom) / 2};
        if (is_known || !is_sure) continue;
        extend_bars(plane, code.corners);
        found.push_back(std::move(code));
    }
}

// Each place where an Aztec code may be is brought to the middle of a square of its own, in sizes and rotations of which
// zxing-cpp 1.4 reads one.
static void read_aztec(const vcap::Plane &plane, Codes &found) {
    // modules a side (a compact code has at most 27, a full one of 79 and its surroundings fit the second), and their
    // size (pixels)
    constexpr std::pair<int, int> sizes[] = {{44, 8}, {44, 6}, {100, 6}};
    constexpr size_t most = 2;
    for (const auto &eye : vcap::bulls_eyes(plane, most)) {
        const size_t before = found.size();
        for (auto [modules, module] : sizes) {
            if (modules > 44 && !eye.may_be_full) continue;
            for (float angle : {0.0f, 15.0f, 30.0f, 45.0f, 60.0f, 75.0f}) {
                if (found.size() > before) continue;
                const vcap::Copy copy =
                    vcap::square(plane, eye.middle, modules * module, module / eye.module, angle);
                read_matrices(copy.plane(), VCAP_CODES_AZTEC, &copy, found);
            }
        }
    }
}

constexpr uint32_t matrices = VCAP_CODES_DATA_MATRIX | VCAP_CODES_PDF_417 | VCAP_CODES_QR;

static void read_all(const vcap::Plane &plane, uint32_t symbologies, const vcap::Copy *copy, Codes &found) {
    Codes lines;
    read_lines(plane, symbologies & ~(matrices | VCAP_CODES_AZTEC), lines);
    move(lines, copy);
    read_matrices(plane, symbologies & matrices, copy, found);
    std::move(lines.begin(), lines.end(), std::back_inserter(found));
    if (!(symbologies & VCAP_CODES_AZTEC)) return;
    Codes aztec;
    read_aztec(plane, aztec);
    move(aztec, copy);
    std::move(aztec.begin(), aztec.end(), std::back_inserter(found));
}

} // namespace vcap

struct vcap_codes {
    vcap::Codes found;
};

extern "C" {

int vcap_codes_interface(void) { return VCAP_CODES_INTERFACE; }

vcap_codes *vcap_codes_read(const uint8_t *luma, int width, int height, ptrdiff_t bytes_per_row,
                            uint32_t symbologies, int is_thorough, char *message,
                            size_t message_size) {
    auto refuse = [&](const char *why) -> vcap_codes * {
        if (message && message_size) std::snprintf(message, message_size, "%s", why);
        return nullptr;
    };
    if (!luma || width < 1 || height < 1 || width > VCAP_CODES_LONGEST_SIDE ||
        height > VCAP_CODES_LONGEST_SIDE)
        return refuse("the frame has no size that codes are looked for in");
    // zxing-cpp computes places in a frame with 32 bits
    if (bytes_per_row < width || bytes_per_row > INT32_MAX / height)
        return refuse("the frame's rows are too far apart");
    try {
        auto codes = std::make_unique<vcap_codes>();
        const vcap::Plane plane{luma, width, height, bytes_per_row};
        vcap::read_all(plane, symbologies, nullptr, codes->found);
        if (is_thorough && codes->found.empty()) {
            const vcap::Copy copy = vcap::enlarged(plane);
            vcap::read_all(copy.plane(), symbologies, &copy, codes->found);
        }
        if (is_thorough && codes->found.empty()) {
            const vcap::Copy copy = vcap::inverted(plane);
            // light bars on dark are as rare as it is easy to see some where there are none
            constexpr uint32_t light = vcap::matrices | VCAP_CODES_AZTEC;
            if (symbologies & light) vcap::read_all(copy.plane(), symbologies & light, &copy, codes->found);
        }
        return codes.release();
    } catch (const std::exception &failure) {
        return refuse(failure.what());
    } catch (...) {
        return refuse("zxing-cpp failed without a reason");
    }
}

size_t vcap_codes_count(const vcap_codes *codes) { return codes ? codes->found.size() : 0; }

int vcap_codes_get(const vcap_codes *codes, size_t index, vcap_code *code) {
    if (!codes || !code || index >= codes->found.size()) return 0;
    const vcap::Code &found = codes->found[index];
    *code = vcap_code{found.symbology,    found.is_text,     found.text.data(), found.text.size(),
                      found.bytes.data(), found.bytes.size(), {}};
    for (size_t place = 0; place < found.corners.size(); place++) {
        code->corners[2 * place] = found.corners[place].x;
        code->corners[2 * place + 1] = found.corners[place].y;
    }
    return 1;
}

void vcap_codes_free(vcap_codes *codes) { delete codes; }

int vcap_codes_make_qr(const char *text, size_t text_length, uint8_t *modules, char *message,
                       size_t message_size) {
    auto refuse = [&](const char *why) -> int {
        if (message && message_size) std::snprintf(message, message_size, "%s", why);
        return 0;
    };
    if (!text || !text_length || !modules) return refuse("there is no text");
    try {
        const std::string content(text, text_length);
        const bool is_ascii = std::all_of(content.begin(), content.end(),
                                          [](char letter) { return static_cast<unsigned char>(letter) < 0x80; });
        // zxing-cpp 1.4 counts levels from 0 to 8: this is M, which readers of small codes have the least trouble with
        ZXing::MultiFormatWriter writer(ZXing::BarcodeFormat::QRCode);
        writer.setMargin(0).setEccLevel(3);
        if (!is_ascii) writer.setEncoding(ZXing::CharacterSet::UTF8);
        const ZXing::BitMatrix code = writer.encode(content, 0, 0);
        if (code.width() < 21 || code.width() > VCAP_CODES_QR_SIDE || code.height() != code.width())
            return refuse("zxing-cpp makes no QR code of it");
        for (int y = 0; y < code.height(); y++)
            for (int x = 0; x < code.width(); x++) modules[y * code.width() + x] = code.get(x, y);
        return code.width();
    } catch (const std::exception &failure) {
        return refuse(failure.what());
    } catch (...) {
        return refuse("zxing-cpp failed without a reason");
    }
}

} // extern "C"
