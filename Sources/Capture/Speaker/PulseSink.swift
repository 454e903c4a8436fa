internal import CPulse
internal import Media

/// A sink of a sound server as it was when it was listed.
struct PulseSink: Sendable, Equatable {
    /// The server's name for it: what `pulse:` takes.
    var name: String
    /// What a person calls it.
    var description: String

    /// Asks the server for its sinks.
    static func list(from connection: PulseConnection) throws(MediaError) -> [PulseSink] {
        let box = Box()
        let context = Unmanaged.passUnretained(box).toOpaque()
        defer { withExtendedLifetime(box) {} }
        try connection.finish(
            pa_context_get_sink_info_list(connection.context, collectSink, context),
            "pa_context_get_sink_info_list")
        return box.sinks
    }

    fileprivate final class Box {
        private(set) var sinks: [PulseSink] = []

        func add(_ sink: PulseSink) { sinks.append(sink) }
    }
}

nonisolated private func collectSink(
    _ connection: OpaquePointer?, _ info: UnsafePointer<pa_sink_info>?, _ isLast: Int32,
    _ context: UnsafeMutableRawPointer?
) {
    guard let name = info?.pointee.name, let context, isLast == 0 else { return }
    let text = String(cString: name)
    let description = info?.pointee.description.map { String(cString: $0) }
    Unmanaged<PulseSink.Box>.fromOpaque(context).takeUnretainedValue()
        .add(PulseSink(name: text, description: description ?? text))
}
