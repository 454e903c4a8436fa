import Compose
import Media

extension Verbs {
    /// As it follows a recording: the clips are the take's.
    static let composeTake = Command(
        compose.name, compose.summary,
        // one take is one film
        groups: compose.groups.dropLast().filter { $0.title != VariableOptions.ofRows.title },
        notes: compose.notes,
        examples: compose.examples, run: compose.run)

    static let compose = Command(
        "compose", "join clips into a film with titles, transitions and music",
        operands: .init(synopsis: "CLIP…", count: 1...10_000, completion: .files),
        groups: ComposeOptions.groups + [
            VariableOptions.ofRows,
            .init(title: "Time code", options: [ComposeOptions.startTimeCode.spec]),
            ExportOptions.group, CodingOptions.group,
        ]
            + [
                .init(
                    title: "Messages",
                    options: StandardOptions.messages)
            ],
        notes: """
            A clip is a movie, a GIF (shown once), a still picture or an audio file, or a part of one: \
            take.mp4@5s..20s, photo.jpg@..6s. With @reverse behind it (take.mp4@..2s@reverse) it plays \
            backwards. A live photo is its film. Numbered pictures are 'shots/a%04d.png@24fps', with how many \
            a second. Generated clips: color:#336699, \
            gradient:white:#336699:45, bars, bars:ebu, counter, counter:down:10s (a file of such a name \
            is ./bars). A folder or a pattern \
            ('day/*.mp4') is all its clips in the order of their names. What a clip has otherwise than the \
            film (size, rate, orientation, colours, audio) is conformed; -v says what and why.
            The film is there under its name only when it is complete. After Ctrl-C the same command \
            continues from where it was.
            """,
        examples: [
            .init(
                line:
                    "vcap compose a.mp4 b.mov --transition dissolve:1s --title Summer -o film.mp4",
                meaning: "two clips with a title"),
            .init(
                line: "vcap compose take.mp4@5s..20s b.mp4 --music song.m4a --duck "
                    + "--voice-over talk.wav@3s -o film.mp4",
                meaning: "a part of a take, with music that makes way for a voice"),
            .init(
                line: "vcap compose a.mp4 b.mp4 --still 3.2s -o frame.png",
                meaning: "one frame of the film as a picture"),
        ],
        handlesSignals: true, use: .film
    ) { arguments in
        let clips = try ComposeInputs.clips(arguments.operands)
        let template = try arguments(ComposeOptions.template)
        return try await FilmSeries(arguments: arguments, project: template).run { item in
            try await ComposedTimeline(
                arguments: item.arguments, variables: item.variables
            ).timeline(of: clips)
        } check: { item, timeline in
            try await FilmCommand(item.arguments, guarding: item.guarded).check(timeline)
        } make: { item in
            try await FilmCommand(item.arguments, guarding: item.guarded).run(
                try await ComposedTimeline(
                    arguments: item.arguments, variables: item.variables
                ).timeline(of: clips))
        }
    }
}
