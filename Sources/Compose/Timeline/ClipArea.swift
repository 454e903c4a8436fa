public import Media

/// What of a clip's frames shows, wherever they lie: the rest is transparent. It moves with the clip's picture.
public struct ClipMask: Sendable, Hashable {
    /// As it is at the clip's beginning. It says something.
    public var area: FrameArea
    /// What changes while the clip is shown, in order of time (default nothing).
    public var keyframes: [AreaKeyframe]

    /// - Parameters:
    ///   - area: what shows.
    ///   - keyframes: what changes of it, in order of time.
    public init(_ area: FrameArea, keyframes: [AreaKeyframe] = []) {
        (self.area, self.keyframes) = (area, keyframes)
    }
}

/// What is done to an area of a clip's frames: a face that nobody should know again, a number plate, a screen.
public struct ClipEffect: Sendable, Hashable {
    public var effect: any AreaEffect
    /// As it is at the clip's beginning (default all of the frame).
    public var area: FrameArea
    /// In the area's place, each that was detected of a kind while the clip was recorded, as a track of it says, and
    /// something around it (default none). Only `LoadedTimeline` can find it.
    public var follow: FollowedObject?
    /// When it begins, from the clip's beginning (seconds of the film; default 0).
    public var at: MediaTime
    /// How long it lasts (seconds of the film; nil: until the clip's end).
    public var duration: MediaTime?
    /// What of its area changes, in order of time from the clip's beginning (default nothing).
    public var keyframes: [AreaKeyframe]

    public init(
        _ effect: any AreaEffect, in area: FrameArea = FrameArea(),
        follow: FollowedObject? = nil, at: MediaTime = .zero, duration: MediaTime? = nil,
        keyframes: [AreaKeyframe] = []
    ) {
        (self.effect, self.area, self.follow) = (effect, area, follow)
        (self.at, self.duration, self.keyframes) = (at, duration, keyframes)
    }

    public static func == (one: ClipEffect, other: ClipEffect) -> Bool {
        one.effect.isEqual(to: other.effect) && one.area == other.area
            && one.follow == other.follow && one.at == other.at && one.duration == other.duration
            && one.keyframes == other.keyframes
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(effect)
        hasher.combine(area)
        hasher.combine(follow)
        hasher.combine(at)
        hasher.combine(duration)
        hasher.combine(keyframes)
    }
}

/// What an area is at an instant. What a key frame does not give continues between those that do.
public struct AreaKeyframe: Sendable, Hashable {
    /// From the clip's beginning (seconds of the film; not negative). Of two at one time the area comes to the first one
    /// and continues from the second.
    public var time: MediaTime
    /// How the area comes to it from the key frame before that gives the same (default linear).
    public var curve: TimingCurve
    /// Of the shape's middle (fraction of the frame's width; -4…4).
    public var x: Double?
    /// Of the shape's middle (fraction of the frame's height; -4…4).
    public var y: Double?
    /// Of the shape (fraction of the frame's width; 0…4).
    public var width: Double?
    /// Of the shape (fraction of the frame's height; 0…4).
    public var height: Double?
    /// Of the shape (degrees, clockwise).
    public var rotation: Double?
    /// 0…1.
    public var softness: Double?
    /// Luma (0…1).
    public var above: Double?
    /// Luma (0…1).
    public var below: Double?

    /// A key frame, which gives nothing yet.
    public init(_ time: MediaTime, curve: TimingCurve = .linear) {
        (self.time, self.curve) = (time, curve)
    }

    /// A key frame of a shape's place.
    public init(_ time: MediaTime, x: Double, y: Double, curve: TimingCurve = .linear) {
        self.init(time, curve: curve)
        (self.x, self.y) = (x, y)
    }
}

extension AreaKeyframe {
    /// Whether it changes a shape.
    var givesShape: Bool {
        [x, y, width, height, rotation, softness].contains { $0 != nil }
    }

    /// Whether it gives nothing.
    var isEmpty: Bool { !givesShape && above == nil && below == nil }
}

extension VideoItem {
    /// Whether not all of its frames is shown as it is.
    var hidesSomething: Bool { mask != nil || !effects.isEmpty }

    /// The areas of its frames that something is done to.
    var areas: [FrameArea] { [mask?.area].compactMap(\.self) + effects.map(\.area) }
}

extension Timeline {
    /// The picture files of its clips' masks and effects, some more than once.
    public var areaPicturePaths: [String] {
        (videos + overlays.flatMap(\.videos)).flatMap(\.areas).compactMap(\.picture)
    }

    /// - Throws: what opening the picture of an area throws, naming both.
    func checkAreaPictures() throws(MediaError) {
        let items =
            videos.enumerated().map { (ItemName.clip($0, $1), $1) }
            + overlays.enumerated().flatMap { number, track in
                track.videos.enumerated().map { index, item in
                    (ItemName.overlay(number, index, of: track.videos.count, item), item)
                }
            }
        for (name, item) in items {
            for path in item.areas.compactMap(\.picture) {
                do throws(MediaError) { try StillLuma.check(path) } catch {
                    throw MediaError(
                        code: error.code, function: error.function, subject: path,
                        errno: error.errno,
                        message: "the picture of an area of \(name): \(error.message)")
                }
            }
        }
    }
}
