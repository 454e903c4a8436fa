// Where Aztec codes may be: zxing-cpp 1.4 finds one only around the middle of what it is given, in some rotations and
// sizes.
#ifndef VCAP_CODES_AZTEC_HPP
#define VCAP_CODES_AZTEC_HPP

#include "plane.hpp"

#include <iterator>

namespace vcap {

// The middle of a bull's-eye, and the size of its modules (pixels).
struct BullsEye {
    Point middle;
    float module;
    // Whether it may be that of a full code: one more ring goes around it.
    bool may_be_full;
};

// Runs of dark and light along a line, as lengths that alternate.
struct Runs {
    std::vector<int> lengths;
    bool begins_dark = false;
};

// Splits a line where it crosses the mean of its surroundings.
template <typename Pixel>
Runs runs(int count, Pixel pixel) {
    constexpr int reach = 32;
    Runs runs;
    int sum = 0, first = 0, last = 0;
    bool is_dark = false;
    for (int x = 0; x < count; x++) {
        while (last < std::min(count, x + reach)) sum += pixel(last++);
        while (first < x - reach) sum -= pixel(first++);
        // what differs little from its surroundings stays what it was
        const int difference = pixel(x) * (last - first) - sum;
        const bool dark = std::abs(difference) < 4 * (last - first) ? is_dark : difference < 0;
        if (runs.lengths.empty()) runs.begins_dark = dark;
        if (runs.lengths.empty() || dark != is_dark) runs.lengths.push_back(0);
        runs.lengths.back()++;
        is_dark = dark;
    }
    return runs;
}

// Whether runs in a row, seven if not said otherwise, are about as long as each other.
inline bool are_even(const int *lengths, float &module, int count = 7) {
    int sum = 0;
    for (int place = 0; place < count; place++) sum += lengths[place];
    module = sum / static_cast<float>(count);
    for (int place = 0; place < count; place++)
        if (std::abs(lengths[place] - module) > module * 0.5f + 0.6f) return false;
    return module >= 1;
}

// Seven even runs with a dark one in their middle that holds a place.
struct Crossing {
    // Along the line, from the place (steps).
    float middle;
    float module;
};

// Looks from a place both ways along a direction.
inline bool crosses(const Plane &plane, Point place, int dx, int dy, float module, Crossing &crossing) {
    const int x = static_cast<int>(place.x), y = static_cast<int>(place.y);
    const int reach = static_cast<int>(12 * module) + 8;
    auto inside = [&](int step) {
        return x + dx * step >= 0 && x + dx * step < plane.width && y + dy * step >= 0 &&
               y + dy * step < plane.height;
    };
    int first = 0, last = 0;
    while (first > -reach && inside(first - 1)) first--;
    while (last < reach && inside(last + 1)) last++;
    const Runs line = runs(last - first + 1, [&](int step) {
        return plane.row(y + dy * (first + step))[x + dx * (first + step)];
    });
    int start = first;
    for (size_t run = 0; run + 7 <= line.lengths.size(); start += line.lengths[run++]) {
        if (line.begins_dark == (run % 2 == 0) || !are_even(&line.lengths[run], crossing.module)) continue;
        int begin = start;
        for (int part = 0; part < 3; part++) begin += line.lengths[run + part];
        const int dark = line.lengths[run + 3];
        if (begin > 0 || begin + dark <= 0) continue;
        crossing.middle = begin + dark / 2.0f;
        return true;
    }
    return false;
}

// The bull's-eyes of a plane, each once; at most so many.
inline std::vector<BullsEye> bulls_eyes(const Plane &plane, size_t most) {
    std::vector<BullsEye> found;
    for (int y = 0; y < plane.height && found.size() < most; y++) {
        const uint8_t *row = plane.row(y);
        const Runs across = runs(plane.width, [&](int x) { return row[x]; });
        int start = 0;
        for (size_t place = 0; place + 7 <= across.lengths.size(); start += across.lengths[place++]) {
            float module = 0;
            if (across.begins_dark == (place % 2 == 0) || !are_even(&across.lengths[place], module))
                continue;
            float middle = start;
            for (int run = 0; run < 3; run++) middle += across.lengths[place + run];
            middle += across.lengths[place + 3] / 2.0f;
            const Point point{std::min(middle, plane.width - 1.0f), static_cast<float>(y)};
            Crossing down{}, falling{}, rising{};
            if (!crosses(plane, point, 0, 1, module, down)) continue;
            // a square that is rotated crosses all four lines at the same places, but for the corners
            const Point centre{point.x, std::clamp(y + down.middle, 0.0f, plane.height - 1.0f)};
            if (!crosses(plane, centre, 1, 1, module, falling) ||
                !crosses(plane, centre, 1, -1, module, rising))
                continue;
            const float modules[] = {module, down.module, falling.module * 1.41f, rising.module * 1.41f};
            const auto [least, largest] = std::minmax_element(std::begin(modules), std::end(modules));
            if (*largest > 2.2f * *least) continue;
            float wider = 0;
            const bool may_be_full = place >= 2 && place + 9 <= across.lengths.size() &&
                                     are_even(&across.lengths[place - 2], wider, 11);
            const BullsEye eye{centre, *least, may_be_full};
            const bool is_known = std::any_of(found.begin(), found.end(), [&](const BullsEye &other) {
                return std::abs(other.middle.x - centre.x) < 4 * eye.module &&
                       std::abs(other.middle.y - centre.y) < 4 * eye.module;
            });
            if (!is_known && found.size() < most) found.push_back(eye);
        }
    }
    return found;
}

} // namespace vcap

#endif
