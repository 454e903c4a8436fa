// libvcap-mattes.so: OpenCV's networks behind the C interface of Sources/System/CMattes/mattes.h. No exception leaves it.
#include "../../../System/CMattes/mattes.h"

#include <opencv2/core/utils/logger.hpp>
#include <opencv2/dnn.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace vcap {

static int silent(int, const char *, const char *, const char *, int, void *) { return 0; }

static void quiet() {
    // threads of its own would take what the recording needs, and its errors are ours to say
    cv::setNumThreads(0);
    cv::redirectError(silent);
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
}

static void say(char *message, size_t size, const std::string &why) {
    if (!message || !size) return;
    // the first line, without OpenCV's own place and name of the error
    std::string line = why.substr(0, why.find('\n'));
    const auto error = line.find("error: (");
    if (error != std::string::npos) {
        const auto end = line.find(") ", error);
        if (end != std::string::npos) line = line.substr(end + 2);
    }
    line = line.substr(0, line.find("in function '"));
    while (!line.empty() && std::strchr(" .", line.back())) line.pop_back();
    if (line.empty()) line = "OpenCV does not know one of its operations";
    std::snprintf(message, size, "%s", line.c_str());
}

static cv::dnn::Net read(const uint8_t *model, size_t size) {
    cv::dnn::Net net = cv::dnn::readNetFromONNX(reinterpret_cast<const char *>(model), size);
    net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
    net.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
    return net;
}

static cv::Mat run(cv::dnn::Net &net, const float *input, const int32_t shape[4]) {
    const int sizes[4] = {shape[0], shape[1], shape[2], shape[3]};
    const cv::Mat blob(4, sizes, CV_32F, const_cast<float *>(input));
    net.setInput(blob);
    cv::Mat output = net.forward();
    if (output.depth() != CV_32F || output.dims < 1 || output.dims > 4 || output.empty())
        throw std::runtime_error("its output is no picture of 32-bit floats");
    return output;
}

static size_t count(const int32_t shape[4]) {
    size_t all = 1;
    for (int place = 0; place < 4; place++) all *= static_cast<size_t>(shape[place]);
    return all;
}

} // namespace vcap

struct vcap_mattes {
    cv::dnn::Net net;
};

extern "C" {

int vcap_mattes_interface(void) { return VCAP_MATTES_INTERFACE; }

int vcap_check_model(const char *model, const int32_t *shape, char *message, size_t message_size) {
    try {
        vcap::quiet();
        if (!shape || std::any_of(shape, shape + 4, [](int32_t side) { return side < 1 || side > 1 << 16; }))
            throw std::runtime_error("its input has no size");
        std::ifstream file(model, std::ios::binary | std::ios::ate);
        std::vector<char> bytes(file ? static_cast<size_t>(file.tellg()) : 0);
        file.seekg(0);
        if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
            throw std::runtime_error("it cannot be read");
        cv::dnn::Net net = vcap::read(reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
        std::vector<char>().swap(bytes);
        const std::vector<float> zeros(vcap::count(shape));
        vcap::run(net, zeros.data(), shape);
        return 0;
    } catch (const std::exception &failure) {
        vcap::say(message, message_size, failure.what());
    } catch (...) {
        vcap::say(message, message_size, "OpenCV failed without a reason");
    }
    return -1;
}

vcap_mattes *vcap_mattes_open(const uint8_t *model, size_t size, char *message, size_t message_size) {
    try {
        vcap::quiet();
        auto mattes = std::make_unique<vcap_mattes>();
        mattes->net = vcap::read(model, size);
        return mattes.release();
    } catch (const std::exception &failure) {
        vcap::say(message, message_size, failure.what());
    } catch (...) {
        vcap::say(message, message_size, "OpenCV failed without a reason");
    }
    return nullptr;
}

int64_t vcap_mattes_run(vcap_mattes *mattes, const float *input, const int32_t input_shape[4], float *output,
                        size_t most, int32_t output_shape[4], char *message, size_t message_size) {
    try {
        const cv::Mat result = vcap::run(mattes->net, input, input_shape);
        for (int place = 0; place < 4; place++) {
            const int own = place - (4 - result.dims);
            output_shape[place] = own < 0 ? 1 : result.size[own];
        }
        const size_t total = result.total();
        const cv::Mat flat = result.isContinuous() ? result : result.clone();
        std::memcpy(output, flat.ptr<float>(), std::min(total, most) * sizeof(float));
        return static_cast<int64_t>(total);
    } catch (const std::exception &failure) {
        vcap::say(message, message_size, failure.what());
    } catch (...) {
        vcap::say(message, message_size, "OpenCV failed without a reason");
    }
    return -1;
}

void vcap_mattes_close(vcap_mattes *mattes) { delete mattes; }

} // extern "C"
