import Media
import Recording

/// Says what happens to a recording while it runs, and remembers why it failed.
struct RecordingMessages {
    /// Names of the tracks' devices, for messages.
    let names: [String]
    /// Which of them are depth.
    let depth: Set<Int>
    private(set) var failure: MediaError?
    private(set) var diskFilled = false
    /// A source that cannot be read, which is why nothing came of it.
    private var unreadable: (code: MediaError.Code, message: String)?
    /// Where the movie lies that has lost its name.
    private(set) var savedPath: String?

    init(names: [String], depth: Set<Int> = []) { (self.names, self.depth) = (names, depth) }

    /// Listens until the recording is over.
    mutating func follow(_ events: AsyncStream<RecorderEvent>) async {
        for await event in events { take(event) }
    }

    mutating func take(_ event: RecorderEvent) {
        let console = Console.shared
        switch event {
        case .started: console.notice("recording")
        case .paused(let time): console.detail("paused at \(clock(time))")
        case .resumed(let time): console.detail("resumed at \(clock(time))")
        case .marked(let text, let time): console.notice("marker \"\(text)\" at \(clock(time))")
        case .slate(let entry):
            console.notice(
                "slate \"\(entry.slate.words)\" at \(clock(entry.movieTime.mediaTime)) "
                    + "(\(entry.slate.camera))")
        case .drop(let track, let cause, let count, let isInPause):
            let frames = "\(name(track)) lost \(count) \(count == 1 ? "frame" : "frames")"
            if isInPause {
                console.detail("\(frames) in the pause (\(cause.rawValue)); the movie lacks none")
            } else {
                console.warning("\(frames): \(cause.rawValue)")
            }
        case .beganLate(let track, let time):
            console.notice(
                "\(name(track)) codes its frames itself: the first one is the sync sample at "
                    + clock(time))
        case .interrupted(let track, let interruption):
            if let code = interruption.failure {
                unreadable = unreadable ?? (code, interruption.message)
            }
            console.warning("\(name(track)): \(interruption.message)")
        case .back(let track, let gap):
            console.notice(
                "\(name(track)) is back after \(Amounts.decimal(gap.approximateSeconds, 1)) s")
        case .clockSet(let track, let step):
            let seconds = Amounts.decimal(abs(step.approximateSeconds), 1)
            console.warning(
                "\(name(track)) set its clock \(step > .zero ? "forward" : "back") by \(seconds) s: its "
                    + "audio continues, and may be out of place from here on")
        case .condition(let track, let condition, let time, let length, let isOver):
            say(track, condition, time, length, isOver)
        case .pressure(let state): console.detail(PressureWords.level(state))
        case .pressureStep(let step): console.notice(PressureWords.step(step))
        case .presetChanged(let track, let preset, let time):
            console.detail("\(name(track)) is encoded with \(preset) from \(clock(time)) on")
        case .diskLow(let warning):
            console.warning(
                "the disk is full in \(Amounts.roughly(seconds: Double(warning.secondsLeft)))")
        case .diskFull(let bytes):
            diskFilled = true
            console.warning("the disk is full (\(Amounts.bytes(bytes)) left): stopping")
        case .diskLostBytes:
            console.warning(
                "the disk lost bytes of the movie, which were written again: it is failing; save what is "
                    + "on it and replace it")
        case .fileLost(let error): console.warning(error.message)
        case .fileSaved(let path):
            savedPath = path
            console.notice("what was recorded is in \(path)")
        case .reportFailed(let error): console.warning(error.message)
        case .failed(let error):
            // that nothing came is no reason where the reason is known
            failure =
                error.code == .sourceSilent
                ? unreadable.map { error.describing(code: $0.code, message: $0.message) } ?? error
                : error
        case .finished: break
        }
    }

    private func say(
        _ track: Int, _ condition: TrackCondition, _ time: MediaTime, _ length: MediaTime,
        _ isOver: Bool
    ) {
        let seconds = Amounts.decimal(length.approximateSeconds, 1)
        let isUnknown = condition == .black && depth.contains(track)
        if isOver {
            let news = isUnknown ? "knows distances again" : "is no longer \(condition.rawValue)"
            return Console.shared.notice(
                "\(name(track)) \(news), after \(seconds) s from \(clock(time)) on")
        }
        if isUnknown {
            return Console.shared.warning(
                "\(name(track)) has known no distance: is the scene within its reach? "
                    + "(\(seconds) s so far)")
        }
        let what =
            switch condition {
            case .black: "black: is its lens covered?"
            case .frozen: "frozen, the same frame again and again"
            case .silent: "silent: is it muted?"
            }
        Console.shared.warning("\(name(track)) has been \(what) (\(seconds) s so far)")
    }

    private func name(_ track: Int) -> String {
        names.indices.contains(track) ? names[track] : "track \(track)"
    }

    private func clock(_ time: MediaTime) -> String { Amounts.clock(time, fractionDigits: 3) }
}
