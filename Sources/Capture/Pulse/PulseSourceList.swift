internal import CPulse
internal import Media

/// The sources a server has, and the one it calls default.
struct PulseSourceList: Sendable, Equatable {
    var sources: [PulseSource] = []
    var defaultName: String?

    /// Microphones come before monitors, each in the server's order.
    var ordered: [PulseSource] {
        sources.filter { !$0.isMonitor } + sources.filter(\.isMonitor)
    }

    /// The source that `pulse:name` means.
    func source(named name: String) -> PulseSource? {
        let wanted = name == "default" ? defaultName : name
        return sources.first { $0.name == wanted }
    }

    /// Asks the server.
    static func load(from connection: PulseConnection) throws(MediaError) -> PulseSourceList {
        let box = Box()
        let context = Unmanaged.passUnretained(box).toOpaque()
        defer { withExtendedLifetime(box) {} }
        try connection.finish(
            pa_context_get_source_info_list(connection.context, collectSource, context),
            "pa_context_get_source_info_list")
        try connection.finish(
            pa_context_get_server_info(connection.context, collectServer, context),
            "pa_context_get_server_info")
        return box.list
    }

    fileprivate final class Box {
        var list = PulseSourceList()
    }
}

nonisolated private func collectSource(
    _ connection: OpaquePointer?, _ info: UnsafePointer<pa_source_info>?, _ isLast: Int32,
    _ context: UnsafeMutableRawPointer?
) {
    guard let info, let context, isLast == 0 else { return }
    Unmanaged<PulseSourceList.Box>.fromOpaque(context).takeUnretainedValue()
        .list.sources.append(PulseSource(info.pointee))
}

nonisolated private func collectServer(
    _ connection: OpaquePointer?, _ info: UnsafePointer<pa_server_info>?,
    _ context: UnsafeMutableRawPointer?
) {
    guard let name = info?.pointee.default_source_name, let context else { return }
    Unmanaged<PulseSourceList.Box>.fromOpaque(context).takeUnretainedValue()
        .list.defaultName = String(cString: name)
}
