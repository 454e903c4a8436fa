public import Media

extension VideoComposition {
    /// The largest frame (pixels): UHD-2, 7680x4320.
    public static let mostPixels = 7680 * 4320

    /// Checks the settings, and that the instructions cover the composition.
    /// - Throws: `invalid-setting` or `invalid-edit`; a hole or an overlap is named with its times.
    public func validate(for composition: Composition) throws(MediaError) {
        try validateSettings()
        try validateCover(until: composition.duration)
        try validateLayerTracks(beside: composition)
        let shown = composition.tracks.filter { $0.mediaType == .video }.map(\.id)
        let tracks = Set(shown + layerTracks.map(\.id))
        for instruction in instructions { try instruction.validate(for: tracks) }
        try animation?.validate()
        for burnt in burntTracks {
            guard composition.track(burnt.trackID)?.mediaType == .text else {
                throw .setting(
                    "burnt tracks",
                    "track \(burnt.trackID) is to be drawn, but it is no text track of the composition"
                )
            }
            try burnt.look.validate("the text track \(burnt.trackID)")
        }
    }

    private func validateLayerTracks(beside composition: Composition) throws(MediaError) {
        var taken = Set(composition.tracks.map(\.id))
        for track in layerTracks {
            guard taken.insert(track.id).inserted else {
                throw .setting(
                    "layer tracks",
                    "the layer track \(track.id) has the number of another track; give it one of its "
                        + "own")
            }
            try track.layer.validate()
        }
    }

    func validateSettings() throws(MediaError) {
        let (width, height) = (renderSize.width, renderSize.height)
        guard width > 0, height > 0, width % 2 == 0, height % 2 == 0, width <= 32_768,
            height <= 32_768, width * height <= VideoComposition.mostPixels
        else {
            throw .setting(
                "render size",
                "the render size is \(width)x\(height); both must be even and above zero, and a frame "
                    + "has at most as many pixels as 7680x4320")
        }
        guard (0.0625...4).contains(renderScale) else {
            throw .setting(
                "render scale", "the render scale is \(renderScale); it can be 1/16 to 4")
        }
        guard frameDuration > .zero, frameDuration <= .seconds(3600) else {
            throw .setting(
                "frame duration",
                "a frame would last \(frameDuration.spoken); it must be above zero and at most an hour"
            )
        }
        guard pixelFormat == .yuv420p || pixelFormat == .yuv420p10le else {
            throw .setting(
                "pixel format",
                "frames cannot be composed in \(pixelFormat.rawValue); use yuv420p or yuv420p10le"
            )
        }
    }

    private func validateCover(until end: MediaTime) throws(MediaError) {
        var covered = MediaTime.zero
        for instruction in instructions {
            let range = instruction.timeRange
            guard !range.isEmpty else {
                throw .cover(
                    "the instruction at \(range.start.spoken) has no length; take it out")
            }
            if range.start > covered { throw .hole(covered, range.start) }
            if range.start < covered {
                throw .cover(
                    "two instructions overlap from \(range.start.spoken) to \(covered.spoken); "
                        + "end the first or begin the second elsewhere")
            }
            covered = range.end
        }
        if covered < end { throw .hole(covered, end) }
    }
}

extension Instruction {
    /// - Parameter tracks: that can be shown.
    fileprivate func validate(for tracks: Set<Int>) throws(MediaError) {
        var seen: Set<Int> = []
        for layer in layers {
            let place = "the instruction at \(timeRange.start.spoken)"
            guard tracks.contains(layer.trackID) else {
                throw .cover(
                    "\(place) shows track \(layer.trackID), which is no video track of the composition "
                        + "and no layer track")
            }
            guard seen.insert(layer.trackID).inserted else {
                throw .cover("\(place) shows track \(layer.trackID) twice; use two tracks")
            }
            try layer.validate()
        }
        for id in requiredSourceTrackIDs + (passthroughTrackID.map { [$0] } ?? [])
        where !tracks.contains(id) {
            throw .cover(
                "the instruction at \(timeRange.start.spoken) needs track \(id), which is no video track "
                    + "of the composition and no layer track")
        }
    }
}

extension LayerInstruction {
    func validate() throws(MediaError) {
        let subject = "track \(trackID)"
        try transforms.map(\.timeRange).checkRamps("transform", subject)
        try opacities.map(\.timeRange).checkRamps("opacity", subject)
        try crops.map(\.timeRange).checkRamps("crop", subject)
        try decorations.map(\.timeRange).checkRamps("decoration", subject)
        try key?.validate(subject)
        if key != nil, case .blurred = fill {
            throw .setting(
                subject,
                "\(subject) has a key and a blurred fill, through which its screen would show; take one of them out"
            )
        }
        try grades.map(\.timeRange).checkRamps("grade", subject)
        for grade in [grade].compactMap(\.self) + grades.flatMap({ [$0.start, $0.end] }) {
            try grade.validate(subject, subject)
            try grade.loadTables()
        }
        try masks.map(\.timeRange).checkRamps("mask", subject)
        for ramp in masks { try ramp.validate(subject) }
        try shownAreas.validate("shown area", subject)
        if !shownAreas.isEmpty, case .blurred = fill {
            throw .setting(
                subject,
                "\(subject) shows an area of its frame and has a blurred fill, which is of all of it; take one of "
                    + "them out")
        }
        for effect in effects {
            try effect.areas.validate("effect", subject)
            if let problem = effect.effect.problem {
                throw .setting(subject, "of an effect of \(subject), \(problem)")
            }
        }
        for ramp in opacities
        where !(0...1).contains(ramp.start) || !(0...1).contains(ramp.end) {
            throw .setting(
                subject,
                "the opacity of \(subject) at \(ramp.timeRange.start.spoken) goes from \(ramp.start) "
                    + "to \(ramp.end); an opacity can be 0 to 1")
        }
        for ramp in transforms where !ramp.start.isFinite || !ramp.end.isFinite {
            throw .setting(
                subject,
                "the transform of \(subject) at \(ramp.timeRange.start.spoken) is not finite")
        }
        for ramp in crops where !ramp.isUsable {
            throw .setting(
                subject,
                "the crop of \(subject) at \(ramp.timeRange.start.spoken) must be finite and neither "
                    + "its size nor its softness below zero")
        }
        if case .blurred(let radius) = fill, !(0.1...1000).contains(radius) {
            throw .setting(
                subject,
                "the blur of \(subject) has a radius of \(radius) pixels; it can be 0.1 to 1000")
        }
        let shapes = [decoration] + decorations.flatMap { [$0.start, $0.end] }
        for shape in shapes { try shape.validate(subject) }
        guard
            shapes.allSatisfy(\.isEmpty) || fill == .none && crops.allSatisfy({ $0.softness == 0 })
        else {
            throw .setting(
                subject,
                "\(subject) has round corners, a border or a shadow, and a fill or a soft crop, whose edge is "
                    + "another one; take one of them out")
        }
    }
}

extension LayerDecoration {
    fileprivate func validate(_ subject: String) throws(MediaError) {
        func check(_ what: String, _ value: Double, _ range: ClosedRange<Double>) throws(MediaError)
        {
            guard !range.contains(value) else { return }
            throw .setting(
                subject,
                "the \(what) of \(subject) is \(value) pixels; it can be \(Int(range.lowerBound)) to "
                    + "\(Int(range.upperBound))")
        }
        try check("corner radius", cornerRadius, 0...16_384)
        try border?.color.validate("the border of \(subject)")
        try check("border", border?.width ?? 0, 0...16_384)
        try shadow?.color.validate("the shadow of \(subject)")
        try check("blur of the shadow", shadow?.blur ?? 0, 0...16_384)
        try check("shift of the shadow", shadow?.x ?? 0, -16_384...16_384)
        try check("shift of the shadow", shadow?.y ?? 0, -16_384...16_384)
    }
}

extension MaskRamp {
    fileprivate func validate(_ subject: String) throws(MediaError) {
        let place = "the mask of \(subject) at \(timeRange.start.spoken)"
        guard start.isLike(end) else {
            throw .setting(
                subject,
                "\(place) goes from one kind to another; let it go from a shape to a shape, or between two "
                    + "thresholds of one picture, both inverted or not")
        }
        for mask in [start, end] where !mask.isUsable {
            throw .setting(
                subject,
                "\(place) must be finite, neither its size nor its softness below zero, and that of a picture "
                    + "at most 1")
        }
    }
}

extension [AreaRamp] {
    fileprivate func validate(_ kind: String, _ subject: String) throws(MediaError) {
        try map(\.timeRange).checkRamps(kind, subject)
        for ramp in self {
            let place = "the area of the \(kind) of \(subject) at \(ramp.timeRange.start.spoken)"
            guard ramp.start.isLike(ramp.end) else {
                throw .setting(
                    subject,
                    "\(place) goes from one kind to another; let only its numbers change")
            }
            try ramp.start.validate(place, subject)
            try ramp.end.validate(place, subject)
        }
        for path in Set(compactMap(\.start.picture)) { try StillLuma.check(path) }
    }
}

extension LayerMask {
    fileprivate var isUsable: Bool {
        guard softness >= 0, softness.isFinite else { return false }
        return switch area {
        case .shape(let shape, let radius): shape.isUsable && radius >= 0 && radius.isFinite
        case .picture(_, let threshold): threshold.isFinite && softness <= 1
        }
    }
}

extension Transform2D {
    var isFinite: Bool { (a + b + c + d + tx + ty).isFinite }
}

extension CropRectangleRamp {
    fileprivate var isUsable: Bool {
        start.isUsable && end.isUsable && softness >= 0 && softness.isFinite
    }
}

extension Rectangle {
    fileprivate var isUsable: Bool {
        let sum: Double = x + y + width + height
        return sum.isFinite && width >= 0 && height >= 0
    }
}

extension MediaError {
    fileprivate static func cover(_ message: String) -> MediaError {
        .edit("video composition", message)
    }

    fileprivate static func hole(_ from: MediaTime, _ to: MediaTime) -> MediaError {
        .cover(
            "no instruction covers \(from.spoken) to \(to.spoken); add one, without layers where only "
                + "the background shows")
    }
}
