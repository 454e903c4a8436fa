internal import CFFmpeg
internal import Media

/// A graph of libavfilter's filters while it is put together.
struct FilterGraphBuilder {
    let library: FilterLibrary
    let graph: FilterLibrary.Graph
    /// What it is for, to stand behind "Cannot".
    private let purpose: String

    /// - Throws: `unsupported` where libavfilter is not installed.
    init(for purpose: String) throws(MediaError) {
        guard let library = FilterLibrary.shared else {
            throw MediaError(
                code: .unsupported, function: "dlopen", subject: FilterLibrary.file,
                message:
                    "Cannot \(purpose) without \(FilterLibrary.file): install Debian's libavfilter8."
            )
        }
        LibAVLog.prepare()
        LibAVLog.clear()
        guard let graph = library.allocateGraph() else {
            throw .memory("avfilter_graph_alloc", "a graph of filters")
        }
        graph.pointee.nb_threads = 1
        (self.library, self.graph, self.purpose) = (library, graph, purpose)
    }

    func discard() {
        var graph: FilterLibrary.Graph? = graph
        library.freeGraph(&graph)
    }

    func filter(
        _ name: String, _ arguments: String? = nil
    ) throws(MediaError) -> FilterLibrary.Filter {
        guard let kind = library.filterNamed(name) else {
            throw .refused(
                .unsupported, name,
                "Cannot \(purpose): this libavfilter has no filter \(name); install Debian's libavfilter8."
            )
        }
        var filter: FilterLibrary.Filter?
        let result = library.create(&filter, kind, name, arguments, nil, graph)
        guard result >= 0, let filter else {
            throw .call(
                "avfilter_graph_create_filter", result, code: .conversionFailed, subject: name,
                attempt: "Cannot \(purpose) with the filter \(name)")
        }
        return filter
    }

    func link(
        _ from: FilterLibrary.Filter, _ output: UInt32, _ to: FilterLibrary.Filter, _ input: UInt32
    ) throws(MediaError) {
        try check("avfilter_link", library.link(from, output, to, input))
    }

    func configure() throws(MediaError) {
        try check("avfilter_graph_config", library.configure(graph, nil))
    }

    private func check(_ function: String, _ result: Int32) throws(MediaError) {
        guard result < 0 else { return }
        throw .call(
            function, result, code: .conversionFailed, subject: "a graph of filters",
            attempt: "Cannot \(purpose)")
    }
}
