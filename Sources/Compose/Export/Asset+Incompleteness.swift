package import Reading

extension Asset {
    /// One sentence where the movie is being written, or a crash cut it off. Blocks.
    /// - Parameter what: what becomes of what is there, in a word.
    package func unfinished(becoming what: String) -> [String] {
        switch fate {
        case .beingWritten(let holder):
            ["\(path) is being written by \(holder): what is there so far is \(what)."]
        case .cutOff:
            [
                "\(path) was cut off by a crash: what is there is \(what); vcap repair finishes it."
            ]
        case .unfinished:
            [
                "\(path) was not finished when it was read: what was there is \(what); vcap repair "
                    + "finishes what a crash left."
            ]
        case nil: []
        }
    }

    /// Whether a program writes the movie now, so that there may soon be more of it. Blocks.
    package var isBeingWritten: Bool { if case .beingWritten = fate { true } else { false } }

    /// One sentence where not all of the file can be read.
    /// - Parameter what: what becomes of the rest, in a word.
    package func incompleteness(becoming what: String) -> [String] {
        if endsEarly {
            return [
                "\(path) does not end as it should; frames behind its last one may be missing."
            ]
        }
        if hasMorePages { return ["\(path) has several pages; the first is \(what)."] }
        guard damagedBytes > 0 else { return [] }
        return [
            "\(path) is cut off or damaged: \(damagedBytes) bytes of it cannot be read; what can be "
                + "is \(what)."
        ]
    }
}

extension Asset {
    /// One sentence where coded frames could not be decoded whole.
    /// - Parameters:
    ///   - frames: how many.
    ///   - isStill: whether the asset is one frame.
    package func damage(frames: Int, isStill: Bool) -> String? {
        SourceDamage(pictures: frames, isStill: isStill).sentence(of: path)
    }
}

extension Film {
    /// One sentence for each source of which not all can be read.
    var incompleteness: [String] { assets.flatMap { $0.incompleteness(becoming: "shown") } }

    /// What is to be said of it before it is made, each sentence once.
    var allWarnings: [String] {
        warnings + incompleteness.filter { !warnings.contains($0) }
    }
}
