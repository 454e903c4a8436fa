/// What a clip's view follows: what was detected while the clip was recorded, as a track of it says.
public enum FollowedObject: String, Sendable, Hashable, Codable, CaseIterable {
    case face, body, cat, code
}
