internal import LibAV
internal import Media

/// Brings a camera's samples to what one listener wants: decodes them, and converts what does not fit. Used by one
/// thread at a time.
final class FrameConversion {
    let input: VideoFormat
    /// What samples are after it.
    let output: VideoFormat
    private let decoder: VideoDecoder?
    /// `nil` where the camera's own samples are wanted.
    private let converter: FrameConverter?
    /// How the camera's pixels lie.
    private let orientation: VideoOrientation
    /// A predicted frame's reference is lost: nothing decodes until the next sync sample.
    private var needsSync: Bool

    /// Why a sample cannot be delivered.
    enum Refusal: Error {
        /// Not a frame, or damaged.
        case undecodable
        /// The listener holds every frame.
        case exhausted
    }

    /// - Parameters:
    ///   - target: raw frames; `nil`: the camera's own samples.
    ///   - connection: what is asked of frames besides what the camera says of itself.
    init(
        from input: VideoFormat, to target: FrameTarget?, by connection: CaptureConnection
    ) throws(MediaError) {
        self.input = input
        var source = input
        source.orientation = connection.orientation(of: input.orientation)
        orientation = source.orientation
        guard let target else {
            (output, decoder, converter, needsSync) = (source, nil, nil, false)
            return
        }
        output = try target.format(of: source)
        decoder = input.codec == nil ? nil : try VideoDecoder(format: input)
        let size = PixelSize(output.width, output.height)
        converter = FrameConverter(
            to: output, limit: FrameBudget.limit(for: size), exhaustion: .refuses,
            leavesDrivers: true)
        needsSync = decoder != nil
    }

    /// Samples were lost before the next one.
    func noteLoss() {
        guard let decoder, input.isPredicted else { return }
        decoder.reset()
        needsSync = true
    }

    /// Whether frames build on each other: then none can be left out before it is decoded.
    var isPredicted: Bool { input.isPredicted }

    /// The samples ready after this one: usually one; a decoder may hold some back.
    /// - Parameter passes: whether a frame of a time is wanted at all.
    func convert(
        _ sample: SampleBuffer, where passes: (MediaTime) -> Bool
    ) throws(Refusal) -> [SampleBuffer] {
        guard let converter else {
            var relabelled = sample
            relabelled.format = .video(output)
            return [relabelled]
        }
        guard let decoder else { return [try convert(sample, input, by: converter)] }
        if needsSync, !sample.isSync { throw .undecodable }
        needsSync = false
        let decoded: [SampleBuffer]
        do throws(MediaError) { decoded = try decoder.decode(sample) } catch {
            throw .undecodable
        }
        var ready: [SampleBuffer] = []
        for frame in decoded where passes(frame.presentationTime) {
            guard let format = frame.format.video else { throw .undecodable }
            ready.append(try convert(frame, format, by: converter))
        }
        return ready
    }

    private func convert(
        _ sample: SampleBuffer, _ format: VideoFormat, by converter: FrameConverter
    ) throws(Refusal) -> SampleBuffer {
        guard let frame = sample.pixelBuffer else { throw .undecodable }
        var (result, source) = (sample, format)
        source.orientation = orientation
        do throws(FrameConverter.Failure) {
            result.payload = .pixels(try converter.convert(frame, source))
        } catch {
            switch error {
            case .exhausted: throw .exhausted
            case .unconvertible: throw .undecodable
            }
        }
        result.format = .video(output)
        return result
    }
}
