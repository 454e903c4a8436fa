internal import LibAV
internal import Media

/// Brings the pictures of a conversion into the frame that is encoded. Thread-bound.
protocol FrameFitting: AnyObject {
    /// Of the pictures handed out.
    var target: VideoFormat { get }

    /// - Parameter share: how much of the time has passed (0…1).
    func fitted(
        _ picture: PixelBuffer, _ format: VideoFormat, share: Double
    ) throws(MediaError) -> PixelBuffer
}

/// Brings pictures upright into a frame of a size with the opacity they have; where they do not reach, nothing is
/// to be seen. Thread-bound.
final class TransparentFitter: FrameFitting {
    /// Pictures that wait, that the encoder holds, and the one being made.
    private static let busyFrames = 14
    /// Conformers kept: sequences have pictures of several sizes.
    private static let machineLimit = 4

    // immutable
    let target: VideoFormat
    private let fit: FitMode
    /// Pictures of this size fill the frame.
    private let natural: PixelSize?
    private let frame: PixelSize
    private let pool: PixelBufferPool

    // owned by the calling thread
    private let standard = StandardFrames()
    private var machines: [StraightConformer] = []
    /// What a still picture was made into, for as long as it is shown.
    private var last: (source: PixelBuffer, format: VideoFormat, result: PixelBuffer)?

    /// - Parameter target: raw, of a format with opacity (`StraightConformer.targets`), upright, square pixels.
    init(_ target: VideoFormat, fit: FitMode, natural: PixelSize?, waiting: Int) {
        self.target = target
        self.fit = fit
        self.natural = natural
        frame = PixelSize(width: target.width, height: target.height)
        pool = PixelBufferPool(
            width: target.width, height: target.height, format: target.pixelFormat ?? .bgra,
            limit: waiting + Self.busyFrames)
    }

    func fitted(
        _ picture: PixelBuffer, _ format: VideoFormat, share: Double = 0
    ) throws(MediaError) -> PixelBuffer {
        if let last, last.source.sharesPixels(with: picture), last.format == format {
            return last.result
        }
        let result: PixelBuffer
        var (shown, seen) = (picture, format)
        if target.color.wideName == nil { (shown, seen) = try standard.standard(shown, seen) }
        let (upright, own) = try rotated(shown, seen)
        result = try made(upright, own)
        last = (picture, format, result)
        return result
    }

    /// Upright pictures, as they are described then.
    private func rotated(
        _ picture: PixelBuffer, _ format: VideoFormat
    ) throws(MediaError) -> (PixelBuffer, VideoFormat) {
        guard format.orientation != .upright else { return (picture, format) }
        var own = format
        if !picture.format.canRotate(by: format.orientation) {
            own.coding = .raw(.rgb24)
            own.color = ColorDescription(
                primaries: format.color.primaries, transfer: format.color.transfer, matrix: 2,
                range: .full)
        }
        own.rotate(to: .upright)
        return (try PixelConverter(from: format, to: own).convert(picture), own)
    }

    private func made(
        _ picture: PixelBuffer, _ format: VideoFormat
    ) throws(MediaError) -> PixelBuffer {
        let isNatural = format.uprightPixelSize == natural
        let map = (isNatural ? .stretch : fit).transform(for: format, in: frame)
        let size = format.uprightSize
        let across = Placement(map.tx, size.width * map.a, frame.width, format.width)
        let down = Placement(map.ty, size.height * map.d, frame.height, format.height)
        let isWhole = across.count == frame.width && down.count == frame.height
        var result: PixelBuffer
        do { result = try pool.makeBuffer() } catch {
            result = PixelBuffer(
                width: frame.width, height: frame.height, format: target.pixelFormat ?? .bgra)
        }
        if !isWhole { clear(&result) }
        var part = target
        (part.width, part.height) = (across.count, down.count)
        // what has opacity is not toned, but its codes are not passed on either
        if target.color.wideName == nil, format.color.wideName != nil {
            part.color = ColorDescription(
                primaries: 1, transfer: 13, matrix: 2, range: .unspecified)
        }
        let region = FrameConformer.Region(
            left: across.from, top: down.from, width: across.length, height: down.length)
        let machine = try machine(format, part, region)
        try machine.convert(picture, into: &result, column: across.start, row: down.start)
        return result
    }

    private func machine(
        _ input: VideoFormat, _ output: VideoFormat, _ region: FrameConformer.Region
    ) throws(MediaError) -> StraightConformer {
        let known = machines.firstIndex {
            $0.input == input && $0.output == output && $0.region == region
        }
        if let known { return machines[known] }
        let machine = try StraightConformer(from: input, to: output, region: region)
        if machines.count >= Self.machineLimit { machines.removeFirst() }
        machines.append(machine)
        return machine
    }

    /// Makes a picture in which nothing is seen.
    private func clear(_ picture: inout PixelBuffer) {
        let format = picture.format
        picture.withMutablePlanes { planes in
            for (index, plane) in planes.enumerated() {
                guard !format.isRGB, index < 3 else {
                    plane.base.initializeMemory(
                        as: UInt8.self, repeating: 0, count: plane.bytesPerRow * plane.rows)
                    continue
                }
                // black of ten bits and limited range
                plane.base.initializeMemory(
                    as: UInt16.self, repeating: index == 0 ? 64 : 512,
                    count: plane.bytesPerRow / 2 * plane.rows)
            }
        }
    }

    /// One axis of a picture in the frame, in whole pixels.
    private struct Placement {
        /// Pixels of the frame.
        var start: Int
        var count: Int
        /// What of the picture shows (samples).
        var from: Double
        var length: Double

        init(_ offset: Double, _ length: Double, _ side: Int, _ samples: Int) {
            let low = Int(offset.rounded())
            let high = max(low + 1, Int((offset + length).rounded()))
            start = min(max(0, low), side - 1)
            count = max(1, min(side, high) - start)
            let scale = Double(samples) / Double(high - low)
            from = Double(start - low) * scale
            self.length = Double(count) * scale
        }
    }
}
