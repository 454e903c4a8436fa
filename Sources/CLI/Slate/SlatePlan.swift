import Detect
import Media

/// What `vcap slate` is to make, read from the options and checked.
struct SlatePlan: Sendable {
    /// What is made.
    enum Subject: Sendable, Equatable {
        case code(Slate)
        case clock(MediaTime)
    }

    /// How a code is drawn.
    enum Form: String, Sendable, CaseIterable { case png, svg }

    let subject: Subject
    /// `nil`: standard output.
    let output: String?
    let replacesExisting: Bool
    let writesJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        let slate = Slate(
            title: try arguments(SlateOptions.title), scene: try arguments(SlateOptions.scene),
            take: try arguments(SlateOptions.take), marker: try arguments(SlateOptions.marker),
            action: try arguments(SlateOptions.ask))
        output = try arguments(SlateOptions.output)
        replacesExisting = arguments.isOn(SlateOptions.overwrite)
        writesJSON = arguments.isOn(StandardOptions.json)
        guard let length = try arguments(SlateOptions.clock) else {
            subject = .code(slate)
            try checkCode(slate)
            return
        }
        subject = .clock(length)
        guard slate.isEmpty else {
            throw CommandFailure(
                .usage, "a running clock says nothing else: leave --clock out, or the others")
        }
        guard length >= .seconds(1), length <= .seconds(3600) else {
            throw CommandFailure(.usage, "--clock takes a length from 1s to 1h")
        }
        guard ["mp4", "mov"].contains(ending) else {
            throw CommandFailure(
                .usage, "a running clock is a movie: give -o with a name that ends in .mp4 or .mov")
        }
    }

    /// Of the output's name, in lower case.
    private var ending: String { output.map(OutputPath.ending(of:))?.lowercased() ?? "" }

    /// Endings of names that can be written.
    static func endings(of subject: Subject) -> [String] {
        switch subject {
        case .code: Form.allCases.map(\.rawValue)
        case .clock: ["mp4", "mov"]
        }
    }

    /// How a code is drawn into the file; `nil`: in characters.
    var form: Form? { Form(rawValue: ending) }

    private func checkCode(_ slate: Slate) throws(CommandFailure) {
        guard !slate.isEmpty else {
            throw CommandFailure(
                .usage,
                "say what the slate says: --title, --scene, --take, --marker, --ask or --clock")
        }
        guard output == nil || form != nil else {
            throw CommandFailure(.usage, "a code is a .png or .svg file: give -o such a name")
        }
    }
}
