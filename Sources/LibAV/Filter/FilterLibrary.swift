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

    static let file = "libavfilter.so.\(LIBAVFILTER_VERSION_MAJOR)"
    /// Loaded when it is asked for first and never given back; nil where it is not installed.
    static let shared = FilterLibrary()

    private init?() {
        guard let library = dlopen(Self.file, RTLD_NOW | RTLD_LOCAL) else { return nil }
        var isWhole = true
        // what is missing is never called
        func call(_ name: String) -> UnsafeMutableRawPointer {
            if let address = dlsym(library, name) { return address }
            isWhole = false
            return library
        }
        allocateGraph = unsafeBitCast(
            call("avfilter_graph_alloc"), to: (@convention(c) () -> Graph?).self)
        freeGraph = unsafeBitCast(
            call("avfilter_graph_free"),
            to: (@convention(c) (UnsafeMutablePointer<Graph?>) -> Void).self)
        configure = unsafeBitCast(
            call("avfilter_graph_config"),
            to: (@convention(c) (Graph, UnsafeMutableRawPointer?) -> Int32).self)
        filterNamed = unsafeBitCast(
            call("avfilter_get_by_name"),
            to: (@convention(c) (UnsafePointer<CChar>) -> UnsafePointer<AVFilter>?).self)
        create = unsafeBitCast(
            call("avfilter_graph_create_filter"),
            to: (@convention(c) (
                UnsafeMutablePointer<Filter?>, UnsafePointer<AVFilter>, UnsafePointer<CChar>,
                UnsafePointer<CChar>?, UnsafeMutableRawPointer?, Graph
            ) -> Int32).self)
        link = unsafeBitCast(
            call("avfilter_link"),
            to: (@convention(c) (Filter, UInt32, Filter, UInt32) -> Int32).self)
        push = unsafeBitCast(
            call("av_buffersrc_add_frame"),
            to: (@convention(c) (Filter, Frame?) -> Int32).self)
        pull = unsafeBitCast(
            call("av_buffersink_get_frame"), to: (@convention(c) (Filter, Frame) -> Int32).self)
        guard isWhole else { return nil }
    }
}
