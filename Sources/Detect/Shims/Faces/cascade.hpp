// Whether a file of a trained cascade may be given to OpenCV, which follows its indices without a look: trees whose
// nodes lead onwards and into leaves that are there, features that exist and lie within the window.
#pragma once

#include <opencv2/core.hpp>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

namespace vcap {

constexpr size_t longest_cascade = 16u << 20; // bytes; the longest of opencv-data has 3 MB
constexpr int deepest_cascade = 32;           // elements in one another; they have 9
constexpr int largest_window = 256;           // pixels of a side

// OpenCV reads elements within each other by recursion.
inline bool is_shallow(const std::string &text) {
    int depth = 0;
    for (size_t place = text.find('<'); place != std::string::npos; place = text.find('<', place + 1)) {
        if (text.compare(place, 4, "<!--") == 0) {
            place = text.find("-->", place);
            if (place == std::string::npos) return false;
            continue;
        }
        const char next = place + 1 < text.size() ? text[place + 1] : '\0';
        if (next == '!' || next == '?') continue;
        const size_t end = text.find('>', place);
        if (end == std::string::npos) return false;
        if (next == '/') depth--;
        else if (text[end - 1] != '/') depth++;
        if (depth < 0 || depth > deepest_cascade) return false;
    }
    return true;
}

// One that leads onwards, or to a leaf (0 and below).
inline bool leads(double next, size_t node, size_t nodes) {
    return next == std::floor(next) && next <= static_cast<double>(nodes) - 1 &&
           (next > static_cast<double>(node) || (next <= 0 && -next <= static_cast<double>(nodes)));
}

inline bool is_sound_tree(const cv::FileNode &tree, size_t features) {
    const cv::FileNode numbers = tree["internalNodes"], leaves = tree["leafValues"];
    if (!numbers.isSeq() || !leaves.isSeq() || numbers.size() == 0 || numbers.size() % 4 != 0) return false;
    const size_t nodes = numbers.size() / 4;
    if (leaves.size() != nodes + 1) return false;
    size_t place = 0;
    for (const cv::FileNode &entry : numbers) {
        if (!entry.isInt() && !entry.isReal()) return false;
        const double number = static_cast<double>(entry);
        const size_t part = place % 4;
        if (part < 2 && !leads(number, place / 4, nodes)) return false;
        if (part == 2 && !(entry.isInt() && number >= 0 && number < static_cast<double>(features))) return false;
        if (!std::isfinite(number)) return false;
        place++;
    }
    for (const cv::FileNode &leaf : leaves)
        if ((!leaf.isInt() && !leaf.isReal()) || !std::isfinite(static_cast<double>(leaf))) return false;
    return true;
}

inline bool is_sound_feature(const cv::FileNode &feature, int width, int height) {
    const cv::FileNode areas = feature["rects"];
    const bool tilted = static_cast<int>(feature["tilted"]) != 0;
    if (!areas.isSeq() || areas.size() < 1 || areas.size() > 3) return false;
    for (const cv::FileNode &area : areas) {
        if (!area.isSeq() || area.size() != 5) return false;
        int sides[4];
        for (int place = 0; place < 4; place++) {
            if (!area[place].isInt()) return false;
            sides[place] = static_cast<int>(area[place]);
            if (sides[place] < (place < 2 ? 0 : 1) || sides[place] > largest_window) return false;
        }
        const auto [x, y, wide, high] = sides;
        if (x + wide > width || (tilted ? x - high < 0 || y + wide + high > height : y + high > height)) return false;
    }
    return true;
}

// Why it may not be given to OpenCV; empty when it may.
inline std::string fault_of_cascade(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return "is missing";
    std::string text(longest_cascade + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<size_t>(file.gcount()));
    // OpenCV goes by the first bytes, and reads JSON by another recursion
    if (text.compare(0, 5, "<?xml") != 0 || text.size() > longest_cascade || !is_shallow(text)) return "is no cascade";
    const cv::FileStorage storage(path, cv::FileStorage::READ | cv::FileStorage::FORMAT_XML);
    if (!storage.isOpened()) return "is no cascade";
    const cv::FileNode cascade = storage.getFirstTopLevelNode();
    if (static_cast<std::string>(cascade["stageType"]) != "BOOST" ||
        static_cast<std::string>(cascade["featureType"]) != "HAAR" ||
        static_cast<int>(cascade["featureParams"]["maxCatCount"]) != 0)
        return "is no cascade of Haar features";
    const int width = static_cast<int>(cascade["width"]), height = static_cast<int>(cascade["height"]);
    const cv::FileNode stages = cascade["stages"], features = cascade["features"];
    if (width < 1 || height < 1 || width > largest_window || height > largest_window || stages.size() == 0 ||
        features.size() == 0)
        return "is damaged";
    for (const cv::FileNode &stage : stages) {
        const cv::FileNode trees = stage["weakClassifiers"];
        if (!trees.isSeq() || trees.size() == 0) return "is damaged";
        for (const cv::FileNode &tree : trees)
            if (!is_sound_tree(tree, features.size())) return "is damaged";
    }
    for (const cv::FileNode &feature : features)
        if (!is_sound_feature(feature, width, height)) return "is damaged";
    return "";
}

} // namespace vcap
