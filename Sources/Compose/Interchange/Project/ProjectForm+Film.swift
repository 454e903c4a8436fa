internal import Media

// MARK: - Values that only films have

extension ProjectForm<PixelFormat> {
    static var bits: ProjectForm {
        ProjectForm<String>.choice(of: ["8", "10"]).map {
            $0 == "10" ? .yuv420p10le : .yuv420p
        } back: {
            "\($0.bitDepth)"
        }
    }
}

extension ProjectForm<UInt8> {
    /// A code point of ITU-T H.273, from 1.
    static func code(most: Double) -> ProjectForm {
        ProjectForm<Double>.number(1...most).map {
            UInt8($0)
        } back: {
            Double($0)
        }
    }
}

extension ProjectForm<ColorDescription.Range> {
    static var range: ProjectForm {
        ProjectForm<String>.choice(of: ["limited", "full"]).map {
            ColorDescription.Range(rawValue: $0)
        } back: {
            $0.rawValue
        }
    }
}

extension ProjectForm<ColorDescription> {
    /// A usual name, or the code points of ITU-T H.273.
    static var named: ProjectForm {
        let known: [(name: String, color: ColorDescription)] = [
            ("bt709", .bt709), ("bt601", .bt601),
            ("bt2020", ColorDescription(primaries: 9, transfer: 14, matrix: 9, range: .limited)),
        ]
        let word = ProjectForm<String>.choice(of: known.map(\.name)).map { name in
            known.first { $0.name == name }?.color
        } back: { color in
            known.first { $0.color == color }?.name ?? ""
        }
        return .short(word, or: .record(ProjectTables.color)) { color in
            known.contains { $0.color == color }
        }
    }
}

/// A watermark's keys: one of text and image is there.
struct LongWatermark: Sendable {
    var text: String?
    var image: String?
    /// Of its origin.
    var x: Double?
    var y: Double?
    /// Of its time range.
    var start: MediaTime?
    var length: MediaTime?
    /// Its contents are `text` and `image`.
    var mark = Watermark(.text(""))

    init() {}

    init(_ mark: Watermark) {
        self.mark = mark
        (x, y) = (mark.origin?.x, mark.origin?.y)
        if let range = mark.timeRange {
            start = range.start == .zero ? nil : range.start
            length = range.end == Composition.longestDuration ? nil : range.duration
        }
        switch mark.contents {
        case .text(let text): self.text = text
        case .image(let path): image = path
        }
    }
}

extension ProjectForm<Watermark> {
    static var watermark: ProjectForm {
        let object = ProjectForm<LongWatermark>.record(ProjectTables.watermark)
        return ProjectForm(object.kind) { node, what, reader throws(JSONFailure) in
            let long = try object.read(node, what, &reader)
            var mark = long.mark
            switch (long.text, long.image) {
            case (let text?, nil): mark.contents = .text(text)
            case (nil, let path?): mark.contents = .image(path: path)
            default:
                throw JSONFailure(
                    position: node.position,
                    message: "a watermark needs either \"text\" or \"image\"")
            }
            switch (long.x, long.y) {
            case (let x?, let y?): mark.origin = Point(x: x, y: y)
            case (nil, nil): break
            default:
                throw JSONFailure(
                    position: node.position,
                    message: "a watermark at an exact place needs \"x\" and \"y\"")
            }
            if long.start != nil || long.length != nil {
                let start = long.start ?? .zero
                let rest = max(.zero, Composition.longestDuration - start)
                mark.timeRange = MediaTimeRange(start: start, duration: long.length ?? rest)
            }
            return mark
        } writes: { mark, writer in
            object.write(LongWatermark(mark), writer)
        }
    }
}
