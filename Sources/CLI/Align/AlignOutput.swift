import Compose

/// What is written of an alignment.
enum AlignOutput: Sendable {
    case project(ProjectOutput)
    /// A copy of each file in a folder.
    case copies(folder: String)

    /// Nil: nothing is to be written.
    init?(_ arguments: Arguments) throws(CommandFailure) {
        guard let path = try arguments(AlignOptions.output) else {
            guard !arguments.isTyped(AlignOptions.overwrite.spec) else {
                throw CommandFailure(
                    .usage, "--overwrite has nothing to act on: say what to write with -o")
            }
            return nil
        }
        if let project = try ProjectOutput(aligned: arguments) {
            self = .project(project)
        } else if AlignedCopies.isFolder(path) {
            self = .copies(folder: path.hasSuffix("/") ? path : path + "/")
        } else {
            throw CommandFailure(
                .usage,
                "cannot say what to write into \(path): end it in .vcap.json5 or .otio for a project, or in / "
                    + "for a folder of copies")
        }
    }

    /// Refuses what could not be written later, before anything is read.
    func check(
        _ inputs: [String], replacesExisting: Bool
    ) throws(CommandFailure) {
        switch self {
        case .project(let project): try project.check(inputs)
        case .copies(let folder):
            try AlignedCopies.check(inputs, folder: folder, replacesExisting: replacesExisting)
        }
    }
}
