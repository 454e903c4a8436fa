internal import CEBUR128
internal import Media

/// Measures programme loudness and true peak of what is added. Thread-bound.
///
/// Source: libebur128; true peak 4 times oversampled.
final class LoudnessMeter {
    private let state: UnsafeMutablePointer<ebur128_state>
    private let channels: Int

    /// - Throws: `unsupported` when the library takes no such audio.
    init(channels: Int, sampleRate: Int) throws(MediaError) {
        let mode = EBUR128_MODE_I.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
        guard let state = ebur128_init(UInt32(channels), UInt(sampleRate), Int32(mode)) else {
            throw Self.failure("ebur128_init")
        }
        self.state = state
        self.channels = channels
    }

    deinit {
        var state: UnsafeMutablePointer<ebur128_state>? = state
        ebur128_destroy(&state)
    }

    /// Interleaved frames, full scale ±1.
    func add(_ frames: [Float]) throws(MediaError) {
        let result = frames.withUnsafeBufferPointer { samples in
            ebur128_add_frames_float(state, samples.baseAddress, samples.count / channels)
        }
        guard result == EBUR128_SUCCESS.rawValue else {
            throw Self.failure("ebur128_add_frames_float")
        }
    }

    /// Of everything added so far.
    func loudness() throws(MediaError) -> Loudness {
        var integrated = 0.0
        guard ebur128_loudness_global(state, &integrated) == EBUR128_SUCCESS.rawValue else {
            throw Self.failure("ebur128_loudness_global")
        }
        var peak = 0.0
        for channel in 0..<channels {
            var own = 0.0
            guard ebur128_true_peak(state, UInt32(channel), &own) == EBUR128_SUCCESS.rawValue
            else { throw Self.failure("ebur128_true_peak") }
            peak = max(peak, own)
        }
        return Loudness(
            integrated: integrated.isFinite ? integrated : nil,
            truePeak: peak > 0 ? Decibel.level(peak) : nil)
    }

    private static func failure(_ function: String) -> MediaError {
        MediaError(
            code: .unsupported, function: function, subject: "loudness",
            message: "Cannot measure the loudness of the mix: \(function) refused it; export "
                + "without a loudness target.")
    }
}
