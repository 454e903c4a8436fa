internal import Media

extension VideoItem {
    /// - Throws: where a generator has what only files have.
    func validateGenerator(_ name: String) throws(MediaError) {
        guard let generator else { return }
        guard path.isEmpty else {
            throw .setting(name, "\(name) has a file and a generator; take one of them out")
        }
        guard sequence == nil else {
            throw .setting(
                name, "\(name) is generated, so it has no pictures of its own; leave fps out")
        }
        try generator.validate(name)
        if let (key, instead) = idleKeys.first {
            throw .setting(
                name, "\(name) is generated, so it has no \(key); \(instead)")
        }
        guard case .counter(let counter) = generator, counter.direction == .down,
            let from = counter.from, let end, from < end
        else { return }
        throw .setting(
            name,
            "\(name) counts down from \(from.spoken), but shows for \(end.spoken); count from more, or "
                + "make it shorter")
    }

    /// What it is given that only files have, and what to do instead.
    private var idleKeys: [(String, String)] {
        var keys: [(String, String)] = []
        if start != .zero {
            var advice = "leave start out"
            if case .counter = generator { advice += ", and say what it counts from" }
            keys.append(("start of its own", advice))
        }
        if speed != .normal || keyframes.contains(where: { $0.speed != nil }) {
            keys.append(("speed of its own", "leave speed out, and give it an end"))
        }
        if isReversed { keys.append(("direction", "leave reverse out")) }
        if blendsFrames { keys.append(("frames that could be mixed", "leave blend out")) }
        if freeze != nil {
            keys.append(("frame that could stand still", "give it an end in the place of freeze"))
        }
        if follow != nil { keys.append(("track of what was detected", "leave follow out")) }
        if track != nil { keys.append(("choice of video tracks", "leave track out")) }
        if !(voices ?? []).isEmpty {
            keys.append(
                ("choice of audio tracks", "leave audio out, or make it [] for no audio"))
        }
        return keys
    }
}
