import Compose
import Media

/// What `--grade` and `--lut` do to the colours of the clips.
struct GradeWords {
    let arguments: Arguments

    var grade: ColorGrade {
        get throws(CommandFailure) {
            var grade = ColorGrade()
            let keys = try arguments(ComposeOptions.grade)?.keys ?? []
            if keys.contains(where: { ["lut", "input-lut"].contains($0.name) }) {
                throw CommandFailure(
                    .usage,
                    "--grade: a table is no key of it; name it with --lut, or as inputLut in a project"
                )
            }
            try TypedKey<ColorGrade>.read(keys, of: GradeKey.all, into: &grade) {
                CommandFailure(.usage, "--grade: \($0)")
            }
            grade.table = try arguments(ComposeOptions.lut)
            if grade.table == nil, keys.contains(where: { $0.name == "lut-strength" }) {
                throw CommandFailure(
                    .usage, "--grade: lut-strength is for the table of --lut, and there is none")
            }
            return grade
        }
    }
}

/// What `--grade` knows, and `--overlay`.
enum GradeKey {
    static let all: [TypedKey<ColorGrade>] = [
        number("temperature", -100...100) { $1.temperature = $0 },
        number("tint", -100...100) { $1.tint = $0 },
        number("exposure", -8...8) { $1.exposure = $0 },
        number("contrast", 0...4) { $1.contrast = $0 },
        number("saturation", 0...4) { $1.saturation = $0 },
        channels("lift", -1...1) { $1.lift = $0 },
        channels("gamma", 0.1...10) { $1.gamma = $0 },
        channels("gain", 0...8) { $1.gain = $0 },
        curve("curve") { $1.curve = $0 },
        curve("red-curve") { $1.redCurve = $0 },
        curve("green-curve") { $1.greenCurve = $0 },
        curve("blue-curve") { $1.blueCurve = $0 },
        number("lut-strength", 0...1) { $1.tableStrength = $0 },
    ]

    private static func number(
        _ name: String, _ range: ClosedRange<Double>,
        _ put: @escaping @Sendable (Double, inout ColorGrade) -> Void
    ) -> TypedKey<ColorGrade> {
        let kind = ValueKind<Double>.share(range)
        return TypedKey(name, expected: kind.expected) { text, grade in
            guard let value = kind.parse(text) else { return false }
            put(value, &grade)
            return true
        }
    }

    private static func channels(
        _ name: String, _ range: ClosedRange<Double>,
        _ put: @escaping @Sendable (ChannelValues, inout ColorGrade) -> Void
    ) -> TypedKey<ColorGrade> {
        let kind = ValueKind<Double>.share(range)
        return TypedKey(
            name, expected: "\(kind.expected), or three for red/green/blue"
        ) { text, grade in
            let values = text.split(separator: "/", omittingEmptySubsequences: false)
                .map { kind.parse(String($0)) }
            switch (values.count, values[0]) {
            case (1, let value?): put(ChannelValues(value), &grade)
            case (3, let red?):
                guard let green = values[1], let blue = values[2] else { return false }
                put(ChannelValues(red: red, green: green, blue: blue), &grade)
            default: return false
            }
            return true
        }
    }

    private static func curve(
        _ name: String, _ put: @escaping @Sendable (ToneCurve, inout ColorGrade) -> Void
    ) -> TypedKey<ColorGrade> {
        TypedKey(
            name,
            expected:
                "points from 0 to 1 of what goes in and what comes out, such as \"0/0 0.5/0.6 1/1\""
        ) { text, grade in
            guard let curve = ToneCurve(projectText: text) else { return false }
            put(curve, &grade)
            return true
        }
    }
}
