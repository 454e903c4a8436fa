/// What films say about themselves in many containers alike, with each one's word for it.
struct MetadataWord: Sendable, Hashable {
    /// As Matroska, Ogg and libavformat have it, in lower case.
    let name: String
    /// In the item list of MP4.
    let item: FourCC
    /// In the keys of QuickTime.
    var key: String { "com.apple.quicktime.\(name)" }

    static let all: [MetadataWord] = [
        .init(name: "artist", item: "\u{A9}ART"), .init(name: "album", item: "\u{A9}alb"),
        .init(name: "comment", item: "\u{A9}cmt"), .init(name: "genre", item: "\u{A9}gen"),
        .init(name: "composer", item: "\u{A9}wrt"), .init(name: "album_artist", item: "aART"),
        .init(name: "copyright", item: "cprt"), .init(name: "description", item: "desc"),
        .init(name: "synopsis", item: "ldes"), .init(name: "grouping", item: "\u{A9}grp"),
        .init(name: "lyrics", item: "\u{A9}lyr"), .init(name: "show", item: "tvsh"),
    ]

    private init(name: String, item: FourCC) { (self.name, self.item) = (name, item) }

    /// - Returns: nil for words that are not so common.
    init?(_ name: String) {
        let name = name.lowercased()
        guard let word = Self.all.first(where: { $0.name == name }) else { return nil }
        self = word
    }

    /// The common name of a key; others stay as they are.
    static func name(ofKey key: String) -> String { all.first { $0.key == key }?.name ?? key }
}
