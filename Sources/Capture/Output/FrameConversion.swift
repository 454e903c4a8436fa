internal import LibAV
internal import Media

/// Brings a camera's samples into the wanted format and size: decodes, converts, rotates, or copies out of
/// driver memory. Used by one thread at a time.
final class FrameConversion {
    /// What a listener wants.
    struct Wish: Sendable {
        /// `nil`: the camera's own samples.
        var format: PixelFormat?
        /// Of the pictures when they are rotated; `nil`: the camera's.
        var size: PixelSize?
        var rotation: FrameRotation
    }

    let input: VideoFormat
    /// What samples are after it.
    let output: VideoFormat
    private let wanted: PixelFormat?
    /// Before they are rotated.
    private let size: PixelSize
    private let decoder: VideoDecoder?
    /// `nil` where pixels stay as they lie.
    private let rotation: PixelRotation?
    private var converter: PixelConverter?
    private var pool: PixelBufferPool?
    private var rotatedPool: PixelBufferPool?
    /// A predicted picture's reference is lost: nothing decodes until the next sync sample.
    private var needsSync: Bool

    /// Why a sample cannot be delivered.
    enum Refusal: Error {
        /// Not a picture, or damaged.
        case undecodable
        /// The listener holds every picture.
        case exhausted
    }

    init(from input: VideoFormat, to wish: Wish) throws(MediaError) {
        self.input = input
        let wanted = wish.format
        self.wanted = wanted
        var output = input
        output.orientation = wish.rotation.connection.orientation(of: input.orientation)
        var decoder: VideoDecoder?
        if let wanted, input.coding != .raw(wanted) {
            output.coding = .raw(wanted)
            output.codecConfiguration = []
            if case .coded = input.coding { decoder = try VideoDecoder(format: input) }
            output.color = try Self.color(of: input, as: wanted)
        }
        rotation = try wanted.flatMap { format throws(MediaError) in
            try wish.rotation.rotation(of: output.orientation, format)
        }
        if let size = wish.size {
            let swaps = rotation?.orientation.swapsAxes ?? false
            output.scale(to: swaps ? PixelSize(size.height, size.width) : size)
        }
        size = PixelSize(output.width, output.height)
        self.output = rotation == nil ? output : output.rotatedUpright
        self.decoder = decoder
        needsSync = decoder != nil
    }

    /// Samples were lost before the next one.
    func noteLoss() {
        guard let decoder, input.codec != .mjpeg else { return }
        decoder.reset()
        needsSync = true
    }

    /// Whether pictures build on each other: then none can be left out before it is decoded.
    var isPredicted: Bool {
        guard let codec = input.codec else { return false }
        return codec != .mjpeg
    }

    /// What the codes mean afterwards. YUV keeps matrix and range (a JPEG camera's full range is
    /// tagged, not squeezed); RGB becomes what a picture of that size usually is.
    private static func color(
        of input: VideoFormat, as wanted: PixelFormat
    ) throws(MediaError) -> ColorDescription {
        guard let raw = input.pixelFormat, raw.isRGB != wanted.isRGB else { return input.color }
        var target = input
        target.coding = .raw(wanted)
        let usual: ColorDescription = input.height >= 720 ? .bt709 : .bt601
        target.color.matrix = wanted.isRGB ? 0 : usual.matrix
        target.color.range = wanted.isRGB ? .full : .limited
        return target.color
    }

    /// The samples ready after this one: usually one; a decoder may hold some back.
    /// - Parameter passes: whether a picture of a time is wanted at all.
    func convert(
        _ sample: SampleBuffer, where passes: (MediaTime) -> Bool
    ) throws(Refusal) -> [SampleBuffer] {
        guard wanted != nil else { return [relabelled(sample)] }
        guard let decoder else { return [try picture(of: sample, like: input)] }
        if needsSync, !sample.isSync { throw .undecodable }
        needsSync = false
        let decoded: [SampleBuffer]
        do throws(MediaError) { decoded = try decoder.decode(sample) } catch {
            throw .undecodable
        }
        var ready: [SampleBuffer] = []
        for picture in decoded where passes(picture.presentationTime) {
            guard let format = picture.format.video else { throw .undecodable }
            ready.append(try self.picture(of: picture, like: format))
        }
        return ready
    }

    private func picture(
        of sample: SampleBuffer, like format: VideoFormat
    ) throws(Refusal) -> SampleBuffer {
        guard let picture = sample.pixelBuffer else { throw .undecodable }
        var result = relabelled(sample)
        // turning copies out of driver memory as well
        let mustConvert =
            picture.format != wanted || (picture.holdLimit != nil && rotation == nil)
            || (picture.width, picture.height) != (size.width, size.height)
        let converted = mustConvert ? try self.converted(picture, like: format) : picture
        result.payload = .pixels(try rotated(converted))
        return result
    }

    private func converted(
        _ frame: PixelBuffer, like format: VideoFormat
    ) throws(Refusal) -> PixelBuffer {
        var target = try Self.buffer(from: &pool, size, wanted ?? frame.format)
        do throws(MediaError) {
            try converter(from: format, frame).convert(frame, into: &target)
        } catch {
            throw .undecodable
        }
        return target
    }

    private func rotated(_ frame: PixelBuffer) throws(Refusal) -> PixelBuffer {
        guard let rotation else { return frame }
        let swaps = rotation.orientation.swapsAxes
        let size = PixelSize(
            swaps ? frame.height : frame.width, swaps ? frame.width : frame.height)
        var target = try Self.buffer(from: &rotatedPool, size, frame.format)
        do throws(MediaError) { try rotation.apply(frame, into: &target) } catch {
            throw .undecodable
        }
        return target
    }

    private func relabelled(_ sample: SampleBuffer) -> SampleBuffer {
        var relabelled = sample
        relabelled.format = .video(output)
        return relabelled
    }

    private static func buffer(
        from pool: inout PixelBufferPool?, _ size: PixelSize, _ format: PixelFormat
    ) throws(Refusal) -> PixelBuffer {
        let fits =
            pool.map { ($0.width, $0.height, $0.format) == (size.width, size.height, format) }
            ?? false
        let known = fits ? pool : nil
        let source =
            known
            ?? PixelBufferPool(
                width: size.width, height: size.height, format: format,
                limit: FrameBudget.limit(for: size))
        pool = source
        do { return try source.makeBuffer() } catch { throw .exhausted }
    }

    /// The converter from what pictures are now: a JPEG says its chroma only when decoded.
    private func converter(
        from format: VideoFormat, _ frame: PixelBuffer
    ) throws(MediaError) -> PixelConverter {
        var source = output
        source.coding = .raw(frame.format)
        (source.width, source.height) = (frame.width, frame.height)
        source.color = format.color
        if let converter, converter.input == source { return converter }
        var target = output
        (target.width, target.height) = (size.width, size.height)
        let fresh = try PixelConverter(from: source, to: target)
        converter = fresh
        return fresh
    }
}
