import Capture
import Compose
internal import Glibc
import Media

/// The profiles of one user: a file each, `NAME.json5`, beside the configuration.
struct CameraProfiles: Sendable {
    private static let ending = ".json5"
    /// Longest file that is read (bytes).
    private static let longest = 1 << 20

    /// `nil`: there is not even a home.
    let folder: String?

    init(folders: UserFolders = .ofThisProcess) { folder = folders.profiles }

    /// The profile that options want; `nil` where they want none.
    static func wanted(_ arguments: Arguments) throws(CommandFailure) -> CameraProfile? {
        guard let name = try arguments(RecordOptions.profile) else { return nil }
        return try CameraProfiles().load(name)
    }

    /// Sorted.
    var names: [String] {
        guard let folder else { return [] }
        return FolderListing.names(in: folder).filter { $0.hasSuffix(Self.ending) }
            .map { String($0.dropLast(Self.ending.count)) }
            .filter { ValueKind.profile.parse($0) != nil }.sorted()
    }

    func load(_ name: String) throws(CommandFailure) -> CameraProfile {
        guard let profile = try find(name) else { throw missing(name) }
        return profile
    }

    /// Saves what a camera is set to; of other cameras the profile stays as it is.
    func save(
        _ settings: [CameraSetting], of device: CaptureDevice, as name: String
    ) throws(CommandFailure) {
        let path = try path(of: name)
        try makeFolders()
        let output: TemporaryOutput
        // from here on nobody else writes it
        do throws(MediaError) { output = try TemporaryOutput(path: path, overwrites: true) } catch {
            throw CommandFailure(error, while: .writing)
        }
        var profile: CameraProfile
        do throws(CommandFailure) { profile = try find(name) ?? CameraProfile(name: name) } catch {
            let rest = "mend it, or remove it with vcap controls --remove-profile \(name)"
            throw CommandFailure(error.code, "\(error.message); \(rest)")
        }
        profile.set(settings, of: device)
        do throws(MediaError) {
            try output.write(Array((JSONWriter.text(profile.json, .json5) + "\n").utf8))
        } catch { throw CommandFailure(error, while: .writing) }
    }

    func remove(_ name: String) throws(CommandFailure) {
        let path = try path(of: name)
        guard unlink(path) != 0 else { return }
        let reason = errno
        if reason == ENOENT || reason == ENOTDIR { throw missing(name) }
        throw CommandFailure(
            .cannotCreate, "cannot remove the profile \(path): \(String(cString: strerror(reason)))"
        )
    }

    private func find(_ name: String) throws(CommandFailure) -> CameraProfile? {
        let path = try path(of: name)
        switch SmallFile.read(path, limit: Self.longest) {
        case .absent: return nil
        case .unreadable(let reason):
            throw CommandFailure(.configuration, "cannot read the profile \(path): \(reason)")
        case .bytes(let bytes): return try CameraProfile(bytes, name: name, path: path)
        }
    }

    private func path(of name: String) throws(CommandFailure) -> String {
        guard let folder else {
            throw CommandFailure(
                .configuration, "there is no home for profiles: set HOME or XDG_CONFIG_HOME")
        }
        return "\(folder)/\(name)\(Self.ending)"
    }

    private func missing(_ name: String) -> CommandFailure {
        let names = names
        let rest =
            names.isEmpty
            ? "save one with vcap controls --save-profile \(name)"
            : "there are \(names.joined(separator: ", "))"
        return CommandFailure(.noInput, "there is no profile \(name); \(rest)")
    }

    private func makeFolders() throws(CommandFailure) {
        guard let folder else { return }
        var path = ""
        for part in folder.split(separator: "/") {
            path += "/\(part)"
            if mkdir(path, 0o700) == 0 || access(path, F_OK) == 0 { continue }
            throw CommandFailure(
                .cannotCreate,
                "cannot make the folder \(path): \(String(cString: strerror(errno)))")
        }
    }
}

extension ValueKind where Value == String {
    /// The name of a profile, which is the name of its file, too.
    static var profile: ValueKind {
        ValueKind("NAME", expected: session.expected) { session.parse($0) }
    }
}
