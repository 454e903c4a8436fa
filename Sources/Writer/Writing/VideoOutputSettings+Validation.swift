public import Media

extension VideoOutputSettings {
    /// - Throws: `invalidSetting`, naming the field.
    public func validate() throws(MediaError) {
        guard VideoCodec.encodable.contains(codec) else {
            throw .setting(
                "codec",
                "\(codec.rawValue) can be read but not encoded; use \(VideoCodec.encodableNames).")
        }
        try validateRate()
        guard preset == nil || hasPresets else {
            throw .setting(
                "preset", "\(codec.rawValue) has no presets; leave it out.")
        }
        guard keyFrameInterval > .zero, keyFrameInterval <= .seconds(10) else {
            throw .setting("key-frame interval", "it must be above 0 and at most 10 s.")
        }
        if let frames = keyFrameIntervalFrames {
            guard hasPresets else {
                throw .setting(
                    "key-frame interval in frames",
                    "every frame of \(codec.rawValue) is a sync sample; leave it out.")
            }
            guard (1...1000).contains(frames) else {
                throw .setting("key-frame interval in frames", "\(frames) is outside 1 to 1,000.")
            }
        }
        if let threads, !(1...16).contains(threads) {
            throw .setting("threads", "\(threads) is outside 1 to 16.")
        }
        try validateProfile()
        try validatePicture()
    }

    private func validateRate() throws(MediaError) {
        switch rate {
        case .quality(let value):
            guard codec != .ffv1 else {
                throw .setting("quality", "FFV1 is lossless and takes no quality; leave it out.")
            }
            guard codec != .prores else {
                throw .setting(
                    "quality", "ProRes 4444 has one quality of its own; leave the setting out.")
            }
            guard let range = codec.qualities, range.contains(value) else {
                throw .setting(
                    "quality",
                    "\(value) is outside \(codec.qualities?.lowerBound ?? 0) to "
                        + "\(codec.qualities?.upperBound ?? 0) for \(codec.rawValue).")
            }
        case .bitrate(let value):
            guard codec != .ffv1 else {
                throw .setting("bitrate", "FFV1 is lossless and takes no bit rate; leave it out.")
            }
            guard codec != .mjpeg else {
                throw .setting(
                    "bitrate",
                    "Motion JPEG has a quality and no bit rate; give a quality of 1 to 31.")
            }
            guard codec != .prores else {
                throw .setting(
                    "bitrate", "ProRes 4444 has a bit rate of its own; leave the setting out.")
            }
            guard (10_000...1_000_000_000).contains(value) else {
                throw .setting("bitrate", "\(value) bit/s is outside 10,000 to 1,000,000,000.")
            }
        case nil: break
        }
    }
}

extension VideoOutputSettings {
    private func validateProfile() throws(MediaError) {
        if let profile {
            let known: [VideoProfile] =
                switch codec {
                case .h264: [.baseline, .main, .high]
                case .hevc: [.main, .main10]
                default: []
                }
            guard known.contains(profile) else {
                let list = known.map(\.rawValue).joined(separator: ", ")
                throw .setting(
                    "profile",
                    known.isEmpty
                        ? "\(codec.rawValue) has one of its own; leave it out."
                        : "\(codec.rawValue) is written as \(list), not \(profile.rawValue).")
            }
        }
        guard let level else { return }
        guard codec == .h264 || codec == .hevc else {
            throw .setting("level", "levels are for h264 and hevc; leave it out.")
        }
        guard let limits = level.limits(of: codec) else {
            throw .setting(
                "level",
                "\(codec.rawValue) has no level \(level), but \(VideoLevel.names(of: codec)).")
        }
        if case .bitrate(let rate) = rate, rate > limits.rate {
            throw .setting(
                "level",
                "\(codec.rawValue) at level \(level) does not hold \(rate / 1000) kbit/s, but "
                    + "\(limits.rate / 1000); ask for a higher one, or a lower bit rate.")
        }
    }

    private func validatePicture() throws(MediaError) {
        guard (width == nil) == (height == nil) else {
            throw .setting(
                width == nil ? "width" : "height", "width and height are given together.")
        }
        for (name, side) in [("width", width), ("height", height)] {
            guard let side else { continue }
            guard (16...16_384).contains(side), side.isMultiple(of: 2) else {
                throw .setting(name, "\(side) is not an even number from 16 to 16,384.")
            }
        }
        if let rate = expectedFrameRate, rate.approximate > 1000 {
            throw .setting("expected frame rate", "\(rate) is above 1,000 a second.")
        }
        if let aspect = pixelAspect {
            let range: ClosedRange<Int32> = 1...65_535
            guard range.contains(aspect.horizontal), range.contains(aspect.vertical) else {
                throw .setting(
                    "pixel aspect",
                    "\(aspect.horizontal):\(aspect.vertical) has a part outside 1 to 65,535.")
            }
        }
        if let aperture = cleanAperture, aperture.width <= 0 || aperture.height <= 0 {
            throw .setting("clean aperture", "its sides must be positive.")
        }
        if let color { try validate(color) }
    }

    private func validate(_ color: ColorDescription) throws(MediaError) {
        let codes: [(String, UInt8, Set<UInt8>)] = [
            ("primaries", color.primaries, Set(1...12).subtracting([3]).union([22])),
            ("transfer", color.transfer, Set(1...18).subtracting([3])),
            ("matrix", color.matrix, Set(0...14).subtracting([3])),
        ]
        for (name, code, known) in codes where !known.contains(code) {
            throw .setting(
                "color", "ITU-T H.273 has no \(name) \(code).")
        }
        guard codec != .mjpeg || color.range != .limited else {
            throw .setting(
                "color", "Motion JPEG has the full range; leave the range open or ask for full.")
        }
    }

    /// - Throws: `invalidSetting` for frames smaller than the codec's encoder takes.
    package func requireRoom(forFrameOf size: PixelSize) throws(MediaError) {
        let least = codec.leastSide
        guard min(size.width, size.height) < least else { return }
        throw .setting(
            "codec",
            "Frames of \(size.width)x\(size.height) cannot be encoded in \(codec.rawValue), whose encoder takes "
                + "\(least)x\(least) and more; choose a larger size or another codec.")
    }

    /// What frames of a film are checked for before the film is begun.
    package func requireRoom(for frames: VideoFormat) throws(MediaError) {
        try requireRoom(forFrameOf: PixelSize(width: frames.width, height: frames.height))
        _ = try trackFormat(for: frames)
    }

    /// What the track's frames will be, raw, before the source's orientation.
    /// - Parameter source: what is appended.
    /// - Throws: `invalidSetting` where a level or a clean aperture does not fit.
    func trackFormat(for source: VideoFormat) throws(MediaError) -> VideoFormat {
        var format = source
        format.cleanAperture = cleanAperture
        if let expectedFrameRate { format.nominalRate = expectedFrameRate }
        if let color { format.color = color.completed(by: source.color) }
        if let width, let height {
            format.pixelAspect = pixelAspect ?? .square
            (format.width, format.height) = (width, height)
            if scalingMode == .fit {
                let inner = PicturePlacing(source, in: format, mode: .resizeAspect).inner
                (format.width, format.height) = (inner.width, inner.height)
            }
        } else if let pixelAspect {
            format.pixelAspect = pixelAspect
        }
        if changesValues(of: source, into: format) { format.depth = nil }
        if let cleanAperture, !cleanAperture.fits(width: format.width, height: format.height) {
            throw .setting(
                "clean aperture",
                "it does not lie within the \(format.width)x\(format.height) of the frame.")
        }
        try checkLevel(format)
        return format
    }

    /// Whether frames are scaled, placed between bars or given other colours: between two distances there is none.
    private func changesValues(of source: VideoFormat, into format: VideoFormat) -> Bool {
        if let color, color.completed(by: source.color) != source.color { return true }
        guard width != nil else { return false }
        return (format.width, format.height) != (source.width, source.height)
            || format.pixelAspect != source.pixelAspect && scalingMode != .resize
    }

    private func checkLevel(_ format: VideoFormat) throws(MediaError) {
        guard let level, let limits = level.limits(of: codec) else { return }
        // H.264 counts whole macroblocks
        let grid = codec == .h264 ? 16 : 1
        func whole(_ side: Int) -> Int { (side + grid - 1) / grid * grid }
        let pixels = whole(format.width) * whole(format.height)
        let rate = format.nominalRate?.approximate ?? 0
        guard pixels <= limits.picture, Double(pixels) * rate <= Double(limits.second),
            max(whole(format.width), whole(format.height)) <= limits.side
        else {
            throw .setting(
                "level",
                "\(codec.rawValue) at level \(level) does not hold \(format.width)x"
                    + "\(format.height)"
                    + (format.nominalRate.map { " at \($0) frames a second" } ?? "")
                    + "; ask for a higher one.")
        }
    }

    /// Whether frames of a source may have to be placed between bars, cropped, laid over black or given other
    /// primaries. A size alone is one conversion with all else that an encoder wants, rotation included.
    func isTransferring(_ source: VideoFormat) -> Bool {
        let isPlaced = scalingMode == .resizeAspect || scalingMode == .resizeAspectFill
        return color != nil
            || width != nil && (isPlaced || source.pixelFormat?.hasAlpha ?? false)
    }

    /// Which of the settings say what a frame looks like; those of a film are its composition's to say.
    package var pictureFields: [String] {
        [
            ("width and height", width != nil), ("pixel aspect", pixelAspect != nil),
            ("clean aperture", cleanAperture != nil), ("color", color != nil),
            ("expected frame rate", expectedFrameRate != nil),
        ].filter(\.1).map(\.0)
    }
}

extension ColorDescription {
    /// The same with what it leaves open as another one has it.
    func completed(by other: ColorDescription) -> ColorDescription {
        ColorDescription(
            primaries: primaries == 2 ? other.primaries : primaries,
            transfer: transfer == 2 ? other.transfer : transfer,
            matrix: matrix == 2 ? other.matrix : matrix,
            range: range == .unspecified ? other.range : range)
    }
}
