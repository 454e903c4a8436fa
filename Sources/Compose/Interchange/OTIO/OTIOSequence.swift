internal import Media
internal import Reading

/// Numbered pictures as OpenTimelineIO refers to them: the folder's address, what stands before and behind the number,
/// the first one's number, and a rate by which numbers count, so that each picture shows for as many of its frames as a
/// step has.
enum OTIOSequence {
    /// Of a clip of numbered pictures; nil: it is of something else.
    static func members(_ clip: PlacedClip, _ writer: ProjectWriter) -> [(String, JSONValue)]? {
        guard let sequence = clip.item.sequence, let first = clip.asset.firstNumber,
            let track = clip.asset.tracks.first,
            let path = NumberedPath(reading: writer.relative(clip.item.path))
        else { return nil }
        let numbers = sequence.numberRate
        let rate = Double(numbers.numerator) / Double(numbers.denominator)
        let policy = sequence.gaps == .ignore ? .error : sequence.gaps
        // what it has no words for
        let own: [(String, JSONValue)] =
            sequence.gaps == .ignore
            ? [("gaps", .string("ignore"))] + (sequence.last.map { [("last", .integer($0))] } ?? [])
            : []
        let folder = path.folder.isEmpty ? "./" : path.folder
        return [
            ("metadata", .object(own.isEmpty ? [] : [("vcap", .object(own))])),
            (
                "available_range",
                range(first, pictures: track.sampleCount, step: sequence.step, rate)
            ),
            ("target_url_base", .string(OTIOAddress.url(folder))),
            (
                "name_prefix",
                .string(OTIOAddress.url(String(path.head.dropFirst(path.folder.count))))
            ),
            ("name_suffix", .string(OTIOAddress.url(path.tail))),
            ("start_frame", .integer(first)), ("frame_step", .integer(sequence.step)),
            ("rate", .number(written: "\(rate)")),
            ("frame_zero_padding", .integer(path.leastDigits)),
            ("missing_frame_policy", .string(policy.rawValue)),
        ]
    }

    /// When the time of a sequence begins: its numbers are its frames.
    static func start(_ asset: Asset) -> MediaTime? {
        guard let first = asset.firstNumber, let (_, sequence) = ImageSequence.parse(asset.path)
        else { return nil }
        return sequence.numberRate.time(ofFrames: Int64(first))
    }

    /// Counted so that others find as many pictures in it: they round down what floating point makes of it.
    private static func range(
        _ first: Int, pictures: Int, step: Int, _ rate: Double
    ) -> JSONValue {
        func record(_ value: Double, _ rate: Double) -> JSONValue {
            .object([
                ("OTIO_SCHEMA", .string("RationalTime.1")),
                ("value", .number(written: "\(value)")), ("rate", .number(written: "\(rate)")),
            ])
        }
        let shown = rate / Double(step)
        let frames = Double(pictures * step)
        let isWhole = Int(frames * shown / rate) == pictures
        return .object([
            ("OTIO_SCHEMA", .string("TimeRange.1")), ("start_time", record(Double(first), rate)),
            ("duration", isWhole ? record(frames, rate) : record(Double(pictures), shown)),
        ])
    }
}

extension ImageSequence {
    /// How fast numbers count where each picture shows for as many of them as a step has.
    fileprivate var numberRate: FrameRate {
        let numerator = Int64(rate.numerator) * Int64(step)
        guard let whole = Int32(exactly: numerator) else { return rate }
        return FrameRate(whole, per: rate.denominator)
    }
}

extension FrameRate {
    /// When a frame begins.
    fileprivate func time(ofFrames frames: Int64) -> MediaTime {
        MediaTime(value: frames * Int64(denominator), timescale: numerator)
    }
}

extension OTIOReader {
    /// A clip of numbered pictures; nil: its reference is to something else.
    mutating func sequence(_ node: JSONValue, _ name: String) throws(JSONFailure) -> VideoItem? {
        guard let reference = reference(of: node), schema(reference) == "ImageSequenceReference"
        else { return nil }
        let what = "the clip \(JSONWriter.quoted(String(name.prefix(40))))"
        var sequence = try numbering(reference, what)
        let path = try pattern(reference, sequence, name, what)
        if let own = reference["metadata"]?["vcap"] {
            if let word = own["gaps"]?.text, let gaps = ImageSequence.Gaps(rawValue: word) {
                sequence.gaps = gaps
            }
            if sequence.gaps == .ignore {
                sequence.last = own["last"]?.wholeNumber.flatMap { Int(exactly: $0) }
            }
        }
        return VideoItem(path, as: sequence, name: ownName(name, path))
    }

    /// How the pictures follow each other.
    private func numbering(
        _ reference: JSONValue, _ what: String
    ) throws(JSONFailure) -> ImageSequence {
        func whole(_ key: String, _ usual: Int, _ range: ClosedRange<Int>) throws(JSONFailure)
            -> Int
        {
            guard let node = reference[key], node != .null else { return usual }
            guard let number = node.number, number == number.rounded(),
                let value = Int(exactly: number), range.contains(value)
            else {
                throw JSONFailure(
                    position: node.position,
                    message: "\(key) of \(what) must be a whole number of \(range.lowerBound) to "
                        + "\(range.upperBound)")
            }
            return value
        }
        let step = try whole("frame_step", 1, 1...1_000_000)
        let first = try whole("start_frame", 1, 0...ImageSequence.largestNumber)
        guard let counted = OTIOTime.rate(reference),
            case let rate = counted.divided(by: step), rate.map({ 1 <= $0.approximate }) ?? false,
            let rate
        else {
            throw JSONFailure(
                position: reference["rate"]?.position ?? reference.position,
                message: "the rate of \(what) must be 1 to 1000 pictures a second")
        }
        var sequence = ImageSequence(rate: rate, first: first, step: step)
        let word = reference["missing_frame_policy"]?.text?.lowercased() ?? "error"
        guard let gaps = ImageSequence.Gaps(rawValue: word), gaps != .ignore else {
            throw JSONFailure(
                position: reference["missing_frame_policy"]?.position ?? reference.position,
                message: "missing_frame_policy of \(what) must be error, hold or black")
        }
        sequence.gaps = gaps
        let length = try time(
            reference["available_range"]?["duration"], "the length of \(what)'s media")
        if let length, length > .zero {
            // a rate that is rounded may make it part of one less
            let pictures = Int(length.approximateSeconds * rate.approximate + 0.01)
            sequence.last = min(
                ImageSequence.largestNumber, first + max(0, pictures - 1) * step)
        }
        return sequence
    }

    /// The pattern of the pictures' names; their folder is looked for as other media are.
    private mutating func pattern(
        _ reference: JSONValue, _ sequence: ImageSequence, _ name: String, _ what: String
    ) throws(JSONFailure) -> String {
        let base = reference["target_url_base"]
        let position = base?.position ?? reference.position
        let text = base?.text ?? ""
        let digits = reference["frame_zero_padding"]?.number ?? 0
        guard let folder = OTIOAddress.path(text), (0...9).contains(digits),
            let prefix = OTIOAddress.path(reference["name_prefix"]?.text ?? ""),
            let suffix = OTIOAddress.path(reference["name_suffix"]?.text ?? ""),
            !(prefix + suffix).contains("/")
        else {
            throw JSONFailure(
                position: position,
                message: "\(what) is at \(JSONWriter.quoted(String(text.prefix(100)))), with "
                    + "\(JSONWriter.quoted(String((reference["name_prefix"]?.text ?? "").prefix(40)))) before the "
                    + "numbers of its pictures, which are no files")
        }
        func literal(_ text: String) -> String { text.replacing("%", with: "%%") }
        let place = digits > 1 ? "%0\(Int(digits))d" : "%d"
        let file = literal(prefix) + place + literal(suffix)
        let separator = folder.isEmpty || folder.hasSuffix("/") ? "" : "/"
        let failure: JSONFailure?
        do throws(JSONFailure) {
            let resolved = try resolve(folder + separator + file, position)
            let isThere = NumberedPath(reading: resolved).map { !$0.numbersOnDisk().isEmpty }
            if isThere ?? false { return resolved }
            failure = nil
        } catch { failure = error }
        let first = NumberedPath(reading: file)?.path(sequence.first ?? 0) ?? file
        let found = finder.candidates(for: first).map { path in
            path.dropLast(first.count) + file
        }
        guard found.count < 2 else {
            throw JSONFailure(
                position: position,
                message:
                    "\(what) is not where it is named, and several folders have pictures of its names: "
                    + "\(found.prefix(4).joined(separator: ", ")); put the right ones beside the project, or allow "
                    + "their folder only")
        }
        if let pattern = found.first {
            notCarried.append("the address \(text) of the clip \(name): \(pattern) has its names")
            return String(pattern)
        }
        // what is not there is reported when it is opened
        if let failure { throw failure }
        return try resolve(folder + separator + file, position)
    }
}

extension FrameRate {
    /// Nil where 31 bits do not hold it.
    fileprivate func divided(by count: Int) -> FrameRate? {
        let common = Self.greatestDivisor(Int64(numerator), Int64(count))
        guard let per = Int32(exactly: Int64(denominator) * Int64(count) / common) else {
            return nil
        }
        return FrameRate(Int32(Int64(numerator) / common), per: per)
    }

    private static func greatestDivisor(_ a: Int64, _ b: Int64) -> Int64 {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return max(1, a)
    }
}
