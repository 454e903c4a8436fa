public import Media
public import Reading

/// One source and what is made of it.
public struct Conversion: Sendable {
    /// A movie, an animation or a still picture; of a sequence its first picture.
    public let asset: Asset
    /// The pictures of a sequence, one after the other; nil: the asset is the source.
    public let sequence: [SequencePicture]?
    public var settings: ConversionSettings
    /// What changes the pictures, one after the other, before they are scaled and encoded: of this source alone, which
    /// may have one video track besides depth. They become upright and of 8 bits (yuv420p); where one fails there is
    /// no movie. Depth stays as it is, and cover art is left out.
    public var filters: [any FrameProcessor] = []

    public init(_ asset: Asset, settings: ConversionSettings = ConversionSettings()) {
        self.asset = asset
        self.settings = settings
        sequence = nil
    }

    /// Pictures of files, one after the other. Reads the first one's structure; blocks.
    /// - Throws: `invalid-setting` without a file or for a picture without a length; what the first file
    ///   answered.
    public init(
        sequence: [SequencePicture], settings: ConversionSettings = ConversionSettings()
    ) throws(MediaError) {
        guard let first = sequence.lazy.compactMap(\.path).first else {
            throw .setting("sequence", "There is no picture in the sequence.")
        }
        if let empty = sequence.first(where: { $0.duration <= .zero }) {
            throw .setting(
                "sequence", "\(empty.path ?? "A gap") of the sequence has no length; give it one.")
        }
        asset = try Asset.load(first)
        guard asset.tracks.contains(where: { $0.mediaType == .video }) else {
            throw MediaError(
                code: .unsupported, subject: first,
                message: "Cannot show \(first) in a sequence: it holds no picture.")
        }
        self.sequence = sequence
        self.settings = settings
    }

    /// What of the source is not there to be converted, one sentence each. Blocks.
    package var sourceNotes: [String] {
        asset.unfinished(becoming: "converted") + asset.incompleteness(becoming: "converted")
    }

    /// Every file that is read.
    var paths: [String] { sequence?.compactMap(\.path) ?? [asset.path] }
}
