extension Verbs {
    static let play = Command(
        "play", "play takes, films and projects as they would be exported",
        operands: .init(synopsis: "CLIP…|PROJECT", count: 1...10_000, completion: .files),
        groups: [PlayOptions.group] + ComposeOptions.groups
            + [.init(title: "Messages", options: StandardOptions.messages)],
        notes: """
            Plays one clip, or clips joined as vcap compose would join them, with its options; or a project. What is \
            shown and heard is what an export would encode. A clip is a movie, a GIF, a still picture or an audio \
            file, or a part of one (take.mp4@5s..20s).
            Keys: space plays and pauses, j k l backwards, pause and forwards, the arrows go a second or ten, . and , \
            a frame, n and p to cuts and chapters, g to a time, i and o set in and out, m a marker, f fills the screen, \
            + - a are the audio's, ? shows all of them, q quits. In and out are printed at the end, as compose takes \
            them.
            Audio is heard forwards up to twice the speed, at its own pitch, and is the clock of the frames; a frame that \
            comes too late is dropped and counted. Where the machine cannot keep up, frames are made in half or a quarter of the size.
            """,
        examples: [
            .init(line: "vcap play take.mp4", meaning: "a take; q quits"),
            .init(
                line: "vcap play a.mp4 b.mp4 --transition dissolve:1s --title Summer",
                meaning: "a film before it is exported"),
            .init(
                line: "vcap play film.vcap.json5 --display none --speaker none --json",
                meaning: "whether this machine plays a project in time, for programs"),
        ],
        handlesSignals: true, use: .film
    ) { arguments in
        try await PlayCommand(plan: PlayPlan(arguments)).run()
    }
}
