internal import Glibc
internal import Media

extension MediaError {
    /// The sentence for a system call that failed while `attempt` (such as "write to a.mp4").
    package init(_ failure: IOFailure, attempt: String, subject: String) {
        let (code, advice) = MediaError.meaning(of: failure.errno, at: subject)
        if failure.errno == EWOULDBLOCK {
            let holder = LockHolder.name(ofFileAt: subject) ?? "another program"
            self.init(
                code: code, function: failure.function, subject: subject, errno: failure.errno,
                message: "Cannot \(attempt): it is being written by \(holder); \(advice).")
            return
        }
        let answer = String(cString: strerror(failure.errno))
        self.init(
            code: code, function: failure.function, subject: subject, errno: failure.errno,
            message: "Cannot \(attempt): \(answer) (\(failure.function)); \(advice).")
    }

    private static func meaning(of number: Int32, at subject: String) -> (Code, String) {
        switch number {
        case ENOENT, ENOTDIR: (.noSuchFile, "check the path")
        case EEXIST:
            (
                .alreadyExists,
                "choose another name, or allow it to be replaced (overwrites; -y of vcap)"
            )
        case ELOOP where isCircle(subject):
            (.noSuchFile, "the link leads to itself; check the path")
        case ELOOP: (.cannotCreate, "the name is a symbolic link; name the file itself")
        case EISDIR: (.cannotCreate, "the name is a folder; add a file name")
        case EINVAL: (.unsupported, "the name must be that of a regular file")
        case EACCES, EPERM: (.notPermitted, "check who may write there")
        case EROFS: (.notPermitted, "the file system is read-only; choose another folder")
        case ENOSPC, EDQUOT: (.diskFull, "free some space or choose another disk")
        case EFBIG: (.diskFull, "the file system cannot hold a larger file; choose another one")
        case EWOULDBLOCK: (.inUse, "stop that, wait for its end, or choose another name")
        case ENAMETOOLONG: (.cannotCreate, "choose a shorter one")
        case EIO: (.ioError, "the disk is failing; save what is on it and replace it")
        default: (.ioError, "check the disk and its connection")
        }
    }

    /// Whether links lead to no file because they lead to each other.
    private static func isCircle(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 && Glibc.errno == ELOOP
    }
}
