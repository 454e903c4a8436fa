extension Verbs {
    static let thumbs = Command(
        "thumbs", "make pictures of a movie or project at several times, or a storyboard of it",
        operands: .init(synopsis: "CLIP|PROJECT", count: 1...1, completion: .files),
        groups: ThumbsOptions.groups,
        notes: """
            Each picture is the frame on show at its time, upright, in sRGB. A storyboard is a WebVTT file \
            whose cues name places on sheets of 5 by 5 pictures (NAME-001.jpg and so on), as web players show \
            them above their scrubber. Pictures of a movie that still grows are those that are there.
            """,
        examples: [
            .init(
                line: "vcap thumbs lecture.mp4 --every 30s -o 'thumbs/%04d.jpg'",
                meaning: "a picture for each half minute"),
            .init(
                line: "vcap thumbs lecture.mp4 -o board.vtt",
                meaning: "what web players show above their scrubber"),
            .init(
                line:
                    "vcap thumbs film.vcap.json5 --at 3.2s --at 12s -s 640x360 -o 'still-%02d.png'",
                meaning: "frames of a film at two times"),
        ],
        use: .film
    ) { arguments in
        try await ThumbsCommand(plan: ThumbsPlan(arguments)).run()
    }
}
