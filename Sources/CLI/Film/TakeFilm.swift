import Compose
import Media
import Reading

/// The film that `record --then compose` makes of a take: each span between two pauses is a clip, markers
/// become chapters.
struct TakeFilm {
    let take: Asset

    /// The take's spans, in movie time: pauses lie at frames, so their times are those of the
    /// video track's grid.
    var spans: [MediaTimeRange] {
        let grid = take.tracks.first { $0.mediaType == .video } ?? take.tracks.first
        // in some containers audio ends with its last packet, which is after the last frame
        let end = grid.map { min($0.reach, take.duration) } ?? take.duration
        let borders = ([.zero] + take.pauses.map(\.time) + [end]).map {
            $0.scaled(to: grid?.timescale ?? 90_000, rounding: .nearest)
        }
        return zip(borders, borders.dropFirst()).compactMap { start, end in
            start < end ? MediaTimeRange(from: start, to: end) : nil
        }
    }

    /// The take's clips; its chapters are put into a timeline.
    /// - Parameter opening: how long the timeline's own clips are, which come before.
    /// - Returns: with by how many clips the transition had to be shortened, because they are too short for it.
    func clips(
        of timeline: inout Timeline, behind opening: MediaTime, transition: Transition,
        volume: Double
    ) -> (clips: [VideoItem], shortened: Int) {
        var clips: [VideoItem] = []
        var shortened = 0
        var begin = ticks(opening)
        let spans = spans
        for (index, span) in spans.enumerated() {
            var item = VideoItem(take.path, start: span.start, end: span.end, volume: volume)
            let before = index > 0 ? spans[index - 1].duration : opening
            if before > .zero {
                let room = min(span.duration, before)
                item.transition = fitted(transition, into: room)
                if item.transition != transition { shortened += 1 }
                begin -= ticks(item.transition.duration)
            }
            clips.append(item)
            for marker in take.markers where span.contains(marker.time) {
                let time = begin + ticks(marker.time) - ticks(span.start)
                timeline.chapters.append(
                    Chapter(
                        marker.text,
                        at: MediaTime(value: max(0, time), timescale: Composition.timescale)))
            }
            begin += ticks(span.duration)
        }
        return (clips, shortened)
    }

    /// On the film's grid.
    private func ticks(_ time: MediaTime) -> Int64 {
        time.ticks(per: Composition.timescale, rounding: .nearest)
    }

    /// At most half of the shorter clip, so that every clip is seen by itself.
    private func fitted(_ transition: Transition, into room: MediaTime) -> Transition {
        let limit = MediaTime.milliseconds(room.ticks(per: 1000, rounding: .down) / 2)
        guard transition.duration > limit else { return transition }
        guard limit > .zero else { return .cut }
        var shorter = transition
        shorter.duration = limit
        return shorter
    }
}

/// Composes a take once it is recorded, or while it is.
struct TakeComposition: Sendable {
    let path: String
    let arguments: Arguments
    /// What was typed behind `--then`.
    var words: [String] = []
    /// Which file it is; nil: whichever has its name.
    var file: TakeFile?

    func run() async throws -> ExitCode {
        try await FilmCommand(named).run(try await timeline())
    }

    /// What is made of the film of the take as it is now.
    func export() async throws -> FilmExport {
        let timeline = try await timeline()
        return try FilmExport(
            try await FilmCommand.load(timeline), title: timeline.settings.title, named)
    }

    /// Whether a movie is made, which can be begun before the take has ended.
    func canBeBegun() throws(CommandFailure) -> Bool {
        guard try ProjectOutput(arguments) == nil, !arguments.isOn(ExportOptions.plan),
            try arguments(ExportOptions.planPicture) == nil,
            try !FilmPictures(arguments).areFrames,
            OutputPath.ending(of: try arguments(ExportOptions.output) ?? "") != "gif",
            try CodingOptions.encodesAll(arguments) == nil,
            // of these a look reads the index, of others all of the take
            ["mp4", "mov"].contains(OutputPath.ending(of: path)),
            // parts, and what is measured, are of the whole take
            try arguments(ExportOptions.range) == nil, try arguments(ExportOptions.loudness) == nil,
            // a file of reports, or a descriptor, is for one process
            try arguments(ExportOptions.progress) == nil,
            !arguments.isTyped(ComposeOptions.layout.spec)
        else { return false }
        return true
    }

    /// How much of the film's end the take's going on may change: a transition into what is recorded next, and the last
    /// group of frames (seconds).
    var unsettled: MediaTime {
        let transition = (try? arguments(ComposeOptions.transition)) ?? .cut
        return transition.duration + transition.duration + .seconds(3)
    }

    /// The film's name, where it is known.
    var knownName: String? {
        guard let name = (try? named(ExportOptions.output)) ?? nil else { return nil }
        let plain = name.replacing("%%", with: "")
        guard !plain.contains("%") else { return nil }
        return name.replacing("%%", with: "%")
    }

    /// With the film's name.
    private var named: Arguments {
        var arguments = arguments
        if arguments.entries[ExportOptions.output.spec.long] == nil {
            arguments.entries[ExportOptions.output.spec.long] = Arguments.Entry(
                texts: [Self.filmPath(path).replacing("%", with: "%%")], origin: .commandLine)
        }
        return arguments
    }

    private func timeline() async throws -> Timeline {
        let path = path
        try file?.require(at: path)
        let take = try await NamedThread.run("vcap-work") { try Asset.load(path) }
        try file?.require(at: path)
        let composed = ComposedTimeline(
            arguments: arguments, variables: try variables(recorded: take))
        var timeline = try await composed.base()
        let transition = try arguments(ComposeOptions.transition) ?? .cut
        let opening = try await Self.length(of: timeline)
        let (clips, shortened) = TakeFilm(take: take).clips(
            of: &timeline, behind: opening, transition: transition,
            volume: try arguments(ComposeOptions.volume) ?? 1)
        if shortened > 0 {
            Console.shared.warning(
                "\(shortened) of the take's clips \(shortened == 1 ? "is" : "are") too short for the "
                    + "transition; it is shorter there")
        }
        if timeline.videos.count + clips.count < 2, transition.kind != .cut {
            Console.shared.warning(
                "--transition does nothing: the take has no pause, so it is one clip")
        }
        Console.shared.notice(
            "composing \(Amounts.count(timeline.videos.count + clips.count, "clip"))")
        try await LayoutWords(arguments: arguments).put(
            composed.viewed(clips, of: timeline), into: &timeline, behind: opening)
        return timeline
    }

    /// What fills the places in a template's texts: `take` is the take's name without its ending, and date and
    /// time are those of its beginning, where it has them.
    /// - Parameter take: nil: it is not there yet.
    func variables(recorded take: Asset?) throws(CommandFailure) -> ProjectVariables {
        var context =
            take?.metadata.creationTime.map {
                ProjectVariables.moment(Int($0 / 1_000_000_000))
            } ?? [:]
        let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
        context["take"] = String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
        let values = try VariableOptions.values(arguments)
        if !values.isEmpty, try arguments(ComposeOptions.template) == nil {
            throw CommandFailure(
                .usage, "--set fills the texts of a --template, and there is none: leave it out")
        }
        return ProjectVariables(values, context: context)
    }

    /// Of a template's own clips (seconds).
    static func length(of timeline: Timeline) async throws -> MediaTime {
        let clips = Timeline(settings: timeline.settings, videos: timeline.videos)
        guard !clips.videos.isEmpty else { return .zero }
        return try await NamedThread.run("vcap-work") {
            try TimelineBuilder.film(loading: clips).composition.duration
        }
    }

    /// Beside the take: `take.mp4` becomes `take.film.mp4`.
    static func filmPath(_ path: String) -> String {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        guard let dot = path[slash...].lastIndex(of: ".") else { return path + ".film.mp4" }
        return path[..<dot] + ".film.mp4"
    }
}
