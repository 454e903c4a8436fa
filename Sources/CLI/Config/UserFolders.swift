internal import Glibc

/// Where the user's things are, by the XDG base directories.
struct UserFolders: Sendable {
    let environment: [String: String]

    init(environment: [String: String]) {
        self.environment = environment
    }

    var home: String { absolute("HOME") ?? "/" }

    /// Configuration files, the most general first.
    var configFiles: [String] {
        let system = (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":")
        let folders = system.isEmpty ? ["/etc/xdg"] : system.reversed().map(String.init)
        return (folders + [configHome]).map { "\($0)/vcap/config.json5" }
    }

    private var configHome: String { absolute("XDG_CONFIG_HOME") ?? "\(home)/.config" }

    /// The folder control sockets live in, and its parent, which must exist.
    var runtime: String {
        if let folder = absolute("XDG_RUNTIME_DIR") { return "\(folder)/vcap" }
        let user = "/run/user/\(getuid())"
        return access(user, W_OK) == 0 ? "\(user)/vcap" : "/tmp/vcap-\(getuid())"
    }

    /// The user's folder of videos, as `xdg-user-dir VIDEOS` answers.
    var videos: String {
        guard case .bytes(let bytes) = SmallFile.read("\(configHome)/user-dirs.dirs", limit: 65_536)
        else { return home }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let prefix = "XDG_VIDEOS_DIR="
        guard let line = lines.last(where: { $0.hasPrefix(prefix) }) else { return home }
        let value = line.dropFirst(prefix.count).filter { $0 != "\"" }
        if value.hasPrefix("$HOME") { return home + value.dropFirst("$HOME".count) }
        return value.hasPrefix("/") ? String(value) : home
    }

    private func absolute(_ variable: String) -> String? {
        guard let path = environment[variable], path.hasPrefix("/") else { return nil }
        return path
    }
}
