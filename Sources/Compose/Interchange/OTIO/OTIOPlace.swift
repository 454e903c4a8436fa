internal import Media

/// Where a clip of frames lies and what of its source it shows (ticks).
struct OTIOPlace {
    /// Of its file, or what stands for what is generated.
    let path: String
    let name: String
    /// How fast it plays, negative where backwards (factor).
    var warp = 1.0
    /// Of the film; nil: a clip before it does not state its length.
    var at: Int64?
    var start: Int64
    var length: Int64?
    /// How far the transition into it reaches over the cut (ticks); nil: there is none.
    var over: (back: Int64, on: Int64)?
    /// Whether it lies in a stack that has tracks of audio, in none of which it is heard.
    var isSilentInStack = false

    static func path(of generator: Generator) -> String { "\0" + generator.projectText }

    /// Of a row that begins elsewhere in another one (ticks; nil: nobody knows where).
    func moved(by ticks: Int64?) -> OTIOPlace {
        var place = self
        place.at = ticks.flatMap { ticks in at.map { $0 + ticks } }
        return place
    }

    /// Whether a transition of audio into it is that of its frames, to half a frame of film.
    func crosses(like other: (back: Int64, on: Int64)) -> Bool {
        let least = Composition.timescale / 48
        guard let over else { return false }
        return abs(over.back - other.back) <= least && abs(over.on - other.on) <= least
    }

    /// Whether audio is the clip's own: of its file, and of the same moments to half a frame of film.
    func isHeard(in other: OTIOPlace) -> Bool {
        guard path == other.path, abs(warp - other.warp) < 1e-6 else { return false }
        guard let at, let length, let place = other.at, let reach = other.length else {
            return true
        }
        let least = Composition.timescale / 48
        return abs(at - place) <= least && abs(start - other.start) <= least
            && abs(length - reach) <= least
    }
}
