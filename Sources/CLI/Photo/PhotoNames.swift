import Capture
import Media

/// Names of the photos of one run, each ready to be made. Thread-safe.
final class PhotoNames: Sendable {
    // immutable
    private let plan: PhotoPlan
    // guarded by itself
    private let given = Lock<Set<String>>([])

    init(_ plan: PhotoPlan) { self.plan = plan }

    /// The next one: several of one run never replace each other.
    func next() throws(CommandFailure) -> String {
        try given.withLock { names throws(CommandFailure) in
            let path = try path(besides: names)
            names.insert(path)
            return path
        }
    }

    /// Makes a file; where another program was quicker and nobody chose the name, under the next one.
    func retrying<Result>(
        _ first: String, _ make: (String) throws(MediaError) -> Result
    ) throws(MediaError) -> Result {
        var path = first
        while true {
            do throws(MediaError) { return try make(path) } catch {
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
        let inputs = plan.camera.map { $0.hasPrefix("file:") ? [String($0.dropFirst(5))] : [] }
        var output = OutputPath(
            replacesExisting: plan.replacesExisting, inputs: inputs ?? [],
            folders: .ofThisProcess,
            endings: plan.live?.endings ?? ["jpg", "jpeg", "png", "heic", "heif"])
        output.unnamed = .photo
        output.isTaken = { [plan] path in
            let paths = plan.live.map { LivePhotoFiles($0, path: path).paths } ?? [path]
            return names.contains(path)
                || !plan.replacesExisting && paths.contains(where: OutputPath.exists)
        }
        return output
    }
}
