// Frames of one byte a pixel, and parts of them in another size and rotation.
#ifndef VCAP_CODES_PLANE_HPP
#define VCAP_CODES_PLANE_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace vcap {

struct Point {
    float x;
    float y;
};

// A plane that somebody else owns.
struct Plane {
    const uint8_t *pixels;
    int width;
    int height;
    ptrdiff_t bytes_per_row;

    const uint8_t *row(int y) const { return pixels + y * bytes_per_row; }
};

// A plane that was made of another one, and where its pixels were there.
struct Copy {
    int width;
    int height;
    std::vector<uint8_t> pixels;
    // What its middle is of the other one.
    Point middle;
    float scale;
    float cosine;
    float sine;

    Plane plane() const { return {pixels.data(), width, height, width}; }

    // From places in the copy to places in the other one.
    Point source(float x, float y) const {
        const float across = (x - width / 2.0f) / scale, down = (y - height / 2.0f) / scale;
        return {middle.x + across * cosine - down * sine, middle.y + across * sine + down * cosine};
    }
};

// What is between pixels; what is outside is light.
inline uint8_t between(const Plane &plane, float x, float y) {
    const float left = std::floor(x), top = std::floor(y);
    const int column = static_cast<int>(left), line = static_cast<int>(top);
    const float across = x - left, down = y - top;
    auto pixel = [&](int x, int y) -> float {
        return x < 0 || y < 0 || x >= plane.width || y >= plane.height ? 255 : plane.row(y)[x];
    };
    const float upper = pixel(column, line) * (1 - across) + pixel(column + 1, line) * across;
    const float lower = pixel(column, line + 1) * (1 - across) + pixel(column + 1, line + 1) * across;
    return static_cast<uint8_t>(upper * (1 - down) + lower * down + 0.5f);
}

// A square around a place, rotated and scaled, of so many pixels a side.
inline Copy square(const Plane &plane, Point middle, int side, float scale, float degrees) {
    const float angle = degrees * 3.14159265f / 180;
    Copy copy{side, side, {}, middle, scale, std::cos(angle), std::sin(angle)};
    copy.pixels.resize(static_cast<size_t>(side) * side);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            const Point place = copy.source(x + 0.5f, y + 0.5f);
            copy.pixels[static_cast<size_t>(y) * side + x] =
                between(plane, place.x - 0.5f, place.y - 0.5f);
        }
    return copy;
}

// Twice the size, from the darkest pixel to the lightest.
inline Copy enlarged(const Plane &plane) {
    int dark = 255, light = 0;
    for (int y = 0; y < plane.height; y++)
        for (int x = 0; x < plane.width; x++) {
            dark = std::min<int>(dark, plane.row(y)[x]);
            light = std::max<int>(light, plane.row(y)[x]);
        }
    Copy copy{plane.width * 2, plane.height * 2, {}, {plane.width / 2.0f, plane.height / 2.0f}, 2, 1, 0};
    copy.pixels.resize(static_cast<size_t>(copy.width) * copy.height);
    const int range = std::max(light - dark, 1);
    for (int y = 0; y < copy.height; y++) {
        // a pixel of the copy lies a quarter of a pixel beside one of the plane
        const uint8_t *near = plane.row(y / 2);
        const uint8_t *far = plane.row(std::clamp(y % 2 ? y / 2 + 1 : y / 2 - 1, 0, plane.height - 1));
        uint8_t *out = copy.pixels.data() + static_cast<size_t>(y) * copy.width;
        for (int x = 0; x < copy.width; x++) {
            const int column = x / 2;
            const int other = std::clamp(x % 2 ? column + 1 : column - 1, 0, plane.width - 1);
            const int sum = 9 * near[column] + 3 * near[other] + 3 * far[column] + far[other];
            out[x] = static_cast<uint8_t>((sum - 16 * dark) * 255 / (16 * range));
        }
    }
    return copy;
}

// Light where it was dark.
inline Copy inverted(const Plane &plane) {
    Copy copy{plane.width, plane.height, {}, {plane.width / 2.0f, plane.height / 2.0f}, 1, 1, 0};
    copy.pixels.reserve(static_cast<size_t>(copy.width) * copy.height);
    for (int y = 0; y < plane.height; y++)
        std::transform(plane.row(y), plane.row(y) + plane.width, std::back_inserter(copy.pixels),
                       [](uint8_t luma) { return static_cast<uint8_t>(255 - luma); });
    return copy;
}

} // namespace vcap

#endif
