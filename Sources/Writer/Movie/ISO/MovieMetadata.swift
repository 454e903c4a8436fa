public import Media

/// What a movie says about itself.
public struct MovieMetadata: Sendable, Hashable, Codable {
    /// What players show as the title (nil = none).
    public var title: String?
    /// When the take began (nanoseconds since 1970-01-01T00:00:00Z; nil = unknown).
    public var creationTime: Int64?
    /// The program that wrote the movie (nil = unknown).
    public var software: String?
    /// The encoders' settings, so that a span can be encoded again to join copied ones (nil =
    /// unknown).
    public var encoderFingerprint: String?
    /// Names of the devices recorded from, in the order of the tracks.
    public var deviceNames: [String]
    /// Anything else: common words in lower case (artist, album, comment, genre, …), other programs' tags and
    /// reverse-domain keys, with text values.
    public var values: [String: String]
    /// Frames that stand for the file, the foremost first.
    public var covers: [CoverArt] = []
    /// The time code of its frames (nil = none; written into mp4, mov and Matroska with video).
    public var timeCode: MovieTimeCode?

    public init(
        title: String? = nil, creationTime: Int64? = nil, software: String? = nil,
        encoderFingerprint: String? = nil, deviceNames: [String] = [],
        values: [String: String] = [:]
    ) {
        self.title = title
        self.creationTime = creationTime
        self.software = software
        self.encoderFingerprint = encoderFingerprint
        self.deviceNames = deviceNames
        self.values = values
    }
}

extension MovieMetadata {
    /// The keys of what slates name.
    package static let (sceneKey, takeKey) = ("org.vcap.scene", "org.vcap.take")

    /// The scene that a slate named (nil = none).
    public var scene: String? { values[Self.sceneKey] }
    /// The take that a slate named (nil = none).
    public var take: String? { values[Self.takeKey] }
}
