internal import Media

extension FormatPlanner {
    /// Raw formats from the cheapest to encode to the dearest to convert.
    private static let rawOrder: [PixelFormat] = [
        .yuv420p, .nv12, .nv21, .yuyv422, .uyvy422, .yvyu422, .yuv422p, .nv16, .yuv444p,
        .rgb24, .bgr24, .bgra, .rgba, .gray, .gray10le, .gray12le, .gray16le, .rgb565le,
    ]

    /// The place of a format among those that would do, `nil` when it would not.
    func rank(of format: VideoCaptureFormat) -> Int? {
        switch wanted.inputFormat {
        case .automatic: return automaticRank(of: format)
        case .coded:
            guard case .coded(let codec) = format.coding, format.bayer == nil else { return nil }
            return [.h264, .hevc, .mjpeg].firstIndex(of: codec) ?? 3
        case .named(let word):
            let name = FormatNames.canonical(word)
            // those of packed mosaics differ in case alone
            let isCode =
                format.fourCC == word
                || format.fourCC.lowercased() == word.lowercased()
                    && !formats.contains { $0.fourCC == word }
            return format.name == name || isCode ? 0 : nil
        }
    }

    private func automaticRank(of format: VideoCaptureFormat) -> Int {
        // where nobody asks for depth, what can be seen comes first
        if format.depth != nil { return 40 }
        // what others develop is developed better
        if format.bayer != nil { return 250 }
        return switch format.coding {
        case .raw(let raw): Self.rawOrder.firstIndex(of: raw) ?? 50
        case .coded(.mjpeg): 100
        case .coded: 200  // decoding what predicts costs more and suffers from loss
        case nil: 300
        }
    }

    /// What was chosen, and what stood against the first preference.
    func explanation(of best: Candidate, among all: [Candidate]) -> String {
        var text = "\(best.size)"
        if let duration = best.frameDuration {
            text += " at \(Self.text(of: duration)) fps"
        }
        text += " as \(best.format.name)"
        if let size = wanted.size, size != best.size {
            text += "; \(size) was asked for, \(reason(for: best, insteadOf: size))"
        }
        if case .exactly(let rate) = wanted.rate, let duration = best.frameDuration,
            duration != rate.frameDuration
        {
            text += "; \(rate) fps was asked for, this is the nearest it has there"
        }
        if wanted.inputFormat == .automatic, best.format.bayer == nil,
            case .coded = best.format.coding,
            let raw = fastestRaw(at: best.size, among: all)
        {
            text += "; uncompressed it reaches only \(Self.text(of: raw)) fps at that size"
        }
        return text
    }

    private func reason(for best: Candidate, insteadOf size: PixelSize) -> String {
        let sensor = formats.first { format in
            format.bayer != nil && format.sizes.contains { $0.extent.size(nearest: size) == size }
        }
        // who names no format gets none that we develop
        guard wanted.inputFormat == .automatic, best.format.bayer == nil, let sensor else {
            return "this is the nearest it has"
        }
        return "which it has as \(sensor.name) only"
    }

    private func fastestRaw(at size: PixelSize, among all: [Candidate]) -> MediaTime? {
        all.filter { candidate in
            if case .raw = candidate.format.coding { candidate.size == size } else { false }
        }.compactMap(\.frameDuration).min()
    }

    /// A rate as people write it: `30`, `29.97`.
    static func text(of duration: MediaTime) -> String {
        guard duration.value > 0 else { return "0" }
        let hundredths =
            (Int64(duration.timescale) * 100 + duration.value / 2) / duration.value
        if hundredths % 100 == 0 { return "\(hundredths / 100)" }
        let rest = hundredths % 100
        return "\(hundredths / 100)." + (rest < 10 ? "0\(rest)" : "\(rest)")
    }

    func noFormat(_ deviceName: String) -> MediaError {
        let asked: String
        switch wanted.inputFormat {
        case .automatic: asked = "lists no format vcap can record"
        case .coded: asked = "does not compress; leave out copying"
        case .named(let word): asked = "does not have the format \(word)"
        }
        let names = formats.map(\.name).joined(separator: ", ")
        let rest = names.isEmpty ? "its driver lists none" : "it has \(names)"
        return MediaError(
            code: .unsupportedFormat, subject: deviceName,
            message: "\(deviceName) \(asked); \(rest).")
    }
}
