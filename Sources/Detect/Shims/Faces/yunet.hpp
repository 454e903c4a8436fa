// A learnt detector of faces: YuNet in its form of March 2022, which is what OpenCV 4.6 reads.
#ifndef VCAP_YUNET_HPP
#define VCAP_YUNET_HPP

#include <opencv2/dnn.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect/face.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace vcap {

// The largest model that is read (bytes): YuNet has a third of a megabyte.
constexpr std::streamoff largest_model = 64 << 20;

class YuNet {
  public:
    struct Face {
        cv::Rect2f box;
        float score, roll, yaw;
    };

    // Throws with a half-sentence about the file.
    explicit YuNet(const std::string &path) {
        std::ifstream file(path, std::ios::binary | std::ios::ate);
        if (!file) throw std::runtime_error("it cannot be read");
        if (file.tellg() > largest_model) throw std::runtime_error("it is larger than 64 MiB");
        try {
            net = cv::dnn::readNetFromONNX(path);
        } catch (const cv::Exception &) {
            throw std::runtime_error("it is no ONNX model that OpenCV " CV_VERSION " can read");
        }
        const auto names = net.getUnconnectedOutLayersNames();
        for (const char *name : outputs)
            if (std::find(names.begin(), names.end(), name) == names.end()) throw std::runtime_error(other_form);
        try {
            // it goes by the name's ending
            detector = cv::FaceDetectorYN::create(path, "", {480, 270}, 0.6f, 0.3f, 500);
        } catch (const cv::Exception &) {
            throw std::runtime_error("its name does not end in .onnx");
        }
    }

    // Looks at a frame of luma.
    std::vector<Face> look(const cv::Mat &luma) {
        cv::Mat color;
        cv::cvtColor(luma, color, cv::COLOR_GRAY2BGR);
        prepare(color);
        cv::Mat rows;
        detector->detect(color, rows);
        std::vector<Face> faces;
        for (int row = 0; row < rows.rows; row++) {
            const float *values = rows.ptr<float>(row);
            if (is_face(values, luma.size())) faces.push_back(face(values));
        }
        return faces;
    }

  private:
    static constexpr const char *outputs[] = {"loc", "conf", "iou"};
    static constexpr int values_of[] = {14, 2, 1};
    static constexpr const char *other_form =
        "it is no YuNet model in its form of March 2022 (outputs loc, conf and iou), which OpenCV " CV_VERSION " reads";
    // How far the tip of a nose stands before the eyes, in parts of their distance.
    static constexpr float nose = 0.4f;

    cv::dnn::Net net;
    cv::Ptr<cv::FaceDetectorYN> detector;
    cv::Size size;

    // OpenCV reads as many values as its own boxes want, whatever a model has: they are counted once for each size.
    void prepare(const cv::Mat &color) {
        if (size == color.size()) return;
        net.setInput(cv::dnn::blobFromImage(color));
        std::vector<cv::Mat> results;
        net.forward(results, std::vector<cv::String>(std::begin(outputs), std::end(outputs)));
        for (size_t place = 0; place < 3; place++)
            if (results.size() != 3 || results[place].type() != CV_32F || !results[place].isContinuous() ||
                results[place].total() != boxes(color.size()) * values_of[place])
                throw std::runtime_error(other_form);
        detector->setInputSize(color.size());
        size = color.size();
    }

    // Boxes that the detector has for a size: three, two, two and three for each place of its four grids.
    static size_t boxes(cv::Size size) {
        int wide = (size.width + 1) / 4, high = (size.height + 1) / 4;
        size_t count = 0;
        for (size_t each : {3, 2, 2, 3}) {
            wide /= 2;
            high /= 2;
            count += each * static_cast<size_t>(wide) * static_cast<size_t>(high);
        }
        return count;
    }

    // What a model says may be anything.
    static bool is_face(const float *values, cv::Size size) {
        const auto longest = static_cast<float>(2 * std::max(size.width, size.height));
        for (int place = 0; place < 15; place++)
            if (!std::isfinite(values[place]) || std::abs(values[place]) > longest) return false;
        return values[2] >= 1 && values[3] >= 1 && values[14] >= 0 && values[14] <= 1;
    }

    // Left, top, width, height; x and y of the eyes (the left one of the frame first), the nose, the corners of the
    // mouth; score.
    static Face face(const float *values) {
        const cv::Point2f first(values[4], values[5]), second(values[6], values[7]), tip(values[8], values[9]);
        const cv::Point2f eyes = second - first, middle = (first + second) * 0.5f;
        const float apart = std::max(1.0f, std::hypot(eyes.x, eyes.y));
        const float along = (tip - middle).dot(eyes) / (apart * apart);
        const auto degrees = [](float radians) { return static_cast<float>(radians * 180 / CV_PI); };
        return {cv::Rect2f(values[0], values[1], values[2], values[3]), values[14],
                degrees(std::atan2(eyes.y, eyes.x)), degrees(std::atan(along / nose))};
    }
};

} // namespace vcap

#endif
