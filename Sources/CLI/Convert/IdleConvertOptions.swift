import Compose
import Media
import Movie
import Reading

/// Options of a conversion that were typed and have nothing to act on, a sentence each. What leaving pictures or sound
/// out makes idle is refused where it is read (`ConversionSettings`).
struct IdleConvertOptions {
    let arguments: Arguments

    private static let ofFrames = [
        ConvertOptions.size.spec, ConvertOptions.fit.spec, ConvertOptions.background.spec,
        ConvertOptions.motion.spec, ConvertOptions.rate.spec, ConvertOptions.codec.spec,
        ConvertOptions.keyFrames.spec, ConvertOptions.encoderPreset.spec,
        ConvertOptions.quality.spec, RecordOptions.bitrate.spec, FilterOptions.filter.spec,
        FilterOptions.behind.spec,
    ]

    /// Where photos are taken out of live photos as they are (`--still`).
    func warningsOfPhotos() -> [String] {
        let others = [
            ConvertOptions.duration.spec, ConvertOptions.timing.spec, ConvertOptions.gaps.spec,
            ConvertOptions.range.spec, ConvertOptions.loops.spec, ConvertOptions.leastDelay.spec,
            ConvertOptions.audioCodec.spec, ConvertOptions.noVideo.spec,
            ConvertOptions.noAudio.spec, ConvertOptions.networkReady.spec,
            ConvertOptions.thorough.spec, ExportOptions.progress.spec,
            ExportOptions.progressFormat.spec,
        ]
        return sentences(
            (Self.ofFrames + others).map { ($0, "--still takes the photo out as it is") })
    }

    /// Whatever the inputs are.
    /// - Parameter isSequence: whether several pictures become one movie.
    func warnings(isSequence: Bool) -> [String] {
        var idle: [(OptionSpec, String)] = []
        if !isSequence {
            idle.append((ConvertOptions.gaps.spec, "the input is no sequence of numbered pictures"))
        }
        if arguments.isOn(ExportOptions.plan) {
            idle.append((ExportOptions.progress.spec, "--plan says what would be done"))
        }
        if !arguments.isTyped(ExportOptions.progress.spec) {
            idle.append((ExportOptions.progressFormat.spec, "there is no --progress"))
        }
        if let filters = try? arguments.all(FilterOptions.filter),
            filters.allSatisfy({ if case .matte = $0 { true } else { false } })
        {
            idle.append((ConvertOptions.thorough.spec, "no filter looks for faces"))
        }
        if let codec = (try? arguments(ConvertOptions.codec)) ?? nil,
            ["mjpeg", "ffv1", "prores"].contains(codec)
        {
            let every = "with --codec \(codec) every frame is a sync sample"
            idle.append((ConvertOptions.keyFrames.spec, every))
        }
        guard let name = (try? arguments(ConvertOptions.output)) ?? nil else {
            return sentences(idle)
        }
        if ConvertOutputs.isAudio(name) {
            idle += Self.ofFrames.map { ($0, "\(name) holds audio only") }
        }
        if case .single = PictureOutput(path: name) {
            idle += [ConvertOptions.rate.spec, ConvertOptions.duration.spec].map {
                ($0, "\(name) is one picture")
            }
        }
        return sentences(idle)
    }

    /// For one input.
    func warnings(about asset: Asset) -> [String] {
        var idle: [(OptionSpec, String)] = []
        if !asset.tracks.contains(where: \.isAnimation) {
            idle += [ConvertOptions.loops.spec, ConvertOptions.leastDelay.spec].map {
                ($0, "\(asset.path) is no animation")
            }
        }
        if !asset.tracks.contains(where: { $0.mediaType == .audio }) {
            idle.append((ConvertOptions.audioCodec.spec, "\(asset.path) has no audio"))
        }
        let name = (try? arguments(ConvertOptions.output)) ?? nil
        let holdsFrames = name.map { !ConvertOutputs.isAudio($0) } ?? true
        if holdsFrames, !asset.tracks.contains(where: { $0.mediaType == .video }) {
            let frames = Self.ofFrames.filter { $0.long != ConvertOptions.background.spec.long }
            idle += frames.map { ($0, "\(asset.path) has no video") }
        }
        let isOpaque = asset.tracks.allSatisfy { track in
            track.mediaType != .video || track.hasAlpha == false
                || [.h264, .hevc].contains(track.format?.video?.codec)
        }
        if isOpaque, !arguments.isTyped(ConvertOptions.size.spec),
            !arguments.isTyped(ConvertOptions.motion.spec)
        {
            idle.append(
                (
                    ConvertOptions.background.spec,
                    "the frames of \(asset.path) are opaque and fill the frame"
                ))
        }
        return sentences(idle)
    }

    private func sentences(_ idle: [(OptionSpec, String)]) -> [String] {
        idle.filter { arguments.isTyped($0.0) }.map { "\($0.0.name) does nothing: \($0.1)" }
    }
}
