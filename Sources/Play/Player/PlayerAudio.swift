internal import Capture
internal import Compose
internal import Media

/// Plays a film's audio when its desk asks for it, and says what is heard when, on the thread that calls `run`.
final class PlayerAudio {
    /// Audio frames that are mixed at once.
    private static let block = 1024
    /// The longest wait for the device (ms): so much later a pause is heard.
    private static let turn = MediaTime.milliseconds(10)
    /// How far a device may be ahead of the host clock before it counts as none (ns).
    private static let paceLimit: Int64 = 1_000_000_000
    /// How long the device's measure is waited for at the beginning (ns): a sink that nobody needed soon has mixed silence for
    /// up to 2 s, which is heard first.
    private static let measureLimit: Int64 = 2_500_000_000

    // immutable
    private let engine: PlayerEngine
    private let times: FilmTimes
    private let length: Int64
    // owned by the thread
    private var gain: Float = 0
    private var damaged = 0
    private var reported: Set<String> = []

    init(_ engine: PlayerEngine) {
        self.engine = engine
        times = engine.item.times
        length = engine.item.duration.playerTicks
    }

    /// Until the player ends or nothing can be heard any more.
    func run() {
        do throws(MediaError) {
            guard let speaker = try engine.openSpeaker() else { return lose("no audio is wanted") }
            let audio = try FilmAudio(engine.item.film, sampleRate: speaker.sampleRate)
            try audio.prepare { engine.read(\.isStopped) }
            engine.withDesk { $0.audioIsReady() }
            while true {
                let (step, version) = engine.withDesk { ($0.sounding(), $0.version) }
                switch step {
                case .end: return
                case .wait: engine.wait(for: version, until: nil)
                case .play(let start, let rate, let turn):
                    try play(audio, on: speaker, from: start, rate: rate, turn)
                }
            }
        } catch { lose(error.message) }
    }

    private func lose(_ reason: String) {
        engine.withDesk { $0.loseAudio(reason, at: engine.now) }
    }

    /// Plays from a time on until something else is wanted.
    private func play(
        _ audio: FilmAudio, on speaker: any SpeakerDriver, from start: Int64, rate: Double,
        _ turn: Int
    ) throws(MediaError) {
        defer { speaker.pause() }
        try speaker.start()
        gain = 0
        let begin = engine.now
        var gaps = speaker.underruns
        var isMeasured = false
        let played = SpeedChange(
            sampleRate: speaker.sampleRate, from: frame(at: start), speed: rate
        ) { [self] place, count throws(MediaError) in
            try samples(audio, from: place, count: count)
        }
        while engine.read({ $0.isSounding(turn) }) {
            let room = min(try speaker.room(atMost: Self.turn), Self.block)
            if room > 0 { try speaker.write(applyGain(to: try played.read(room))) }
            let now = engine.now
            let written = played.count * 1_000_000_000 / Int64(speaker.sampleRate)
            guard written - (now - begin) < Self.paceLimit else {
                throw Self.tooFast(speaker.name)
            }
            if let delay = speaker.delay(at: now) {
                let waits = Int64(Double(delay) * Self.ticksPerNanosecond * rate)
                isMeasured = true
                engine.withDesk {
                    $0.heard(ticks(of: played.position) - waits, at: now, turn: turn)
                }
            } else if !isMeasured, now - begin > Self.measureLimit {
                isMeasured = true
                engine.withDesk { $0.heard(start, at: now, turn: turn, isMeasured: false) }
            }
            if speaker.underruns > gaps {
                engine.withDesk { $0.counts.audioGaps += speaker.underruns - gaps }
                gaps = speaker.underruns
            }
        }
    }

    private static func tooFast(_ name: String) -> MediaError {
        MediaError(
            code: .deviceFailed, subject: name,
            message: "The device \(name) does not play audio at its pace; name another one.")
    }

    // MARK: Samples

    private static let ticksPerNanosecond = Double(PlayerClock.timescale) / 1e9

    /// Counted on while it loops, as the desk's indexes.
    private func frame(at ticks: Int64) -> Int64 {
        let pass = ticks.pass(of: length)
        let into = MediaTime.playerTicks(ticks - pass * length)
        return pass * times.audioFrameCount
            + into.ticks(per: Int32(times.sampleRate), rounding: .nearest)
    }

    private func ticks(of position: Double) -> Int64 {
        let frame = Int64(position.rounded(.down))
        let rest = (position - Double(frame)) / Double(times.sampleRate)
        let pass = frame.pass(of: times.audioFrameCount)
        let into = MediaTime(
            value: frame - pass * times.audioFrameCount, timescale: Int32(times.sampleRate))
        let more = rest * Double(PlayerClock.timescale)
        return pass * length + into.playerTicks + Int64(more.rounded())
    }

    /// The mix from a frame on, which begins again at its end while it loops.
    private func samples(
        _ audio: FilmAudio, from place: Int64, count: Int
    ) throws(MediaError) -> [Float] {
        let isLooping = engine.read(\.isLooping)
        var result: [Float] = []
        result.reserveCapacity(count * 2)
        var place = place
        var left = count
        while left > 0 {
            let pass = place.pass(of: times.audioFrameCount)
            let into = place - pass * times.audioFrameCount
            // an end that was passed without looping is followed by silence
            let part = min(left, Int(times.audioFrameCount - into))
            let isOver = pass > 0 && !isLooping
            if isOver {
                result += [Float](repeating: 0, count: part * 2)
            } else {
                let block = try audio.read(from: times.firstAudioFrame + into, count: part)
                block.withUnsafeBytes { result += $0.bindMemory(to: Float.self) }
            }
            place += Int64(part)
            left -= part
        }
        noteDamage(audio)
        return result
    }

    /// The volume of now.
    private func applyGain(to samples: [Float]) -> [Float] {
        let wanted = Float(engine.read { $0.isMuted ? 0 : $0.volume })
        defer { gain = wanted }
        if gain == wanted {
            return wanted == 1 ? samples : samples.map { $0 * wanted }
        }
        // from a beginning at once, else over the block: no step is heard
        guard gain > 0 || wanted == 0 else { return samples.map { $0 * wanted } }
        let step = (wanted - gain) / Float(max(1, samples.count / 2))
        return samples.enumerated().map { $1 * (gain + step * Float($0 / 2)) }
    }

    private func noteDamage(_ audio: FilmAudio) {
        let more = audio.damagedPieces - damaged
        guard more > 0 else { return }
        damaged += more
        engine.withDesk { $0.counts.damaged += more }
        engine.reportDamage(audio.damage, &reported)
    }
}
