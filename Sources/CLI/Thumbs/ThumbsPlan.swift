import Compose
import Media

/// Which pictures are to be made of what, read from the options.
struct ThumbsPlan: Sendable {
    /// Pictures of one run.
    static let most = 10_000

    enum Output: Sendable {
        case pictures(FilmStills.Form)
        case storyboard
    }

    enum Times: Sendable {
        /// `nil`: by the length.
        case every(MediaTime?)
        case count(Int)
        case at([MediaTime])
    }

    let input: String
    let pattern: String
    let output: Output
    let times: Times
    let span: TimeSpan?
    let box: PixelSize?
    let replaces: Bool
    let mediaRoots: [String]
    let variables: ProjectVariables
    let writesJSON: Bool

    init(_ arguments: Arguments) throws(CommandFailure) {
        input = arguments.operands[0]
        pattern = try arguments(ThumbsOptions.output) ?? ""
        replaces = arguments.isOn(ThumbsOptions.overwrite)
        writesJSON = arguments.isOn(StandardOptions.json)
        span = try arguments(ThumbsOptions.range)
        mediaRoots = try arguments.all(Verbs.mediaRoot)
        variables = ProjectVariables(try VariableOptions.values(arguments))
        if !variables.values.isEmpty, ProjectForm(path: input) == nil {
            throw CommandFailure(
                .usage, "--set fills the texts of a project, and \(input) is none: leave it out")
        }
        if !mediaRoots.isEmpty, ProjectForm(path: input) == nil {
            throw CommandFailure(
                .usage, "--media-root is for a project, and \(input) is none: leave it out")
        }
        output = try Self.output(pattern)
        times = try Self.times(arguments)
        let size = try arguments(ThumbsOptions.size).map { PixelSize($0.width, $0.height) }
        if case .storyboard = output { box = size ?? PixelSize(160, 160) } else { box = size }
    }

    private static func output(_ pattern: String) throws(CommandFailure) -> Output {
        if OutputPath.ending(of: pattern) == "vtt" { return .storyboard }
        guard let form = FilmStills.Form(path: pattern) else {
            throw CommandFailure(
                .usage,
                "cannot say the kind of picture of \(pattern) by its ending: use .jpg, .png, or .vtt for a "
                    + "storyboard")
        }
        guard NumberedPath(pattern) != nil else {
            throw CommandFailure(
                .usage,
                "\(pattern) is one file: put the place of a number into the name, such as %04d")
        }
        return .pictures(form)
    }

    private static func times(_ arguments: Arguments) throws(CommandFailure) -> Times {
        let every = try arguments(ThumbsOptions.every)
        let count = try arguments(ThumbsOptions.count)
        let at = try arguments.all(ThumbsOptions.at)
        let given = [
            (ThumbsOptions.every.spec.name, every != nil),
            (ThumbsOptions.count.spec.name, count != nil),
            (ThumbsOptions.at.spec.name, !at.isEmpty),
        ].filter(\.1).map(\.0)
        guard given.count < 2 else {
            throw CommandFailure(
                .usage, "\(given[0]) and \(given[1]) exclude each other; give one of them")
        }
        if !at.isEmpty {
            if arguments.isTyped(ThumbsOptions.range.spec) {
                throw CommandFailure(
                    .usage, "--range has nothing to act on beside --at; leave one of them out")
            }
            return .at(Array(Set(at)).sorted())
        }
        return count.map { .count($0) } ?? .every(every)
    }

    /// When pictures are wanted of what lasts so long, and until when the last one stands.
    func times(in whole: MediaTimeRange) throws(CommandFailure) -> (
        times: [MediaTime], end: MediaTime
    ) {
        var range = whole
        if let span {
            guard let part = span.range(within: whole.duration) else {
                throw CommandFailure(
                    .usage,
                    "the range begins at \(Amounts.clock(span.start, fractionDigits: 3)), after the end of "
                        + "\(input) at \(Amounts.clock(whole.end, fractionDigits: 3))")
            }
            range = part
        }
        switch times {
        case .at(let times):
            // a still picture shows at any time
            if let late = times.first(where: { $0 >= whole.end }), whole.duration > .zero {
                throw CommandFailure(
                    .usage,
                    "--at \(Amounts.clock(late, fractionDigits: 3)) is after the end of \(input) at "
                        + Amounts.clock(whole.end, fractionDigits: 3))
            }
            return (times, max(whole.end, (times.last ?? .zero) + .milliseconds(1)))
        case .count(let count):
            let step = range.duration.timelineStep(count * 2)
            return (
                range.duration == .zero
                    ? [range.start] : (0..<count).map { range.start + step(2 * $0 + 1) },
                max(range.end, range.start + .milliseconds(1))
            )
        case .every(let wanted):
            let tenth = max(.milliseconds(1), range.duration.timelineStep(10)(1))
            let step = wanted ?? min(.seconds(10), tenth)
            var times = [range.start]
            while times[times.count - 1] + step < range.end {
                times.append(times[times.count - 1] + step)
                guard times.count <= Self.most else {
                    throw CommandFailure(
                        .usage,
                        "\(input) has more than \(Self.most) pictures \(Amounts.clock(step, fractionDigits: 3)) apart: "
                            + "give a longer --every, or a --range")
                }
            }
            return (times, max(range.end, range.start + .milliseconds(1)))
        }
    }
}

extension MediaTime {
    /// Parts of a length: so many of equal ones (nanoseconds, rounded down).
    fileprivate func timelineStep(_ parts: Int) -> (Int) -> MediaTime {
        let whole = Int128(nanoseconds())
        return { .nanoseconds(Int64(whole * Int128($0) / Int128(parts))) }
    }
}
