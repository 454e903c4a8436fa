internal import CFFmpeg
internal import Glibc
internal import Media

/// libavfilter's calls, looked up when they are wanted for the first time: it brings some thirty libraries along, which
/// a program that records need not load. Immutable.
///
/// Source: libavfilter's `avfilter.h`, `buffersrc.h`, `buffersink.h`.
final class FilterLibrary: Sendable {
    typealias Graph = UnsafeMutablePointer<AVFilterGraph>
    typealias Filter = UnsafeMutablePointer<AVFilterContext>
    typealias Frame = UnsafeMutablePointer<AVFrame>

    let allocateGraph: @convention(c) () -> Graph?
    let freeGraph: @convention(c) (UnsafeMutablePointer<Graph?>) -> Void
    let configure: @convention(c) (Graph, UnsafeMutableRawPointer?) -> Int32
    let filterNamed: @convention(c) (UnsafePointer<CChar>) -> UnsafePointer<AVFilter>?
    let create:
        @convention(c) (
            UnsafeMutablePointer<Filter?>, UnsafePointer<AVFilter>, UnsafePointer<CChar>,
            UnsafePointer<CChar>?, UnsafeMutableRawPointer?, Graph
        ) -> Int32
    let link: @convention(c) (Filter, UInt32, Filter, UInt32) -> Int32
    /// Takes the frame over; nil ends the stream.
    let push: @convention(c) (Filter, Frame?) -> Int32
    let pull: @convention(c) (Filter, Frame) -> Int32

    private static let file = "libavfilter.so.\(LIBAVFILTER_VERSION_MAJOR)"
    private static let loaded = Result { () throws(MediaError) in try FilterLibrary() }

    /// Loaded once and never given back.
    /// - Throws: `unsupported` where it is not installed.
    static func shared() throws(MediaError) -> FilterLibrary { try loaded.get() }

    private init() throws(MediaError) {
        guard let library = dlopen(Self.file, RTLD_NOW | RTLD_LOCAL) else { throw Self.missing }
        func call(_ name: String) throws(MediaError) -> UnsafeMutableRawPointer {
            guard let address = dlsym(library, name) else { throw Self.missing }
            return address
        }
        allocateGraph = unsafeBitCast(
            try call("avfilter_graph_alloc"), to: (@convention(c) () -> Graph?).self)
        freeGraph = unsafeBitCast(
            try call("avfilter_graph_free"),
            to: (@convention(c) (UnsafeMutablePointer<Graph?>) -> Void).self)
        configure = unsafeBitCast(
            try call("avfilter_graph_config"),
            to: (@convention(c) (Graph, UnsafeMutableRawPointer?) -> Int32).self)
        filterNamed = unsafeBitCast(
            try call("avfilter_get_by_name"),
            to: (@convention(c) (UnsafePointer<CChar>) -> UnsafePointer<AVFilter>?).self)
        create = unsafeBitCast(
            try call("avfilter_graph_create_filter"),
            to: (@convention(c) (
                UnsafeMutablePointer<Filter?>, UnsafePointer<AVFilter>, UnsafePointer<CChar>,
                UnsafePointer<CChar>?, UnsafeMutableRawPointer?, Graph
            ) -> Int32).self)
        link = unsafeBitCast(
            try call("avfilter_link"),
            to: (@convention(c) (Filter, UInt32, Filter, UInt32) -> Int32).self)
        push = unsafeBitCast(
            try call("av_buffersrc_add_frame"),
            to: (@convention(c) (Filter, Frame?) -> Int32).self)
        pull = unsafeBitCast(
            try call("av_buffersink_get_frame"), to: (@convention(c) (Filter, Frame) -> Int32).self)
    }

    private static let missing = MediaError(
        code: .unsupported, function: "dlopen", subject: file,
        message: "Cannot make a GIF without \(file): install Debian's libavfilter8.")
}
