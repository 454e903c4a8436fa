// libvcap-stereo.so: OpenCV's semi-global block matching behind the C interface of Sources/System/CStereo/stereo.h. No
// exception leaves it.
#include "../../../System/CStereo/stereo.h"

#include <opencv2/calib3d.hpp>
#include <opencv2/core/utils/logger.hpp>

#include <cstdio>
#include <exception>

extern "C" {

int vcap_stereo_interface(void) { return VCAP_STEREO_INTERFACE; }

int vcap_stereo_disparity(const uint8_t *left, ptrdiff_t left_bytes_per_row, const uint8_t *right,
                          ptrdiff_t right_bytes_per_row, int width, int height, int disparities, int block,
                          uint16_t *disparity, char *message, size_t message_size) {
    auto refuse = [&](const char *why) {
        if (message && message_size) std::snprintf(message, message_size, "%s", why);
        return -1;
    };
    if (!left || !right || !disparity || width < 1 || height < 1 || width > VCAP_STEREO_LONGEST_SIDE ||
        height > VCAP_STEREO_LONGEST_SIDE || left_bytes_per_row < width || right_bytes_per_row < width)
        return refuse("the frames have no size that can be matched");
    if (disparities < 16 || disparities % 16 != 0 || disparities >= width || block < 3 || block > 11 || block % 2 == 0)
        return refuse("no such range of disparities fits into the frames");
    try {
        cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
        // OpenCV does not write to what it matches
        const cv::Mat one(height, width, CV_8UC1, const_cast<uint8_t *>(left), static_cast<size_t>(left_bytes_per_row));
        const cv::Mat other(height, width, CV_8UC1, const_cast<uint8_t *>(right),
                            static_cast<size_t>(right_bytes_per_row));
        // the penalties that OpenCV's documentation names for a step of one pixel and for more; a match must be better
        // than every other one by a tenth, be the same from right to left, and be no speck
        const auto matcher = cv::StereoSGBM::create(0, disparities, block, 8 * block * block, 32 * block * block, 1, 0,
                                                    10, 100, 2, cv::StereoSGBM::MODE_SGBM);
        cv::Mat found;
        matcher->compute(one, other, found);
        for (int y = 0; y < height; y++) {
            const int16_t *row = found.ptr<int16_t>(y);
            uint16_t *target = disparity + static_cast<size_t>(y) * static_cast<size_t>(width);
            for (int x = 0; x < width; x++) target[x] = row[x] > 0 ? static_cast<uint16_t>(row[x]) : 0;
        }
        return 0;
    } catch (const std::exception &failure) {
        return refuse(failure.what());
    } catch (...) {
        return refuse("OpenCV failed without a reason");
    }
}

} // extern "C"
