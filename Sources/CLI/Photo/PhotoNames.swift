import Capture
import Glibc
import Media

/// Names of the photos of one run, each ready to be made. Thread-safe.
final class PhotoNames: Sendable {
    // immutable
    private let plan: PhotoPlan
    // guarded by itself
    private let given = Lock<Set<String>>([])
    /// Folders that were there, and of which it is said that they had to be made again.
    private let folders = Lock<(known: Set<String>, said: Set<String>)>(([], []))

    /// Of making one file in a folder that is moved or deleted again and again (count).
    private static let mostAttempts = 8

    init(_ plan: PhotoPlan) { self.plan = plan }

    /// The next one: several of one run never replace each other.
    func next() throws(CommandFailure) -> String {
        let next = try given.withLock { names throws(CommandFailure) in
            let before = folders.withLock { $0.known.filter { !OutputPath.exists($0) } }
            let path = try path(besides: names)
            for folder in before where OutputPath.exists(folder) { sayGone(folder) }
            names.insert(path)
            return path
        }
        let folder = Self.folder(of: next)
        if !folder.isEmpty { folders.withLock { _ = $0.known.insert(folder) } }
        return next
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    private func sayGone(_ folder: String) {
        guard folders.withLock({ $0.said.insert(folder).inserted }) else { return }
        Console.shared.warning(
            "the folder \(folder) was moved or deleted and is made again: photos that were in it are where it "
                + "is now")
    }

    /// - Parameter error: what making the file failed on.
    /// - Returns: whether the folder of a file was away, or the file's own parts in it were, and is there again.
    private func makesFolderAgain(for path: String, after error: MediaError) -> Bool {
        let folder = Self.folder(of: path)
        guard !folder.isEmpty else { return false }
        // a folder that is being deleted loses its files first, and itself after they are missed
        guard !OutputPath.exists(folder) else { return error.errno == ENOENT }
        do throws(CommandFailure) { try output(besides: []).makeFolders(for: path) } catch {
            return false
        }
        sayGone(folder)
        return true
    }

    /// Makes a file; where another program was quicker and nobody chose the name, under the next one.
    func retrying<Result>(
        _ first: String, _ make: (String) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        var path = first
        var attempts = 0
        while true {
            do throws(MediaError) { return try make(path) } catch {
                attempts += 1
                if attempts < Self.mostAttempts, makesFolderAgain(for: path, after: error) {
                    continue
                }
                guard [.alreadyExists, .inUse].contains(error.code),
                    output(besides: []).counts(plan.output),
                    let other = try? next()
                else { throw error }
                path = other
            }
        }
    }

    private func path(besides names: Set<String>) throws(CommandFailure) -> String {
        var output = output(besides: names)
        let path = try output.prepare(plan.output)
        guard let live = plan.live else { return path }
        output.endings.append("mov")
        for other in LivePhotoFiles(live, path: path).paths.dropFirst() {
            _ = try output.prepare(other.escaped)
        }
        return path
    }

    private func output(besides names: Set<String>) -> OutputPath {
        let usual =
            plan.depthCamera == nil
            ? ["jpg", "jpeg", "png", "heic", "heif", "dng"] : ["jpg", "jpeg"]
        var output = OutputPath(
            replacesExisting: plan.replacesExisting, inputs: plan.inputFiles,
            folders: .ofThisProcess,
            endings: plan.depthCamera == nil ? plan.live?.endings ?? usual : usual)
        output.unnamed = .photo
        output.isTaken = { [plan] path in
            let paths = plan.live.map { LivePhotoFiles($0, path: path).paths } ?? [path]
            return names.contains(path)
                || !plan.replacesExisting && paths.contains(where: OutputPath.exists)
        }
        return output
    }
}
