public import Media

/// What a slate says: a QR code that is shown to a camera, in a form that anybody can print
/// (`vcap-slate:1?title=Coffee&scene=2&take=3`; docs/design/slate.md has its rules).
public struct Slate: Sendable, Hashable {
    /// What is filmed.
    public var title: String?
    public var scene: String?
    public var take: String?
    /// A marker's own words.
    public var marker: String?
    /// A word for what is asked for ("stop"). Anybody can hold a code into a camera: nothing is to be done
    /// because of it that was not allowed.
    public var action: String?
    /// What a running clock shows; it says nothing else.
    public var clock: Clock?
    /// Keys that are not known, in their order.
    public internal(set) var unknownKeys: [String] = []

    /// What a running clock shows.
    public struct Clock: Sendable, Hashable {
        /// Which clock it is (1 to 16 letters and digits).
        public var name: String
        /// What it shows (milliseconds; 0…).
        public var milliseconds: Int64
        /// For how long it shows that (milliseconds; 1…60,000).
        public var step: Int64

        /// - Parameters:
        ///   - name: which clock it is (1 to 16 letters and digits).
        ///   - milliseconds: what it shows (0…).
        ///   - step: for how long it shows that (milliseconds; 1…60,000).
        public init(name: String, milliseconds: Int64, step: Int64) {
            self.name = name
            self.milliseconds = milliseconds
            self.step = step
        }
    }

    /// What became of reading a code's text.
    public enum Reading: Sendable, Hashable {
        case slate(Slate)
        /// It begins like a slate and is none that can be used, for this reason.
        case refused(String)
    }

    /// - Parameters:
    ///   - title: what is filmed.
    ///   - scene: the scene.
    ///   - take: the take.
    ///   - marker: a marker's own words.
    ///   - action: a word for what is asked for.
    ///   - clock: what a running clock shows, beside which there is nothing else.
    public init(
        title: String? = nil, scene: String? = nil, take: String? = nil, marker: String? = nil,
        action: String? = nil, clock: Clock? = nil
    ) {
        self.title = title
        self.scene = scene
        self.take = take
        self.marker = marker
        self.action = action
        self.clock = clock
    }

    static let scheme = "vcap-slate:"
    static let version = "1"
    /// Longest text of a code (bytes).
    public static let longestText = 1024
    /// Longest value (bytes).
    public static let longestValue = 200

    /// Whether it names nothing, asks for nothing and is no clock.
    public var isEmpty: Bool {
        clock == nil && [title, scene, take, marker, action].allSatisfy { $0 == nil }
    }

    /// The words of its marker: its own, else what it names; `nil` where it names nothing.
    public var markerText: String? {
        if let marker { return marker }
        let parts = [title, scene.map { "scene \($0)" }, take.map { "take \($0)" }]
            .compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The text of its code.
    /// - Throws: `invalidSetting` for what could not be read back: nothing at all, a value that is too long or has
    ///   characters that cannot be seen, a clock beside other things.
    public func text() throws(MediaError) -> String {
        var pairs: [(String, String?)] = [
            ("title", title), ("scene", scene), ("take", take), ("marker", marker), ("do", action),
        ]
        if let clock {
            pairs += [
                ("clock", clock.name), ("time", "\(clock.milliseconds)"), ("step", "\(clock.step)"),
            ]
        }
        let query = pairs.compactMap { key, value in value.map { "\(key)=\(Self.escaped($0))" } }
        let text = "\(Self.scheme)\(Self.version)?" + query.joined(separator: "&")
        switch Slate.reading(text) {
        case .slate: return text
        case .refused(let reason):
            throw MediaError(
                code: .invalidSetting, subject: "slate",
                message: "Cannot make a slate of this: \(reason).")
        case nil:
            throw MediaError(
                code: .invalidSetting, subject: "slate", message: "Cannot make a slate of this.")
        }
    }

    /// What must not stand as it is: what divides keys, and what codes in other encodings than UTF-8 would garble.
    private static func escaped(_ value: String) -> String {
        value.utf8.map { byte in
            let isPlain = (0x21...0x7E).contains(byte) && byte != 0x25 && byte != 0x26
            if isPlain { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (byte < 16 ? "0" : "") + digits
        }.joined()
    }
}
