import FoundationEssentials
internal import Glibc

/// Where the user's things are, by the XDG base directories.
struct UserFolders: Sendable {
    let environment: [String: String]
    /// The home that the system knows of the user.
    private let account: String?

    init(
        environment: [String: String], account: () -> String? = UserFolders.homeOfAccount
    ) {
        self.environment = environment
        let given = environment["HOME"] ?? ""
        self.account = given.hasPrefix("/") && given != "/" ? nil : account()
    }

    static var ofThisProcess: UserFolders {
        UserFolders(environment: ProcessInfo.processInfo.environment)
    }

    /// Nil where there is none: the root is nobody's.
    var home: String? { account ?? absolute("HOME").flatMap { $0 == "/" ? nil : $0 } }

    /// As the system's list of users has it.
    static func homeOfAccount() -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(getuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let folder = entry.pw_dir
        else { return nil }
        let home = String(cString: folder)
        return home.hasPrefix("/") && home != "/" ? home : nil
    }

    /// Configuration files, the most general first.
    var configFiles: [String] {
        let system = (environment["XDG_CONFIG_DIRS"] ?? "").split(separator: ":")
        let folders = system.isEmpty ? ["/etc/xdg"] : system.reversed().map(String.init)
        return (folders + [configHome].compactMap { $0 }).map { "\($0)/vcap/config.json5" }
    }

    /// What cameras are set to, under names of the user's own; nil where there is not even a home.
    var profiles: String? { configHome.map { "\($0)/vcap/profiles" } }

    private var configHome: String? {
        absolute("XDG_CONFIG_HOME") ?? home.map { "\($0)/.config" }
    }

    /// The folder control sockets live in, and its parent, which must exist.
    var runtime: String {
        if let folder = absolute("XDG_RUNTIME_DIR") { return "\(folder)/vcap" }
        let user = "/run/user/\(getuid())"
        return access(user, W_OK) == 0 ? "\(user)/vcap" : "/tmp/vcap-\(getuid())"
    }

    /// The user's folder of videos, as `xdg-user-dir VIDEOS` answers; nil where there is not even a home.
    var videos: String? { folder("VIDEOS") }

    /// The user's folder of pictures, likewise.
    var pictures: String? { folder("PICTURES") }

    private func folder(_ name: String) -> String? {
        guard let configHome,
            case .bytes(let bytes) = SmallFile.read("\(configHome)/user-dirs.dirs", limit: 65_536)
        else { return home }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        let prefix = "XDG_\(name)_DIR="
        guard let line = lines.last(where: { $0.hasPrefix(prefix) }) else { return home }
        let value = line.dropFirst(prefix.count).filter { $0 != "\"" }
        if value.hasPrefix("$HOME") { return home.map { $0 + value.dropFirst("$HOME".count) } }
        return value.hasPrefix("/") ? String(value) : home
    }

    private func absolute(_ variable: String) -> String? {
        guard let path = environment[variable], path.hasPrefix("/") else { return nil }
        return path
    }
}
