internal import Image
public import Media
internal import Movie

extension Asset {
    /// Reads the folder of numbered pictures, and the structure of the first one. The asset's path is the sequence's
    /// address. Blocks; not for Swift's cooperative pool.
    /// - Parameters:
    ///   - pattern: of the pictures' names, such as `shots/a%04d.png`.
    ///   - sequence: how they follow each other.
    /// - Throws: `no-such-file` where there is no picture, or one is missing; `invalid-setting` for no sequence; and what
    ///   `load` throws for the first picture.
    public static func load(
        _ pattern: String, as sequence: ImageSequence
    ) throws(MediaError) -> Asset {
        let files = try SequenceFiles(pattern, sequence)
        let track = AssetTrack(files)
        var asset = Asset(
            path: sequence.address(of: pattern), container: "sequence", state: .ordinary,
            duration: track.duration, tracks: [track], pauses: [], markers: [],
            metadata: MovieMetadata(), damagedBytes: 0)
        asset.sequence = files
        return asset
    }

    /// As `load(_:as:)`, on a thread of its own: for tasks.
    public init(loading pattern: String, as sequence: ImageSequence) async throws(MediaError) {
        self = try await NamedThread.run("vcap-load") { () throws(MediaError) in
            try Asset.load(pattern, as: sequence)
        }
    }

    /// The pictures of a sequence, in order of their numbers; empty for everything else.
    public var pictureFiles: [String] { sequence?.files ?? [] }

    /// The number of a sequence's first frame; nil for everything else.
    package var firstNumber: Int? { sequence?.first }

    /// Whether it is a sequence of pictures.
    package var isSequence: Bool { sequence != nil }

    /// The same of which the pictures count as unchanged that are there now. Blocks for a sequence.
    package var restamped: Asset {
        var asset = self
        asset.sequence?.stamp()
        return asset
    }
}

extension AssetTrack {
    /// The frames of a sequence of pictures.
    init(_ files: SequenceFiles) {
        let (rate, lead) = (files.sequence.rate, files.lead)
        let step = rate.frameDuration
        self.init(
            id: 1, mediaType: .video,
            format: .video(
                VideoFormat(
                    coding: .coded(lead.kind.codec), width: lead.width, height: lead.height,
                    color: lead.color, orientation: lead.orientation, nominalRate: rate)),
            codecTag: lead.kind.codec.rawValue, timescale: step.timescale,
            duration: MediaTime(
                value: step.value * Int64(files.count), timescale: step.timescale),
            sampleCount: files.count, syncSampleCount: files.count, bytes: 0, edits: [],
            averageRate: rate.approximate, frameDurations: step...step, language: nil, name: nil,
            isEnabled: true)
        // what later pictures are is known when they are decoded; JPEG has none
        hasAlpha = lead.hasAlpha || lead.kind != .jpeg
        isSequence = true
    }
}
