internal import CFFmpeg
package import Media

/// The discrete Fourier transform of real samples, there and back, of one size. Thread-bound.
///
/// Source: libavutil's `av_tx` (`AV_TX_FLOAT_RDFT`); forward without a factor, back with 1/size.
// because its owner serialises its calls
package final class FourierTransform: @unchecked Sendable {
    // immutable
    /// Samples (count; a power of two).
    package let size: Int
    private let forward: TransformPlan
    private let backward: TransformPlan

    /// - Parameter size: samples (count; a power of two from 16 to 2²²).
    /// - Throws: `invalid-setting` for another size; what the library answered.
    package init(size: Int) throws(MediaError) {
        guard (16...1 << 22).contains(size), size & (size - 1) == 0 else {
            throw .refused(
                .invalidSetting, "the Fourier transform",
                "Cannot transform \(size) samples; give a power of two from 16 to 4,194,304.")
        }
        self.size = size
        forward = try TransformPlan(size: size, isBackward: false)
        backward = try TransformPlan(size: size, isBackward: true)
    }

    /// - Parameter samples: at most `size`; silence stands for what is missing.
    package func spectrum(of samples: [Float]) -> Spectrum {
        Spectrum(values: forward.run(samples))
    }

    /// - Parameter spectrum: of a transform of this size.
    package func samples(of spectrum: Spectrum) -> [Float] { backward.run(spectrum.values) }
}

/// One direction: the library's context, and the memory that it wants aligned.
private final class TransformPlan {
    private var context: OpaquePointer?
    private var function: av_tx_fn?
    private let input: UnsafeMutableBufferPointer<Float>
    private let output: UnsafeMutableBufferPointer<Float>

    init(size: Int, isBackward: Bool) throws(MediaError) {
        func memory(_ count: Int) -> UnsafeMutableBufferPointer<Float> {
            let raw = UnsafeMutableRawBufferPointer.allocate(
                byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
            return raw.bindMemory(to: Float.self)
        }
        input = memory(isBackward ? size + 2 : size)
        output = memory(isBackward ? size : size + 2)
        var scale: Float = isBackward ? 1 / Float(size) : 1
        let result = av_tx_init(
            &context, &function, AV_TX_FLOAT_RDFT, isBackward ? 1 : 0, Int32(size), &scale, 0)
        guard result >= 0 else {
            throw .call(
                "av_tx_init", result, code: .conversionFailed, subject: "the Fourier transform",
                attempt: "Cannot set up a Fourier transform of \(size) samples")
        }
    }

    deinit {
        av_tx_uninit(&context)
        input.deallocate()
        output.deallocate()
    }

    func run(_ values: [Float]) -> [Float] {
        let rest = input.update(fromContentsOf: values.prefix(input.count))
        input[rest...].update(repeating: 0)
        function?(context, output.baseAddress, input.baseAddress, MemoryLayout<Float>.stride)
        // the first and the last bin are real; libavutil 57 leaves the last one's imaginary part unwritten
        if output.count > input.count { (output[1], output[output.count - 1]) = (0, 0) }
        return Array(output)
    }
}
