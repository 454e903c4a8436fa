internal import Media
internal import Movie
internal import Reading

/// What becomes of pictures that are transparent in part.
extension ConversionPlanner {
    /// Whether a track's pictures may be transparent; opens it where only decoding shows.
    func isTransparent(_ track: AssetTrack, _ format: VideoFormat) throws(MediaError) -> Bool {
        // of a sequence one picture is known, and others may differ
        if conversion.sequence != nil, conversion.settings.transparency == .kept { return true }
        if track.hasUnreadOpacity, conversion.settings.transparency == .kept {
            throw .setting(
                "background",
                "Cannot keep the transparency of \(conversion.asset.path): that of \(track.codecTag) is not "
                    + "read; give a background colour.")
        }
        if let known = track.hasAlpha { return known }
        guard format.mayBeTransparent else { return false }
        let cursor = try FrameCursor(
            asset: conversion.asset, track: track, startingAt: track.start,
            fitting: track.isStill ? .longest : nil)
        defer { cursor.close() }
        return cursor.format.pixelFormat?.hasAlpha ?? false
    }

    /// What pictures that stay transparent are coded in without a codec asked for.
    /// - Throws: where the container has none for them.
    func transparentCodec(for own: VideoCodec?) throws(MediaError) -> VideoCodec {
        if let own, own.keepsTransparency, container.videoCodecs.contains(own) { return own }
        switch container {
        case .mov: return .prores
        case .matroska: return .ffv1
        default:
            throw .setting(
                "background",
                "Cannot keep the transparency of \(conversion.asset.path) in a "
                    + ".\(container.rawValue) file: write .mov (ProRes 4444) or .mkv (FFV1), or "
                    + "give a background colour.")
        }
    }

    /// Whether a codec's pictures stay transparent.
    /// - Throws: where they have to and cannot.
    func keepsTransparency(_ isTransparent: Bool, in codec: VideoCodec) throws(MediaError) -> Bool {
        let settings = conversion.settings
        guard isTransparent, settings.transparency != .composed else { return false }
        let isFilled = settings.fit == .blurred
        guard settings.transparency == .kept else { return codec.keepsTransparency && !isFilled }
        guard codec.keepsTransparency else {
            throw .setting(
                "background",
                "Cannot keep the transparency of \(conversion.asset.path) in \(codec.rawValue): "
                    + "ask for prores or ffv1 (.mov, .mkv), or give a background colour.")
        }
        guard !isFilled else {
            throw .setting(
                "fit",
                "Cannot keep the transparency of \(conversion.asset.path) over a blurred fill: "
                    + "take another fit, or give a background colour.")
        }
        return true
    }
}

extension VideoCodec {
    /// Whether pictures come back as transparent as they were.
    var keepsTransparency: Bool { self == .prores || self == .ffv1 }

    /// Whether pictures of odd sides are taken.
    var takesOddSides: Bool { self == .prores || self == .ffv1 }
}
