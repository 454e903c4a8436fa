import Media

/// What is said of pressure, and of what is done about it.
enum PressureWords {
    static func level(_ state: PressureState) -> String {
        guard state.level > .nominal else { return "the machine is no longer pressed" }
        return "the machine is pressed (\(state.level.rawValue)): \(causes(state))"
    }

    static func step(_ step: PressureStep) -> String {
        let what =
            switch step.measure {
            case .spareFrames:
                step.relief.frameDivisor > 1
                    ? "previews and detectors get one of \(step.relief.frameDivisor) frames"
                    : "previews and detectors get every frame"
            case .encodingSpeed:
                switch step.relief.speed {
                case .asSet: "frames are encoded as asked for"
                case .faster: "frames are encoded faster, which makes the movie larger"
                case .fastest:
                    "frames are encoded as fast as can be, which makes the movie larger"
                }
            }
        guard !step.isTaken else { return "\(causes(step.state)): \(what)" }
        return "there is room again: \(what)"
    }

    /// The worst first.
    private static func causes(_ state: PressureState) -> String {
        let words = state.causesInOrder.map { cause in
            switch cause {
            case .processor: "programs wait for the processor"
            case .memory: "memory is scarce"
            case .storage: "programs wait for disks"
            case .heat: "the machine is hot"
            case .encoder: "the encoder is behind"
            case .disk: "the movie's disk is behind"
            }
        }
        return words.joined(separator: ", ")
    }
}
