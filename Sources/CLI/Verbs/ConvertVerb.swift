extension Verbs {
    static let convert = Command(
        "convert", "write movies, animations and pictures as movies, GIFs or pictures",
        operands: .init(synopsis: "INPUT…", count: 1...10_000, completion: .files),
        groups: ConvertOptions.groups,
        notes: """
            What needs no encoding is copied as it is coded; --plan says what is copied, what is encoded \
            and why. Pictures keep their own times, however uneven, unless --fps asks for a grid.
            An input is a file, a folder (the movies, pictures and audio files in it) or a pattern such as \
            '*.mov'. Several pictures are one movie at --fps; several inputs else need %n in the output; one that fails does not stop the others, and \
            the exit code is the worst. A live photo (Android's in one file, Apple's photo and .mov) becomes its \
            film, the photo's moment a chapter; with -t a photo like any other. An output is there under its name only when it is complete.
            """,
        examples: [
            .init(line: "vcap convert in.mov -o out.mp4", meaning: "copied where that is possible"),
            .init(
                line: "vcap convert in.mp4 -o small.mp4 -s 720p --crf 26 --range 5s..20s",
                meaning: "fifteen seconds, smaller"),
            .init(
                line: "vcap convert '*.gif' -o 'clips/%n.mp4' --background white",
                meaning: "animations with their exact delays"),
        ],
        handlesSignals: true, use: .film
    ) { arguments in try await ConvertCommand(arguments).run() }
}
