/// What a slate says that a camera was shown, as a take's report has it.
public struct SeenSlate: Sendable, Hashable, Codable {
    /// The camera's name.
    public var camera: String
    public var title: String?
    public var scene: String?
    public var take: String?
    /// The text of the marker that is set for it; `nil`: none is.
    public var marker: String?
    /// The name of a running clock.
    public var clock: String?
    /// What it asks for ("stop").
    public var action: String?
    /// Whether that was allowed and asked of the recording; `nil` where it asks for nothing.
    public var isAllowed: Bool?

    /// - Parameter camera: the name of the one that was shown it first.
    public init(camera: String) { self.camera = camera }

    /// In a few words: its marker's, a clock's name, or what it asks for.
    public var words: String {
        if let marker { return marker }
        if let clock { return "running clock \(clock)" }
        return [title, scene.map { "scene \($0)" }, take.map { "take \($0)" }, action]
            .compactMap(\.self).joined(separator: ", ")
    }
}
