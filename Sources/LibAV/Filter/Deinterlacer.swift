internal import CFFmpeg
package import Media

/// Makes whole frames of interlaced ones: one of each field, whose other lines are made of the lines beside them and of
/// the frames before and behind. Frames that are not interlaced are passed on. Thread-bound.
///
/// Source: libavfilter's `bwdif`.
package final class Deinterlacer {
    private static let formats: Set<PixelFormat> = [
        .yuv420p, .yuv422p, .yuv444p, .yuv420p10le, .yuv422p10le, .yuv444p10le,
    ]

    /// Whether frames like this one can be made whole: planar YUV of 8 or 10 bits, with lines to look at.
    package static func reads(_ frame: PixelBuffer) -> Bool {
        formats.contains(frame.format) && min(frame.width, frame.height) >= 16
    }

    /// Whether libavfilter is installed and has the filter. Loads it.
    package static var isAvailable: Bool { FilterLibrary.shared?.filterNamed("bwdif") != nil }

    package let format: PixelFormat
    package let width: Int
    package let height: Int
    private let library: FilterLibrary
    private var graph: FilterLibrary.Graph?
    private let source: FilterLibrary.Filter
    private let sink: FilterLibrary.Filter
    private var count: Int64 = 0

    /// - Parameters:
    ///   - format: of the frames, planar YUV of 8 or 10 bits.
    ///   - width, height: of the frames (pixels).
    ///   - isDoubled: whether the second field makes a frame too.
    package init(
        _ format: PixelFormat, width: Int, height: Int, isDoubled: Bool
    ) throws(MediaError) {
        guard Self.formats.contains(format) else {
            throw .refused(
                .unsupported, "\(format)",
                "Cannot deinterlace frames of \(format); give planar YUV of 8 or 10 bits.")
        }
        (self.format, self.width, self.height) = (format, width, height)
        let builder = try FilterGraphBuilder(for: "deinterlace")
        library = builder.library
        var isBuilt = false
        defer { if !isBuilt { builder.discard() } }
        let source = try builder.filter(
            "buffer",
            "video_size=\(width)x\(height):pix_fmt=\(format.libav.rawValue):time_base=1/1000:pixel_aspect=1/1"
        )
        let fields = try builder.filter(
            "bwdif", "mode=\(isDoubled ? "send_field" : "send_frame"):parity=auto:deint=interlaced")
        let sink = try builder.filter("buffersink")
        try builder.link(source, 0, fields, 0)
        try builder.link(fields, 0, sink, 0)
        try builder.configure()
        isBuilt = true
        (self.source, self.sink) = (source, sink)
        graph = builder.graph
    }

    deinit { library.freeGraph(&graph) }

    /// - Parameters:
    ///   - picture: of the agreed size and format.
    ///   - order: nil: it is not interlaced.
    /// - Returns: what is made of the frame added before, first field first; of the first frame nothing.
    package func add(
        _ picture: PixelBuffer, _ order: FieldOrder?
    ) throws(MediaError) -> [PixelBuffer] {
        guard picture.width == width, picture.height == height, picture.format == format else {
            throw .refused(
                .unsupported, "the deinterlacer",
                "Cannot deinterlace a frame of another size or format than agreed.")
        }
        let frame = try FrameBox()
        try frame.show(picture, as: format.libav)
        frame.pointer.pointee.pts = count
        frame.pointer.pointee.interlaced_frame = order == nil ? 0 : 1
        frame.pointer.pointee.top_field_first = order == .topFirst ? 1 : 0
        count += 1
        try check("av_buffersrc_add_frame", library.push(source, frame.pointer))
        return try ready()
    }

    /// - Returns: what is made of the frame added last; no more may be added.
    package func finish() throws(MediaError) -> [PixelBuffer] {
        try check("av_buffersrc_add_frame", library.push(source, nil))
        return try ready()
    }

    private func ready() throws(MediaError) -> [PixelBuffer] {
        var pictures: [PixelBuffer] = []
        while true {
            let frame = try FrameBox()
            let result = library.pull(sink, frame.pointer)
            if result == vcap_averror_eagain || result == vcap_averror_eof { return pictures }
            try check("av_buffersink_get_frame", result)
            if let picture = frame.sharedFrame(format) { pictures.append(picture) }
        }
    }

    private func check(_ function: String, _ result: Int32) throws(MediaError) {
        guard result < 0 else { return }
        throw .call(
            function, result, code: .conversionFailed, subject: "the deinterlacer",
            attempt: "Cannot deinterlace a frame")
    }
}
