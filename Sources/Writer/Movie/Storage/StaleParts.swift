internal import Glibc

/// What killed runs have left in a folder: files under the names of `TemporaryName` that nobody has locked.
package enum StaleParts {
    /// Movies with this value are resumed by the export that made them.
    package static let resumableKey = "org.vcap.export-plan"
    /// How long such a part is kept (seconds).
    private static let longestAge = 86_400

    /// Removes them from the folder a file is to be written to. What cannot be removed stays: it hinders
    /// nobody.
    /// - Parameter path: the file; the parts of its own stay that the export which writes it takes up.
    package static func remove(besides path: String) {
        let (folder, _) = TemporaryName.split(path)
        let own = [TemporaryName.Role.part, .earlier].map { TemporaryName.path(for: path, $0) }
        guard let listing = opendir(folder.isEmpty ? "." : String(folder)) else { return }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard bytes.first == UInt8(ascii: "."),
                let name = String(validating: bytes, as: UTF8.self),
                let role = TemporaryName.role(of: name), !own.contains(folder + name)
            else { continue }
            removeStale(folder + name, role)
        }
    }

    private static func removeStale(_ path: String, _ role: TemporaryName.Role) {
        guard let lock = try? FileLock(locking: path), lock.isHeld else { return }
        var status = stat()
        guard lstat(path, &status) == 0, FileIdentity(status) == lock.identity,
            status.st_uid == geteuid()
        else { return }
        let age = time(nil) - status.st_mtim.tv_sec
        if age < longestAge, role == .removed || role.isResumable && canBeResumed(path) { return }
        unlink(path)
    }

    private static func canBeResumed(_ path: String) -> Bool {
        (try? MovieContents(path: path))?.metadata.values[resumableKey] != nil
    }
}

extension TemporaryName.Role {
    fileprivate var isResumable: Bool { self == .part || self == .earlier }
}
