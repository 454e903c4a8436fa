import Compose
import FoundationEssentials
internal import Glibc
import Movie

/// The file each input becomes.
struct ConvertOutputs {
    /// The output as typed, a folder completed.
    let pattern: String
    /// Files that are read, never written over.
    private let kept: [String]
    private let replaces: Bool
    /// Asked about a path before anything is made.
    var approve: @Sendable (String) throws(CommandFailure) -> Void = { _ throws(CommandFailure) in }

    /// - Throws: usage where several inputs would become one file.
    init(
        _ pattern: String, inputs: [String], kept: [String] = [], replaces: Bool
    ) throws(CommandFailure) {
        self.pattern = Self.inFolder(pattern)
        self.kept = inputs + kept
        self.replaces = replaces
        guard inputs.count > 1 else { return }
        let pattern = self.pattern
        guard Self.hasPlaceholder(pattern) else {
            throw CommandFailure(
                .usage,
                "\(inputs.count) inputs cannot all become \(pattern): put %n, the input's name, or %v, "
                    + "a counter, into it, such as -o 'out/%n.mp4'")
        }
        guard !PathPattern(Self.replaced(pattern, "")).hasCounter else { return }
        var seen: [String: String] = [:]
        for input in inputs {
            let name = Self.name(of: input)
            if let other = seen[name] {
                throw CommandFailure(
                    .usage,
                    "\(other) and \(input) would both become \(Self.replaced(pattern, name)): convert "
                        + "them one after the other, or add %v, a counter")
            }
            seen[name] = input
        }
    }

    /// Paths for what an input becomes.
    /// - Parameter endings: that say what is written.
    func names(
        for input: String, endings: [String] = OutputPath.endings + Self.otherEndings
    ) -> OutputNames {
        let folders = UserFolders(environment: ProcessInfo.processInfo.environment)
        var output = OutputPath(
            replacesExisting: replaces, inputs: kept, folders: folders, endings: endings)
        output.approve = approve
        // of numbered pictures one that is there takes the name of all
        output.isTaken = { NumberedPath($0)?.isTaken ?? OutputPath.exists($0) }
        return OutputNames(
            output, Self.replaced(pattern.keepingNumber, Self.name(of: input).escaped))
    }

    /// Of movies, and of what holds pictures only.
    private static let otherEndings = [
        "m4v", "m4a", "mka", "wav", "flac", "ogg", "opus", "mp3", "gif", "png", "jpg", "jpeg",
    ]

    /// Whether a pattern gives each input a file of its own.
    static func hasPlaceholder(_ pattern: String) -> Bool {
        let pattern = inFolder(pattern)
        return replaced(pattern, "\u{1}") != replaced(pattern, "\u{2}")
            || PathPattern(replaced(pattern, "")).hasCounter
    }

    /// Whether a name is that of a file of audio; Matroska's own are so by their name alone.
    static func isAudio(_ name: String) -> Bool {
        OutputContainer(path: name)?.isAudioOnly ?? false || OutputPath.ending(of: name) == "mka"
    }

    /// A folder holds each input under its own name.
    private static func inFolder(_ pattern: String) -> String {
        var info = stat()
        let isFolder = stat(pattern, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        guard isFolder || pattern.hasSuffix("/") else { return pattern }
        return pattern + (pattern.hasSuffix("/") ? "" : "/") + "%n.mp4"
    }

    /// The input's name without folder and ending.
    static func name(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The pattern with a name for each `%n`; `%%n` is none.
    static func replaced(_ pattern: String, _ name: String) -> String {
        var result = ""
        var isEscaped = false
        for character in pattern {
            if isEscaped, character == "n" {
                result.removeLast()
                result += name
                isEscaped = false
                continue
            }
            result.append(character)
            isEscaped = character == "%" && !isEscaped
        }
        return result
    }
}

extension String {
    /// As it stands for itself in a path pattern.
    var escaped: String { replacing("%", with: "%%") }

    /// As a path pattern that leaves the place of pictures' numbers, such as `%06d`, as they are.
    var keepingNumber: String {
        NumberedPath(self).map { $0.head + "%" + $0.place + $0.tail } ?? self
    }
}
