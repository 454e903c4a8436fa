import Capture
import Compose
internal import Glibc
import Media
import Play

/// What is to be played and how, read from the options and checked as far as that needs no film.
struct PlayPlan: Sendable {
    let speaker: SpeakerSelector
    let display: PreviewDisplay
    let span: TimeSpan?
    let isLooping: Bool
    let quitsAtEnd: Bool
    /// A pattern; `nil`: the key is not asked for.
    let stills: String?
    /// Where in and out are written at the end; `nil`: nowhere.
    let savedProject: String?
    let writesJSON: Bool
    private let arguments: Arguments

    init(_ arguments: Arguments) throws(CommandFailure) {
        self.arguments = arguments
        speaker = try arguments(PlayOptions.speaker) ?? .standard
        span = try arguments(ExportOptions.range)
        isLooping = arguments.isOn(PlayOptions.loop)
        quitsAtEnd = arguments.isOn(PlayOptions.once)
        writesJSON = arguments.isOn(StandardOptions.json)
        stills = try arguments(PlayOptions.still)
        savedProject = try Self.savedProject(arguments)
        if isLooping, quitsAtEnd {
            throw CommandFailure(
                .usage, "--loop has no end at which --once would quit: give one of both")
        }
        if let stills, FilmStills.Form(path: stills) == nil {
            throw CommandFailure(
                .usage,
                "cannot say the kind of picture of \(stills) by its ending: use .png or .jpg")
        }
        let wish = try arguments(PreviewOptions.display) ?? .automatic
        do throws(CommandFailure) { display = try PreviewDisplay.find(wish) } catch {
            throw CommandFailure(
                error.code,
                "\(error.message); run it in a terminal, or play without a picture with --display none"
            )
        }
    }

    private static func savedProject(_ arguments: Arguments) throws(CommandFailure) -> String? {
        let option = PlayOptions.saveRange
        guard arguments.isOn(option) else { return nil }
        guard let path = arguments.operands.first, let form = ProjectForm(path: path) else {
            throw CommandFailure(
                .usage, "\(option.spec.name) is for a project, and there is none: leave it out")
        }
        guard form == .project else {
            throw CommandFailure(
                .usage,
                "\(path) has no place for in and out: make a project of it with vcap export \(path) "
                    + "-o NAME.vcap.json5")
        }
        do throws(MediaError) { try ProjectFile.requireWritable(path) } catch {
            // one that is not there is said where it is read
            guard error.code == .noSuchFile else {
                throw CommandFailure(error, while: .writing)
            }
        }
        return path
    }

    /// The film that the operands describe: a project, or clips as `compose` takes them.
    func film() async throws -> Film {
        let operands = arguments.operands
        let variables = ProjectVariables(try VariableOptions.values(arguments))
        if operands.count == 1, let path = operands.first, ProjectForm(path: path) != nil {
            let ofClips = ComposeOptions.groups.flatMap(\.options).filter {
                $0.long != VariableOptions.set.spec.long
            }
            if let idle = ofClips.first(where: arguments.isTyped) {
                throw CommandFailure(
                    .usage, "\(idle.name) is for clips, and \(path) is a project: leave it out")
            }
            return try await ProjectCommand.film(
                path, allowing: try arguments.all(Verbs.mediaRoot), filling: variables)
        }
        if let project = operands.first(where: { ProjectForm(path: $0) != nil }) {
            throw CommandFailure(
                .usage, "\(project) is a project, which is played alone: leave the others out")
        }
        if arguments.isTyped(Verbs.mediaRoot.spec) {
            throw CommandFailure(
                .usage, "--media-root is for a project, and there is none: leave it out")
        }
        if try arguments(ComposeOptions.template) == nil,
            arguments.isTyped(VariableOptions.set.spec)
        {
            throw CommandFailure(
                .usage,
                "--set fills the texts of a project or --template, and there is none: leave it out")
        }
        let clips = try ComposeInputs.clips(operands)
        var timeline = try await ComposedTimeline(arguments: arguments, variables: variables)
            .timeline(of: clips)
        timeline.drawSubtitles()
        return try await FilmCommand.load(timeline)
    }

    /// What is asked for and has no effect.
    var idle: [String] {
        guard !isSteered else { return [] }
        let ofKeys = [
            (PlayOptions.still.spec.name, stills != nil),
            (PlayOptions.saveRange.spec.name, savedProject != nil),
        ]
        return ofKeys.filter(\.1).map {
            "\($0.0) does nothing: there is no window, and no terminal whose keys could be pressed"
        }
    }

    /// Whether somebody can press keys.
    var isSteered: Bool { display.isWindow || isatty(STDIN_FILENO) == 1 }

    /// The part that is played; `nil`: all of it. Between a project's in and out where nobody can go beyond them.
    func range(of film: Film) throws(CommandFailure) -> MediaTimeRange? {
        guard let span else { return quitsAtEnd || !isSteered ? film.range : nil }
        if let range = span.range(within: film.composition.duration) { return range }
        throw CommandFailure(
            .usage,
            "the range begins at \(Amounts.clock(span.start, fractionDigits: 3)), after the film's end at "
                + Amounts.clock(film.composition.duration, fractionDigits: 3))
    }

    /// The box that frames are made for (pixels): that of the display, or the film's own.
    var wantedSize: PixelSize? {
        switch display {
        case .window: PixelSize(1280, 720)
        case .terminal: PreviewLayer.standardSize
        case .none: nil
        }
    }

    /// What a person calls it.
    var title: String {
        let operands = arguments.operands
        let first =
            operands.first.map { $0.split(separator: "/").last.map(String.init) ?? $0 } ?? ""
        return operands.count > 1 ? "\(first) and \(operands.count - 1) more" : first
    }

    /// Of a file (bytes); `nil` where it cannot be known.
    static func size(of path: String) -> Int64? {
        var state = stat()
        return stat(path, &state) == 0 ? Int64(state.st_size) : nil
    }

    /// Whether all of one clip is played, so that more of it belongs to it.
    var isWhole: Bool { clip != nil && span == nil }

    /// The operand, where parts of it have names for `compose` (`take.mp4@5s..20s`): one clip, and no part of it.
    var clip: String? {
        let operands = arguments.operands
        guard operands.count == 1, let path = operands.first, ProjectForm(path: path) == nil,
            !path.contains("@")
        else { return nil }
        return path
    }
}

extension Timeline {
    /// A player shows what in a file is a track.
    fileprivate mutating func drawSubtitles() {
        for index in subtitles.indices {
            subtitles[index].isBurnt = true
            (subtitles[index].isForced, subtitles[index].name) = (false, nil)
        }
    }
}
