// How far a code reaches where zxing-cpp states less than that: a linear one by the line that was read, PDF417 without
// its right guard (compact, or cut off) by its left edge alone.
#ifndef VCAP_CODES_EXTENT_HPP
#define VCAP_CODES_EXTENT_HPP

#include "aztec.hpp"
#include "plane.hpp"

#include <array>
#include <vector>

namespace vcap {

// Top left, top right, bottom right, bottom left: of the code itself, whichever way it is rotated.
using Corners = std::array<Point, 4>;

inline Point along(Point from, Point direction, float distance) {
    return {from.x + direction.x * distance, from.y + direction.y * distance};
}

inline float distance(Point one, Point other) { return std::hypot(other.x - one.x, other.y - one.y); }

// What is nearest to a place; -1 outside.
inline int pixel(const Plane &plane, Point place) {
    const int x = static_cast<int>(std::lround(place.x)), y = static_cast<int>(std::lround(place.y));
    return x < 0 || y < 0 || x >= plane.width || y >= plane.height ? -1 : plane.row(y)[x];
}

// Bars as they lie under a line, in at most so many places.
struct Bars {
    static constexpr int most = 256;
    int count;
    std::array<int, most> luma;

    Bars(const Plane &plane, Point left, Point right) : count(0), luma{} {
        const float length = distance(left, right);
        count = std::clamp(static_cast<int>(length), 2, most);
        for (int place = 0; place < count; place++) {
            const float part = place / (count - 1.0f);
            luma[place] = pixel(plane, {left.x + (right.x - left.x) * part, left.y + (right.y - left.y) * part});
        }
    }

    int contrast() const {
        const auto [least, most] = std::minmax_element(luma.begin(), luma.begin() + count);
        return *most - *least;
    }

    // Mean of the differences; as much as there can be where one of the lines leaves the plane.
    float difference(const Bars &other) const {
        int sum = 0;
        for (int place = 0; place < count; place++) {
            if (luma[place] < 0 || other.luma[place] < 0) return 255;
            sum += std::abs(luma[place] - other.luma[place]);
        }
        return sum / static_cast<float>(count);
    }
};

// Follows the bars under a line up or down, as far as all of them go on; they may lean by 45° at most.
// `up` is the unit step away from the line. The ends of the last line that shows the bars are left in `left`, `right`.
inline void follow_bars(const Plane &plane, Point up, Point &left, Point &right) {
    const Bars bars(plane, left, right);
    const float length = distance(left, right);
    const float most = bars.contrast() / 6.0f;
    if (length < 2 || most < 2) return;
    const Point side{(right.x - left.x) / length, (right.y - left.y) / length};
    while (true) {
        float least = 255, lean = 0;
        for (float shift : {0.0f, -0.5f, 0.5f, -1.0f, 1.0f}) {
            const Point one = along(along(left, up, 1), side, shift);
            const float difference = bars.difference(Bars(plane, one, along(one, side, length)));
            if (difference < least) least = difference, lean = shift;
        }
        if (least > most) return;
        left = along(along(left, up, 1), side, lean);
        right = along(left, side, length);
    }
}

// Makes the ends of the lines that were read the corners of the bars.
inline void extend_bars(const Plane &plane, Corners &corners) {
    auto &[top_left, top_right, bottom_right, bottom_left] = corners;
    const float length = distance(top_left, top_right);
    if (length < 2) return;
    const Point side{(top_right.x - top_left.x) / length, (top_right.y - top_left.y) / length};
    follow_bars(plane, {side.y, -side.x}, top_left, top_right);
    follow_bars(plane, {-side.y, side.x}, bottom_left, bottom_right);
}

// The right corners of a PDF417 of which only the left ones are known: its rows end where more than seven modules of light
// follow, of which its start pattern, whose first bar is eight modules wide, states the size.
inline void complete_rows(const Plane &plane, Corners &corners) {
    auto &[top_left, top_right, bottom_right, bottom_left] = corners;
    const float height = distance(top_left, bottom_left);
    if (height < 4) return;
    const Point down{(bottom_left.x - top_left.x) / height, (bottom_left.y - top_left.y) / height};
    const Point side{down.y, -down.x};
    const int reach = plane.width + plane.height, before = 4;
    std::vector<float> ends;
    for (float part : {0.2f, 0.35f, 0.5f, 0.65f, 0.8f}) {
        const Point start = along(along(top_left, down, height * part), side, -before);
        int count = 0;
        while (count < reach && pixel(plane, along(start, side, count)) >= 0) count++;
        const Runs line = runs(count, [&](int step) { return pixel(plane, along(start, side, step)); });
        float module = 0;
        int place = 0, end = 0;
        for (size_t run = 0; run < line.lengths.size(); place += line.lengths[run++]) {
            const bool is_dark = line.begins_dark == (run % 2 == 0);
            if (is_dark && module == 0) module = line.lengths[run] / 8.0f;
            if (is_dark) end = place + line.lengths[run];
            if (!is_dark && module > 0 && line.lengths[run] > 7.5f * module) break;
        }
        if (end > before) ends.push_back(end - before);
    }
    if (ends.empty()) return;
    std::sort(ends.begin(), ends.end());
    const float width = ends[ends.size() / 2];
    top_right = along(top_left, side, width);
    bottom_right = along(bottom_left, side, width);
}

// Whether a place lies within corners that go around it.
inline bool is_within(const Corners &corners, Point place) {
    bool left = false, right = false;
    for (size_t index = 0; index < corners.size(); index++) {
        const Point from = corners[index], to = corners[(index + 1) % corners.size()];
        const float side = (to.x - from.x) * (place.y - from.y) - (to.y - from.y) * (place.x - from.x);
        (side < 0 ? left : right) = true;
    }
    return !(left && right);
}

// Makes the inside of corners light.
inline void paint_over(std::vector<uint8_t> &pixels, int width, int height, const Corners &corners) {
    auto [left, right] = std::minmax({corners[0].x, corners[1].x, corners[2].x, corners[3].x});
    auto [top, bottom] = std::minmax({corners[0].y, corners[1].y, corners[2].y, corners[3].y});
    for (int y = std::max(0, static_cast<int>(top)); y <= std::min(height - 1, static_cast<int>(bottom)); y++)
        for (int x = std::max(0, static_cast<int>(left)); x <= std::min(width - 1, static_cast<int>(right)); x++)
            if (is_within(corners, {x + 0.0f, y + 0.0f})) pixels[static_cast<size_t>(y) * width + x] = 255;
}

} // namespace vcap

#endif
