extension Verbs {
    static let preview = Command(
        "preview", "show what cameras see and microphones hear",
        groups: PreviewOptions.groups,
        notes: """
            On a desktop (X or Wayland) the picture is shown in a window. Without one, and with --display terminal, also over ssh, \
            it is drawn on the terminal: in kitty's graphics or sixels where the terminal says that it has them, else in \
            half blocks, in true colour or 256 colours. Below it stand each camera's name, size, rate and lost frames, and \
            the level of each microphone with its peak. --display kms takes the whole screen of a machine without a desktop.
            Keys, of the window and the terminal: m mirrors, z shows the camera's own pixels, g guides, f focus peaking, e \
            zebra, ? a page of them, q or Ctrl-C quits; F11 fills the screen with the window. The terminal is given back \
            on every way out. vcap record --preview shows the same while it records.
            """,
        examples: [
            .init(
                line: "vcap preview -c test: -a test:",
                meaning: "the built-in camera and microphone"),
            .init(
                line: "vcap preview -c 0 -c 1 -a none -s 720p",
                meaning: "two cameras side by side, without audio"),
            .init(
                line: "vcap preview -c test: -a test: --display none -t 2s --json",
                meaning: "what comes of them, for programs"),
        ],
        handlesSignals: true
    ) { arguments in
        try await PreviewCommand(plan: PreviewPlan(arguments), aliases: arguments.aliases).run()
    }
}
