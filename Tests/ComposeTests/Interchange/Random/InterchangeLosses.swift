import Media

@testable import Compose

/// What a timeline loses where another program writes it: property by property, by what values have stored. A property
/// that nobody has put into a table here is an error, so that none is forgotten.
struct InterchangeLosses {
    /// Sentences that have to be in the list, without what is behind the colon.
    private(set) var expected: [String] = []
    /// Differences that no sentence stands for, and properties that are in no table.
    private(set) var unnamed: [String] = []

    /// What a sentence of the list stands for, `%` being the item.
    private struct Group {
        let labels: [String]
        let sentence: String

        init(_ sentence: String, _ labels: String...) {
            (self.sentence, self.labels) = (sentence, labels)
        }
    }

    private static let ofClips = [
        Group("the place, crop and look of %", "place", "crop", "look"),
        Group("the key of %", "key"), Group("the mask of %", "mask"),
        Group("the effects of %", "effects"), Group("the grade of %", "grade"),
        Group("the key frames of %", "keyframes"),
        Group("the view and motion of %", "view", "motion", "follow"),
        Group("the fades of %", "fadeIn", "fadeOut"),
        Group("the tracks that % is of", "track", "voices"),
        Group("the audio cut of %", "audioCut"), Group("the mixed frames of %", "blendsFrames"),
        Group("the loudness of %", "loudness"),
        Group("the volume of %", "volume"), Group("the pan of %", "pan"),
        Group("the fit of %", "fit"),
    ]
    private static let ofAudio = [
        Group("volume, pan and fades of %", "volume", "pan", "keyframes", "fadeIn", "fadeOut"),
        Group("the loop of %", "loops"),
    ]
    private static let ofFilms = [
        Group("in and out", "inPoint", "outPoint"), Group("the watermark", "watermark"),
        Group("the subtitles of files", "subtitles"),
        Group("what becomes of the clips' subtitles", "clipSubtitles", "clipSubtitleLook"),
        Group("the fonts", "fonts"), Group("the ducking", "ducking"),
    ]
    private static let ofSettings = [
        Group("the motion of still pictures", "stillMotion"),
        Group("the film's size", "renderSize"), Group("the film's frame rate", "frameRate"),
        Group("the film's colours", "color", "pixelFormat"), Group("the background", "background"),
        Group("the film's start time code", "startTimeCode"),
        Group("the fit of clips that do not say", "fit"),
        Group("the pitch of clips at other speeds", "pitch"),
        Group("the film's loudness", "loudness"), Group("the theme of the titles", "theme"),
    ]

    /// Names of stored properties whose values differ.
    private mutating func differences<Value>(
        _ one: Value, _ other: Value, known: [String]
    ) -> Set<String> {
        let (a, b) = (Mirror(reflecting: one).children, Mirror(reflecting: other).children)
        var found: Set<String> = []
        for (own, foreign) in zip(a, b) {
            let label = own.label ?? ""
            if !known.contains(label) {
                unnamed.append("\(Value.self).\(label), which is in no table")
            }
            guard let left = own.value as? any Hashable, let right = foreign.value as? any Hashable
            else {
                unnamed.append("\(Value.self).\(label), which cannot be compared")
                continue
            }
            if AnyHashable(left) != AnyHashable(right) { found.insert(label) }
        }
        return found
    }

    private mutating func note(
        _ groups: [Group], _ differing: Set<String>, of name: String, carried: [String]
    ) {
        for group in groups where !differing.isDisjoint(with: group.labels) {
            expected.append(group.sentence.replacing("%", with: name))
        }
        for label in carried where differing.contains(label) {
            unnamed.append("\(label) of \(name)")
        }
    }

    // MARK: Items

    private mutating func add(clip: VideoItem, _ other: VideoItem, _ name: String, isMuted: Bool) {
        var other = other
        // a clip of which no track of audio has anything is silent, as it is here
        if isMuted, other.volume == 0, clip.volume != 0 {
            if Draw.isHeard(clip) { unnamed.append("\(name) is silent") }
            other.volume = 1
        }
        var carried = [
            "path", "sequence", "generator", "name", "start", "end", "speed", "isReversed",
            "freeze",
        ]
        carried += ["gap", "at"]
        let apart = ["transition", "treatment"]
        let known = carried + apart + Self.ofClips.flatMap(\.labels)
        let differing = differences(clip, other, known: known)
        // of a speed that changes the mean is carried
        let inexact = clip.isRamped ? ["start", "end", "speed"] : []
        note(
            Self.ofClips, differing, of: name, carried: carried.filter { !inexact.contains($0) })
        note(clip.treatment, other.treatment, name)
        if clip.transition.duration != other.transition.duration {
            unnamed.append("length of the transition to \(name)")
        }
        if clip.transition.kind != other.transition.kind
            || clip.transition.curve != other.transition.curve
        {
            expected.append("the look of the transition to \(name)")
        }
        if let generator = clip.generator, generator != .bars(.smpte), generator != .color(.black) {
            // its parameters are of vcap's own
            expected.append(name)
        }
    }

    private mutating func note(
        _ treatment: AudioTreatment, _ other: AudioTreatment, _ name: String
    ) {
        guard treatment != other else { return }
        let words = [
            treatment.lowCut == other.lowCut ? nil : "low cut",
            treatment.gate == other.gate ? nil : "gate",
            treatment.limiter == other.limiter ? nil : "limiter",
        ].compactMap(\.self)
        let last = words.suffix(2).joined(separator: " and ")
        expected.append(
            "the \((words.dropLast(2) + [last]).joined(separator: ", ")) of \(name)")
    }

    private mutating func add(
        row: [VideoItem], _ other: [VideoItem], isMuted: Bool, _ name: (Int) -> String
    ) {
        guard row.count == other.count else {
            unnamed.append("\(row.count) clips became \(other.count)")
            return
        }
        for index in row.indices {
            add(clip: row[index], other[index], name(index), isMuted: isMuted)
        }
    }

    // MARK: Films

    /// - Parameters:
    ///   - timeline: as it is read back with what vcap keeps for itself.
    ///   - other: as it is read without that.
    init(_ timeline: Timeline, _ other: Timeline) {
        let audio = timeline.voiceOvers + timeline.music
        let clips = timeline.videos + timeline.overlays.flatMap(\.videos)
        let isMuted = !audio.isEmpty || clips.contains(where: Draw.isHeard)
        add(row: timeline.videos, other.videos, isMuted: isMuted) {
            ItemName.clip($0, timeline.videos[$0])
        }
        let shown = zip(timeline.overlays, other.overlays).enumerated()
        for (number, (track, foreign)) in shown {
            add(row: track.videos, foreign.videos, isMuted: isMuted) {
                ItemName.overlay(number, $0, of: track.videos.count, track.videos[$0])
            }
        }
        if timeline.overlays.count != other.overlays.count { unnamed.append("tracks") }
        // others know no music, but tracks of audio
        guard other.music.isEmpty, other.voiceOvers.count == audio.count else {
            unnamed.append("\(audio.count) pieces of audio became \(other.voiceOvers.count)")
            return
        }
        for (index, item) in audio.enumerated() {
            let number = index - timeline.voiceOvers.count
            let name =
                number < 0 ? ItemName.voiceOver(index, item) : ItemName.music(number, item)
            let carried = ["path", "name", "at", "start", "end"]
            let known = carried + ["treatment"] + Self.ofAudio.flatMap(\.labels)
            let differing = differences(item, other.voiceOvers[index], known: known)
            note(Self.ofAudio, differing, of: name, carried: carried)
            note(item.treatment, other.voiceOvers[index].treatment, name)
        }
        expected += timeline.titles.enumerated().map { ItemName.title($0, $1) }
        if !other.titles.isEmpty { unnamed.append("titles") }
        let apart = ["settings", "videos", "overlays", "titles", "voiceOvers", "music"]
        let differing = differences(
            timeline, other,
            known: apart + ["chapters", "gapAtEnd"] + Self.ofFilms.flatMap(\.labels))
        note(Self.ofFilms, differing, of: "", carried: ["chapters", "gapAtEnd"])
        // the clips' lengths are stated, so the usual one of still pictures is of no use any more
        var settings = differences(
            timeline.settings, other.settings,
            known: ["title", "stillDuration"] + Self.ofSettings.flatMap(\.labels))
        if timeline.settings.title == nil, other.settings.title == "vcap film" {
            settings.remove("title")
        }
        // a start time comes with the rate that it counts in
        if timeline.settings.frameRate == nil, timeline.settings.startTimeCode != nil {
            settings.remove("frameRate")
        }
        note(Self.ofSettings, settings, of: "", carried: ["title"])
    }
}
