public import Media

extension Layer {
    /// Characters of one text (count).
    public static let maximumCharacters = 10_000
    /// Code points of one text (count); a character may be made of many.
    static let maximumScalars = 4 * maximumCharacters
    /// Layers in layers (levels).
    static let maximumDepth = 64
    /// Layers of a tree (count).
    static let maximumLayers = 10_000
    /// Elements of a path, key frames of an animation (count).
    static let maximumElements = 100_000

    /// Checks every number and text of the tree.
    /// - Throws: `.invalidSetting` naming the layer and the value.
    public func validate() throws(MediaError) {
        var count = 0
        try validate(depth: 1, count: &count)
    }

    private func validate(depth: Int, count: inout Int) throws(MediaError) {
        count += 1
        guard depth <= Self.maximumDepth, count <= Self.maximumLayers else {
            throw refusal(
                "layers are at most \(Self.maximumDepth) deep and \(Self.maximumLayers) in all")
        }
        try check("position", position.components)
        try check("anchor", anchor.components)
        try check("bounds", [bounds.x, bounds.y])
        try check("bounds' size", [bounds.width, bounds.height], in: 0...1e6)
        try check("opacity", [opacity])
        try check("scale", scale.components)
        try check("rotation", [rotation.x, rotation.y, rotation.z], in: -1e9...1e9)
        try check("transform", transform.numbers)
        switch contents {
        case .none, .image: break
        case .solid(let color): try check("color", color)
        case .text(let text): try check(text)
        case .shape(let shape): try check(shape)
        }
        for animation in animations { try check(animation) }
        for layer in sublayers { try layer.validate(depth: depth + 1, count: &count) }
    }

    /// How errors and warnings call the layer.
    var displayName: String {
        if !name.isEmpty { return "the layer \"\(name)\"" }
        switch contents {
        case .none: return "a layer"
        case .text(let text): return "the text \"\(text.text.prefix(40))\""
        case .image(let image): return "the image \(image.path)"
        case .shape: return "a shape"
        case .solid: return "a solid"
        }
    }

    func refusal(_ reason: String) -> MediaError {
        MediaError(
            code: .invalidSetting, subject: displayName,
            message: "Cannot draw \(displayName): \(reason).")
    }

    private func check(
        _ field: String, _ numbers: [Double], in range: ClosedRange<Double> = -1e9...1e9
    ) throws(MediaError) {
        for number in numbers where !range.contains(number) {
            throw refusal(
                "\(field) is \(number); give numbers from \(range.lowerBound) to "
                    + "\(range.upperBound)")
        }
    }

    private func check(_ field: String, _ color: Color?) throws(MediaError) {
        guard let color else { return }
        try check(field, color.components, in: 0...1)
    }

    private func check(_ text: TextContents) throws(MediaError) {
        guard text.text.count <= Self.maximumCharacters,
            text.text.unicodeScalars.count <= Self.maximumScalars
        else {
            throw refusal(
                "it has \(text.text.count) characters; the limit is \(Self.maximumCharacters)")
        }
        guard !text.text.unicodeScalars.contains("\0"), !text.font.family.contains("\0"),
            text.language?.contains("\0") != true
        else { throw refusal("its text contains a NUL character; remove it") }
        try check("the font's size", [text.font.size], in: 0.5...10_000)
        try check("the font's weight", [Double(text.font.weight)], in: 1...1000)
        try check("the line spacing", [text.lineSpacing], in: 0.1...10)
        if let width = text.wrapWidth { try check("the wrap width", [width], in: 1...1e6) }
        if case .shrink(let size) = text.fit {
            try check("the smallest size", [size], in: 0.5...1e4)
        }
        try check("color", text.color)
        try check("the outline's color", text.outline?.color)
        try check("the outline's width", [text.outline?.width ?? 0], in: 0...1000)
        try check("the shadow's color", text.shadow?.color)
        try check("the shadow's offset", text.shadow?.offset.components ?? [], in: -1e5...1e5)
        try check("the shadow's radius", [text.shadow?.radius ?? 0], in: 0...1000)
        try check("the background's color", text.background?.color)
        try check(
            "the background's padding", text.background?.padding.components ?? [], in: 0...1e5)
        try check("the progress", [text.progress?.fraction ?? 0], in: 0...1)
        if case .color(let rest) = text.progress?.rest { try check("the progress's color", rest) }
        try check("the background's corners", [text.background?.cornerRadius ?? 0], in: 0...1e5)
    }

    private func check(_ shape: ShapeContents) throws(MediaError) {
        guard shape.path.elements.count <= Self.maximumElements else {
            throw refusal("its path has more than \(Self.maximumElements) elements")
        }
        for element in shape.path.elements {
            switch element {
            case .move(let point), .line(let point): try check("path", point.components)
            case .curve(let end, let first, let second):
                try check("path", end.components + first.components + second.components)
            case .close: break
            }
        }
        try check("the fill's color", shape.fill)
        try check("the stroke's color", shape.stroke)
        try check("the line width", [shape.lineWidth], in: 0...1e5)
        try check("the stroke's start and end", [shape.strokeStart, shape.strokeEnd], in: 0...1)
    }

    private func check(_ animation: LayerAnimation) throws(MediaError) {
        let field = "the animation of \(animation.property.rawValue)"
        let (values, times) = (animation.values, animation.keyTimes)
        guard !values.isEmpty, values.count <= Self.maximumElements, values.count == times.count,
            animation.curves.isEmpty || animation.curves.count == values.count - 1
        else {
            throw refusal(
                "\(field) has \(values.count) values, \(times.count) key times and "
                    + "\(animation.curves.count) curves; give as many times as values, one curve less"
            )
        }
        try check(field, values.flatMap { $0 })
        try check("\(field): key time", times, in: 0...1)
        guard zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }) else {
            throw refusal("\(field): its key times fall")
        }
        try check(
            "\(field): curve", ([animation.timing.curve] + animation.curves).flatMap(\.numbers))
        guard animation.timing.duration > .zero else {
            throw refusal("\(field) has no duration; give a positive one")
        }
        switch animation.timing.repeats {
        case .count(let count): try check("\(field): repeats", [count], in: 1e-6...1e9)
        case .duration(let span) where span <= .zero:
            throw refusal("\(field) repeats for no time; give a positive one")
        case .duration, .forever: break
        }
    }
}

extension TimingCurve {
    fileprivate var numbers: [Double] { [x1, y1, x2, y2] }
}
