// libvcap-faces.so: OpenCV's detectors behind the C interface of Sources/System/CFaces/faces.h. No exception leaves it.
#include "../../../System/CFaces/faces.h"
#include "cascade.hpp"
#include "yunet.hpp"

#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace vcap {

// Sides of what is looked at (pixels; a frame of another shape has as many): a face of a twentieth of the longer one is
// found, a body of two sevenths of the shorter one. And of a thorough look.
const cv::Size size_for_faces(480, 270), thorough_for_faces(640, 360);
const cv::Size size_for_bodies(640, 360), thorough_for_bodies(1280, 720);
// The smallest face that is looked for (pixels of the smaller frame).
constexpr int smallest_face = 24;
// Rotations of a thorough look (degrees): a cascade finds a face that is slightly tilted.
constexpr float angles[] = {0, -30, 30, -60, 60, -90, 90, 180};

struct Cascade {
    uint32_t kind;
    const char *file;
    // So many overlapping hits make one that counts; of more it is half as unsure for each doubling.
    int least_hits;
    cv::CascadeClassifier classifier;
};

struct Found {
    uint32_t kind;
    cv::Rect2f box;
    float confidence;
    bool has_roll;
    float roll;
    bool has_yaw = false;
    float yaw = 0;
};

static float shared(const cv::Rect2f &one, const cv::Rect2f &other) {
    const float both = (one & other).area();
    return both / std::max(1.0f, std::min(one.area(), other.area()));
}

// A thing is found once, as what it was found as most surely: a face in one place is a person's or a cat's.
static void keep(std::vector<Found> &found, const Found &one) {
    constexpr uint32_t faces = VCAP_FACES_FACE | VCAP_FACES_CAT;
    for (auto &other : found)
        if ((other.kind == one.kind || (other.kind | one.kind) == faces) && shared(other.box, one.box) > 0.5f) {
            if (one.confidence > other.confidence) other = one;
            return;
        }
    found.push_back(one);
}

static cv::Mat reduced(const cv::Mat &frame, cv::Size largest, double &scale) {
    const double area = static_cast<double>(frame.cols) * frame.rows;
    scale = std::min({1.0, static_cast<double>(largest.width) / std::max(frame.cols, frame.rows),
                      std::sqrt(largest.area() / area)});
    if (scale == 1.0) return frame;
    cv::Mat small;
    const cv::Size size(std::max(1, static_cast<int>(std::lround(frame.cols * scale))),
                        std::max(1, static_cast<int>(std::lround(frame.rows * scale))));
    cv::resize(frame, small, size, 0, 0, cv::INTER_AREA);
    return small;
}

// A part of a smaller frame, and the sizes of what is looked for there (pixels of it; 0: any).
struct Part {
    cv::Rect box;
    float smallest = 0, largest = 0;
};

// A thing may have become so much smaller or larger since it was seen.
constexpr float growth = 1.4f;

static Part part(const vcap_faces_place &place, const cv::Mat &small, double scale) {
    const auto by = static_cast<float>(scale);
    const cv::Rect2f box(place.left * by, place.top * by, place.width * by, place.height * by);
    const float wide = box.width * place.margin, high = box.height * place.margin;
    const cv::Rect2f around(box.x - wide, box.y - high, box.width + 2 * wide, box.height + 2 * high);
    const cv::Rect2f inside = around & cv::Rect2f(0, 0, static_cast<float>(small.cols), static_cast<float>(small.rows));
    const cv::Rect whole(static_cast<int>(inside.x), static_cast<int>(inside.y),
                         static_cast<int>(std::ceil(inside.width)), static_cast<int>(std::ceil(inside.height)));
    return {whole & cv::Rect(0, 0, small.cols, small.rows), box.width / growth, box.width * growth};
}

// Looks at a part of a frame that is rotated by an angle around its middle, in a frame that holds it whole.
static void look(Cascade &cascade, const cv::Mat &small, const Part &part, double scale, float angle, bool has_roll,
                 std::vector<Found> &found) {
    const cv::Mat frame = small(part.box);
    cv::Mat rotated = frame;
    cv::Mat back;
    if (angle != 0) {
        const double turn = angle * CV_PI / 180;
        const double wide = std::abs(frame.cols * std::cos(turn)) + std::abs(frame.rows * std::sin(turn));
        const double high = std::abs(frame.cols * std::sin(turn)) + std::abs(frame.rows * std::cos(turn));
        const cv::Size size(static_cast<int>(std::ceil(wide)), static_cast<int>(std::ceil(high)));
        // counterclockwise by the angle: what is tilted clockwise by it becomes upright
        cv::Mat there = cv::getRotationMatrix2D({frame.cols / 2.0f, frame.rows / 2.0f}, angle, 1);
        there.at<double>(0, 2) += (size.width - frame.cols) / 2.0;
        there.at<double>(1, 2) += (size.height - frame.rows) / 2.0;
        cv::warpAffine(frame, rotated, there, size, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
        cv::invertAffineTransform(there, back);
    }
    std::vector<cv::Rect> boxes;
    std::vector<int> hits;
    const int smallest = std::max(smallest_face, static_cast<int>(part.smallest));
    const int largest = static_cast<int>(std::ceil(part.largest));
    cascade.classifier.detectMultiScale(rotated, boxes, hits, 1.2, cascade.least_hits, 0, {smallest, smallest},
                                        {largest, largest});
    for (size_t place = 0; place < boxes.size() && place < hits.size(); place++) {
        const cv::Rect &box = boxes[place];
        cv::Point2d middle(box.x + box.width / 2.0, box.y + box.height / 2.0);
        if (angle != 0)
            middle = {back.at<double>(0, 0) * middle.x + back.at<double>(0, 1) * middle.y + back.at<double>(0, 2),
                      back.at<double>(1, 0) * middle.x + back.at<double>(1, 1) * middle.y + back.at<double>(1, 2)};
        middle += cv::Point2d(part.box.x, part.box.y);
        const float surplus = static_cast<float>(hits[place]) / static_cast<float>(cascade.least_hits);
        keep(found, {cascade.kind,
                     cv::Rect2f(static_cast<float>((middle.x - box.width / 2.0) / scale),
                                static_cast<float>((middle.y - box.height / 2.0) / scale),
                                static_cast<float>(box.width / scale), static_cast<float>(box.height / scale)),
                     1 - 0.5f / std::max(1.0f, surplus), has_roll, angle});
    }
}

// The window of the people detector leaves a margin around a person: a quarter of its height, two fifths of its width.
static void look(const cv::HOGDescriptor &people, const cv::Mat &small, const Part &part, double scale,
                 std::vector<Found> &found) {
    // it asserts that its window fits
    if (part.box.width < people.winSize.width || part.box.height < people.winSize.height) return;
    const cv::Mat frame = small(part.box);
    std::vector<cv::Rect> boxes;
    std::vector<double> margins;
    people.detectMultiScale(frame, boxes, margins, 0, {8, 8}, {8, 8}, 1.1, 2);
    for (size_t place = 0; place < boxes.size() && place < margins.size(); place++) {
        const double margin = margins[place];
        if (margin < 0.5) continue;
        const cv::Rect box = boxes[place] + part.box.tl();
        keep(found, {VCAP_FACES_BODY,
                     cv::Rect2f(static_cast<float>((box.x + box.width * 0.2) / scale),
                                static_cast<float>((box.y + box.height * 0.125) / scale),
                                static_cast<float>(box.width * 0.6 / scale),
                                static_cast<float>(box.height * 0.75 / scale)),
                     static_cast<float>(1 - std::exp(-margin)), false, 0});
    }
}

// A model says how sure it is itself.
static void look(YuNet &model, const cv::Mat &small, double scale, std::vector<Found> &found) {
    const auto by = static_cast<float>(1 / scale);
    for (const auto &face : model.look(small))
        keep(found, {VCAP_FACES_FACE,
                     cv::Rect2f(face.box.x * by, face.box.y * by, face.box.width * by, face.box.height * by),
                     face.score, true, face.roll, true, face.yaw});
}

static int silent(int, const char *, const char *, const char *, int, void *) { return 0; }

// Threads of its own would take what the recording needs, and its errors are ours to say.
static void tame() {
    cv::setNumThreads(0);
    cv::redirectError(silent);
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
}

} // namespace vcap

struct vcap_faces {
    std::vector<vcap::Cascade> cascades;
    std::unique_ptr<vcap::YuNet> model;
    bool finds_bodies = false;
    cv::HOGDescriptor people;
};

extern "C" {

int vcap_faces_interface(void) { return VCAP_FACES_INTERFACE; }

vcap_faces *vcap_faces_open(uint32_t kinds, const char *folder, const char *model, char *message,
                            size_t message_size) {
    auto refuse = [&](const std::string &why) -> vcap_faces * {
        if (message && message_size) std::snprintf(message, message_size, "%s", why.c_str());
        return nullptr;
    };
    try {
        vcap::tame();
        auto faces = std::make_unique<vcap_faces>();
        if (model && (kinds & VCAP_FACES_FACE)) {
            try {
                faces->model = std::make_unique<vcap::YuNet>(model);
                kinds &= ~static_cast<uint32_t>(VCAP_FACES_FACE);
            } catch (const std::exception &failure) {
                return refuse(std::string(model) + ": " + failure.what());
            }
        }
        const struct {
            uint32_t kind;
            const char *file;
            int least_hits;
        } files[] = {{VCAP_FACES_FACE, "haarcascades/haarcascade_frontalface_alt2.xml", 3},
                     {VCAP_FACES_CAT, "haarcascades/haarcascade_frontalcatface.xml", 5}};
        for (const auto &file : files) {
            if (!(kinds & file.kind)) continue;
            const std::string path = std::string(folder ? folder : "") + "/" + file.file;
            std::string why;
            cv::CascadeClassifier classifier;
            try {
                why = vcap::fault_of_cascade(path);
                if (why.empty() && !classifier.load(path)) why = "is no cascade";
            } catch (const std::exception &) {
                why = "is damaged";
            }
            if (!why.empty()) return refuse(path + " " + why);
            faces->cascades.push_back({file.kind, file.file, file.least_hits, classifier});
        }
        if (kinds & VCAP_FACES_BODY) {
            faces->people.setSVMDetector(cv::HOGDescriptor::getDefaultPeopleDetector());
            faces->finds_bodies = true;
        }
        return faces.release();
    } catch (const std::exception &failure) {
        return refuse(failure.what());
    } catch (...) {
        return refuse("OpenCV failed without a reason");
    }
}

int vcap_faces_look(vcap_faces *faces, const uint8_t *luma, int width, int height, ptrdiff_t bytes_per_row,
                    int is_thorough, const vcap_faces_place *places, int place_count,
                    vcap_face found[VCAP_FACES_MOST], char *message, size_t message_size) {
    auto refuse = [&](const char *why) {
        if (message && message_size) std::snprintf(message, message_size, "%s", why);
        return -1;
    };
    if (!faces || !luma || !found || width < 1 || height < 1 || width > VCAP_FACES_LONGEST_SIDE ||
        height > VCAP_FACES_LONGEST_SIDE || bytes_per_row < width)
        return refuse("the frame has no size that can be looked at");
    try {
        // OpenCV does not write to what it looks at
        const cv::Mat frame(height, width, CV_8UC1, const_cast<uint8_t *>(luma), static_cast<size_t>(bytes_per_row));
        std::vector<vcap::Found> all;
        // around the places of a kind, or everywhere
        const auto for_each_part = [&](uint32_t kind, const cv::Mat &small, double scale, const auto &body) {
            if (!places) return body(vcap::Part{{0, 0, small.cols, small.rows}});
            for (int place = 0; place < place_count; place++) {
                if (places[place].kind != kind) continue;
                const vcap::Part part = vcap::part(places[place], small, scale);
                if (part.box.area() > 0) body(part);
            }
        };
        double scale = 1;
        if (!faces->cascades.empty() || faces->model) {
            const cv::Mat small = vcap::reduced(
                frame, is_thorough ? vcap::thorough_for_faces : vcap::size_for_faces, scale);
            if (faces->model) vcap::look(*faces->model, small, scale, all);
            for (auto &cascade : faces->cascades)
                for_each_part(cascade.kind, small, scale, [&](const vcap::Part &part) {
                    for (float angle : vcap::angles)
                        if (angle == 0 || is_thorough)
                            vcap::look(cascade, small, part, scale, angle, is_thorough != 0, all);
                });
        }
        if (faces->finds_bodies) {
            const cv::Mat small = vcap::reduced(
                frame, is_thorough ? vcap::thorough_for_bodies : vcap::size_for_bodies, scale);
            for_each_part(VCAP_FACES_BODY, small, scale, [&](const vcap::Part &part) {
                vcap::look(faces->people, small, part, scale, all);
            });
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const auto &one, const auto &other) { return one.confidence > other.confidence; });
        const size_t count = std::min<size_t>(all.size(), VCAP_FACES_MOST);
        for (size_t place = 0; place < count; place++) {
            const vcap::Found &one = all[place];
            found[place] = {one.kind,       one.box.x,      one.box.y, one.box.width, one.box.height,
                            one.confidence, one.has_roll, one.roll,       one.has_yaw, one.yaw};
        }
        return static_cast<int>(count);
    } catch (const std::exception &failure) {
        return refuse(failure.what());
    } catch (...) {
        return refuse("OpenCV failed without a reason");
    }
}

void vcap_faces_close(vcap_faces *faces) { delete faces; }

int vcap_check_model(const char *model, const int32_t *, char *message, size_t message_size) {
    try {
        vcap::tame();
        vcap::YuNet yunet(model ? model : "");
        // of frames that are wide, square, narrow, and a small region of one
        for (const cv::Size &size : {vcap::size_for_faces, vcap::thorough_for_faces, cv::Size(416, 312),
                                     cv::Size(360, 360), cv::Size(270, 480), cv::Size(64, 64)}) {
            cv::Mat frame(size, CV_8UC1);
            cv::randu(frame, 0, 256);
            yunet.look(frame);
        }
        return 0;
    } catch (const cv::Exception &) {
        std::snprintf(message, message_size, "%s", "it is no model that OpenCV " CV_VERSION " can run");
    } catch (const std::exception &failure) {
        std::snprintf(message, message_size, "%s", failure.what());
    } catch (...) {
        std::snprintf(message, message_size, "%s", "it fails without a reason");
    }
    return -1;
}

} // extern "C"
