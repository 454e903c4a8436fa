/// Options that mean the same on every verb that has them.
enum StandardOptions {
    static let json = Switch(nil, "json", "print one JSON document instead of text")
    static let quiet = Switch("q", "quiet", "say nothing but errors")
    static let verbose = Switch(
        "v", "verbose", "say more; -vv says everything", isRepeatable: true)
    static let logFormat = Option<String>(
        nil, "log-format", .choice(["text", "json"]), "form of the messages on standard error",
        default: .value("text"))

    static let camera = Option<String>(
        "c", "camera", .selector,
        "the camera: its number in vcap devices, /dev path, identity, alias or a part of its name; "
            + "test: is the built-in one",
        default: .described("the first real one"))

    static let messages: [OptionSpec] = [quiet.spec, verbose.spec, logFormat.spec]
}

extension ValueKind where Value == String {
    /// Words for a device.
    static var selector: ValueKind {
        ValueKind(
            "SEL", expected: "a device such as 0, /dev/video0 or test:",
            completion: .words(["0", "test:", "none"])
        ) { $0.isEmpty ? nil : $0 }
    }
}
