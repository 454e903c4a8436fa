extension Verbs {
    static let slate = Command(
        "slate", "make a code or a running clock to be shown to cameras",
        groups: SlateOptions.groups,
        notes: """
            vcap record --slate follows it: title, scene and take become the movie's, and a marker is set at the frame \
            that shows it first. The code is a QR code of one line of text (vcap-slate:1?title=Coffee&take=3), which any \
            other program can make, too. Without -o it is printed in characters, for terminals that write light on \
            dark, and its text below it.
            A running clock (--clock) is a movie to be played on a telephone's screen before all cameras at once; where \
            each of them has it, vcap align says how they lie to each other, without any audio.
            """,
        examples: [
            .init(
                line: "vcap slate --title Coffee --scene 2 --take 3 -o slate.png",
                meaning: "a slate to print or to show on a screen"),
            .init(
                line: "vcap slate --marker Best",
                meaning: "in the terminal: a marker for whatever is being recorded"),
            .init(
                line: "vcap slate --clock 60s -o clock.mp4",
                meaning: "a running clock of a minute, for a telephone"),
        ],
        handlesSignals: true
    ) { arguments in
        try await SlateCommand(plan: SlatePlan(arguments)).run()
    }
}
