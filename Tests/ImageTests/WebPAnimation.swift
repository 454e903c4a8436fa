import CWebPDemux

/// What libwebp's own animation decoder makes of a file: RGBA, one picture after the other.
enum WebPAnimation {
    static func pictures(_ bytes: [UInt8], width: Int, height: Int) -> [[UInt8]] {
        bytes.withUnsafeBufferPointer { buffer in
            var data = WebPData(bytes: buffer.baseAddress, size: buffer.count)
            guard let decoder = WebPAnimDecoderNew(&data, nil) else { return [] }
            defer { WebPAnimDecoderDelete(decoder) }
            var result: [[UInt8]] = []
            var picture: UnsafeMutablePointer<UInt8>?
            var time: Int32 = 0
            while WebPAnimDecoderHasMoreFrames(decoder) != 0,
                WebPAnimDecoderGetNext(decoder, &picture, &time) != 0, let picture
            {
                result.append(
                    Array(UnsafeBufferPointer(start: picture, count: 4 * width * height)))
            }
            return result
        }
    }
}
