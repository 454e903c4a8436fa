import Compose

extension Verbs {
    static let align = Command(
        "align", "find by audio or a running clock how recordings of one event lie to each other",
        operands: .init(synopsis: "FILE FILE…", count: 2...100, completion: .files),
        groups: AlignOptions.groups,
        notes: """
            The first file is the reference. Of each other one is printed when it began (seconds after the \
            reference), how much faster its clock runs (parts per million), how far single measurements are off, \
            and the confidence. Files whose confidence is below \
            \(Int(RecordingAlignment.leastConfidence * 100)) % are not aligned, and the exit code is 4: they have \
            less than \(Int(RecordingAlignment.leastOverlap.approximateSeconds)) s in common with the reference, \
            are silent, or hold what repeats itself, such as a metronome. One file that cannot be aligned does not \
            stop the others, but nothing is written then; the exit code is the highest.
            Files without audio, or whose audio is not enough, are aligned by the running clock that vcap slate \
            --clock makes, where both have seen it: in what record --slate found, and in their frames (from there on, \
            else in the first two minutes). That is exact to about a frame, and the drift is not measured.
            A project shows the first file with video, or with --layout that of all, and has the audio of the \
            others in its place; the reference is heard, the others are silent (volume 0). Copies are cut where all files have begun: in mp4 and mov without \
            encoding, by the edit list; in other containers they are encoded. Neither corrects the clocks' \
            difference; what it amounts to is reported.
            """,
        examples: [
            .init(
                line: "vcap align camera.mp4 phone.mp4 recorder.wav",
                meaning: "when phone and recorder began on the camera's clock"),
            .init(
                line: "vcap align recorder.wav camera.mp4 -o film.vcap.json5",
                meaning: "a project of the camera's video with the recorder's audio"),
            .init(
                line: "vcap align a.mp4 b.mp4 -o aligned/ --json",
                meaning: "copies that begin at the same moment, and a document for programs"),
        ],
        handlesSignals: true, use: .film
    ) { arguments in try await AlignCommand(arguments).run() }
}
