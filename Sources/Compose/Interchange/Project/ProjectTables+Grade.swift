internal import Media

/// The keys of grades.
extension ProjectTables {
    static let grade = ProjectTable<ColorGrade>(
        "a grade", usual: ColorGrade(),
        [
            .optional(
                "inputLut", \.inputTable, .path,
                "a .cube file that makes usual colours of those that the camera coded, applied first"
            ),
            .value(
                "temperature", \.temperature, .number(ColorGrade.whiteRange),
                "how much warmer (mired; below 0 colder; default 0)"),
            .value(
                "tint", \.tint, .number(ColorGrade.whiteRange),
                "towards magenta (below 0 towards green; default 0)"),
            .value(
                "exposure", \.exposure, .number(ColorGrade.exposureRange),
                "how much lighter (stops; default 0)"),
            .value(
                "contrast", \.contrast, .number(ColorGrade.factorRange),
                "about middle grey (factor; default 1)"),
            .value(
                "saturation", \.saturation, .number(ColorGrade.factorRange),
                "(factor; 0 for black and white; default 1)"),
            .value(
                "lift", \.lift, .channels("a lift by colour", ColorGrade.liftRange),
                "what is added to black (default 0)"),
            .value(
                "gamma", \.gamma, .channels("a gamma by colour", ColorGrade.gammaRange),
                "what lies between black and white, lighter above 1 (exponent; default 1)"),
            .value(
                "gain", \.gain, .channels("a gain by colour", ColorGrade.gainRange),
                "what white becomes (factor; default 1)"),
            .optional(
                "curve", \.curve, .toneCurve, "of red, green and blue alike (default none)"),
            .optional("redCurve", \.redCurve, .toneCurve, "after curve (default none)"),
            .optional("greenCurve", \.greenCurve, .toneCurve, "after curve (default none)"),
            .optional("blueCurve", \.blueCurve, .toneCurve, "after curve (default none)"),
            .optional("lut", \.table, .path, "a .cube file with a look, applied last"),
            .value(
                "lutStrength", \.tableStrength, .number(0...1), "how much of the look (default 1)"),
        ])

    static func channels(
        _ name: String, _ range: ClosedRange<Double>
    ) -> ProjectTable<ChannelValues> {
        ProjectTable<ChannelValues>(
            name, usual: ChannelValues(0),
            [
                .value("red", \.red, .number(range), required: true, ""),
                .value("green", \.green, .number(range), required: true, ""),
                .value("blue", \.blue, .number(range), required: true, ""),
            ])
    }
}

extension ProjectForm<ChannelValues> {
    /// A number where all three are alike.
    fileprivate static func channels(
        _ name: String, _ range: ClosedRange<Double>
    ) -> ProjectForm {
        let number = ProjectForm<Double>.number(range).map {
            ChannelValues($0)
        } back: {
            $0.red
        }
        return .short(number, or: .record(ProjectTables.channels(name, range))) { $0.isEven }
    }
}

extension ProjectForm<ToneCurve> {
    fileprivate static var toneCurve: ProjectForm {
        let phrase = ProjectKind.phrase(
            "a curve such as \"0/0 0.5/0.6 1/1\": 2 to 32 points of what goes in and what comes out, from 0 to "
                + "1, each further to the right than the one before",
            pattern: SchemaPattern.toneCurve)
        return ProjectForm(phrase) { node in
            node.text.flatMap { ToneCurve(projectText: $0) }
        } _: {
            .string($0.projectText)
        }
    }
}
