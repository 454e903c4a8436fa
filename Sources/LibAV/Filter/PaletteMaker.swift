internal import CFFmpeg
package import Media

/// A frame in colours of its own.
package struct PaletteFrame: Sendable {
    package let width: Int
    package let height: Int
    /// Which colour each pixel has, row by row.
    package let indices: [UInt8]
    /// 256 colours, 0xAARRGGBB.
    package let palette: [UInt32]

    /// The colour that stands for nothing to be seen.
    package var transparentIndex: UInt8? {
        palette.firstIndex { $0 >> 24 == 0 }.map(UInt8.init)
    }
}

/// Finds the 255 colours that serve a frame best, and dithers it down to them. Thread-bound.
///
/// Frames come back in order, a few later than they went in.
///
/// Source: libavfilter's `palettegen` and `paletteuse`, a palette for each frame, error diffusion by Sierra.
package final class PaletteMaker {
    private let library: FilterLibrary
    private let width: Int
    private let height: Int
    private var graph: FilterLibrary.Graph?
    private let source: FilterLibrary.Filter
    private let sink: FilterLibrary.Filter
    private var count: Int64 = 0

    package init(width: Int, height: Int) throws(MediaError) {
        (self.width, self.height) = (width, height)
        let builder = try FilterGraphBuilder(for: "make a GIF")
        library = builder.library
        var isBuilt = false
        defer { if !isBuilt { builder.discard() } }
        let source = try builder.filter(
            "buffer",
            "video_size=\(width)x\(height):pix_fmt=bgra:time_base=1/1000:pixel_aspect=1/1")
        let split = try builder.filter("split")
        let palette = try builder.filter("palettegen", "stats_mode=single:reserve_transparent=1")
        let use = try builder.filter("paletteuse", "new=1:dither=sierra2_4a")
        let sink = try builder.filter("buffersink")
        try builder.link(source, 0, split, 0)
        try builder.link(split, 0, use, 0)
        try builder.link(split, 1, palette, 0)
        try builder.link(palette, 0, use, 1)
        try builder.link(use, 0, sink, 0)
        try builder.configure()
        isBuilt = true
        (self.source, self.sink) = (source, sink)
        graph = builder.graph
    }

    deinit { library.freeGraph(&graph) }

    /// - Parameter picture: bgra of the agreed size; what is less than half opaque is not seen.
    /// - Returns: what is ready.
    package func add(_ picture: PixelBuffer) throws(MediaError) -> [PaletteFrame] {
        guard picture.width == width, picture.height == height, picture.format == .bgra else {
            throw .refused(
                .unsupported, "the palette",
                "Cannot find colours for a frame of another size or format than agreed.")
        }
        let frame = try FrameBox()
        try frame.show(picture, as: AV_PIX_FMT_BGRA)
        frame.pointer.pointee.pts = count
        count += 1
        try check("av_buffersrc_add_frame", library.push(source, frame.pointer))
        return try ready()
    }

    /// No more come.
    package func finish() throws(MediaError) -> [PaletteFrame] {
        try check("av_buffersrc_add_frame", library.push(source, nil))
        return try ready()
    }

    private func ready() throws(MediaError) -> [PaletteFrame] {
        var frames: [PaletteFrame] = []
        while true {
            let frame = try FrameBox()
            let result = library.pull(sink, frame.pointer)
            if result == vcap_averror_eagain || result == vcap_averror_eof { return frames }
            try check("av_buffersink_get_frame", result)
            frames.append(copy(frame))
        }
    }

    private func copy(_ frame: FrameBox) -> PaletteFrame {
        let data = frame.dataPointers
        let stride = Int(frame.strides[0])
        let indices = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, filled in
            if let pixels = data[0], let base = buffer.baseAddress {
                for row in 0..<height {
                    (base + row * width).update(from: pixels + row * stride, count: width)
                }
            }
            filled = width * height
        }
        let palette = data[1].map { start in
            (0..<256).map {
                UnsafeRawPointer(start).loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)
            }
        }
        return PaletteFrame(
            width: width, height: height, indices: indices,
            palette: palette ?? [UInt32](repeating: 0, count: 256))
    }

    private func check(_ function: String, _ result: Int32) throws(MediaError) {
        guard result < 0 else { return }
        throw .call(
            function, result, code: .conversionFailed, subject: "the palette",
            attempt: "Cannot find colours for a GIF")
    }
}
