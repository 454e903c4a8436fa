internal import CALSA
internal import Glibc
internal import Media

/// A PCM of ALSA that plays. Bound to the thread that made it.
final class ALSASpeaker: SpeakerDriver {
    // immutable
    let name: String
    let sampleRate = SpeakerBuffer.sampleRate
    private let pcm: OpaquePointer
    private let format: snd_pcm_format_t
    private let clock = HostClock()

    // owned by the thread
    private(set) var underruns = 0

    /// - Parameter device: as libasound opens it (`default`, `hw:0,0`).
    init(_ device: String) throws(MediaError) {
        ALSACall.discardMessages()
        let name = "alsa:\(device)"
        self.name = name
        var pcm: OpaquePointer?
        let result = snd_pcm_open(
            &pcm, device, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
        guard result >= 0, let pcm else {
            throw SpeakerFailure.card("snd_pcm_open", name, error: -result)
        }
        let usable = [SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_S16_LE].first {
            snd_pcm_set_params(
                pcm, $0, SND_PCM_ACCESS_RW_INTERLEAVED, UInt32(SpeakerBuffer.channels),
                UInt32(SpeakerBuffer.sampleRate), 1, UInt32(SpeakerBuffer.microseconds)) >= 0
        }
        guard let usable else {
            snd_pcm_close(pcm)
            throw SpeakerFailure.card("snd_pcm_set_params", name, error: EINVAL)
        }
        self.pcm = pcm
        format = usable
    }

    deinit { snd_pcm_close(pcm) }

    func start() throws(MediaError) { try check("snd_pcm_prepare", snd_pcm_prepare(pcm)) }

    func pause() { snd_pcm_drop(pcm) }

    func room(atMost limit: MediaTime) throws(MediaError) -> Int {
        var frames = snd_pcm_avail_update(pcm)
        if frames == 0 {
            let milliseconds = Int32(clamping: max(1, limit.ticks(per: 1000, rounding: .up)))
            try recover("snd_pcm_wait", snd_pcm_wait(pcm, milliseconds))
            frames = snd_pcm_avail_update(pcm)
        }
        guard frames >= 0 else {
            try recover("snd_pcm_avail_update", Int32(frames))
            return 0
        }
        return Int(frames)
    }

    func write(_ samples: [Float]) throws(MediaError) {
        var position = 0
        while position < samples.count {
            let rest = samples[position...]
            let frames = rest.count / SpeakerBuffer.channels
            let written =
                switch format {
                case SND_PCM_FORMAT_S32_LE: send(rest.map(\.asInt32), frames)
                case SND_PCM_FORMAT_S16_LE: send(rest.map(\.asInt16), frames)
                default: send(Array(rest), frames)
                }
            if written < 0 {
                try recover("snd_pcm_writei", Int32(written))
            } else {
                position += written * SpeakerBuffer.channels
                // not more than fit was given
                if written == 0 { return }
            }
        }
    }

    private func send<Sample>(_ samples: [Sample], _ frames: Int) -> Int {
        samples.withUnsafeBytes { bytes in
            snd_pcm_writei(pcm, bytes.baseAddress, snd_pcm_uframes_t(frames))
        }
    }

    func delay(at now: Int64) -> Int64? {
        var frames: snd_pcm_sframes_t = 0
        guard snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING, snd_pcm_delay(pcm, &frames) >= 0,
            frames >= 0
        else { return nil }
        let passed = clock.now().nanoseconds() - now
        return Int64(frames) * 1_000_000_000 / Int64(sampleRate) + passed
    }

    /// An underrun and a system that slept are played over; anything else is the end.
    private func recover(_ function: String, _ result: Int32) throws(MediaError) {
        guard result < 0, result != -EAGAIN else { return }
        if result == -EPIPE { underruns += 1 }
        guard result == -EPIPE || result == -ESTRPIPE || result == -EINTR,
            snd_pcm_recover(pcm, result, 1) >= 0
        else { throw SpeakerFailure.gone(name, ALSACall.text(result)) }
    }

    private func check(_ function: String, _ result: Int32) throws(MediaError) {
        guard result < 0 else { return }
        throw SpeakerFailure.card(function, name, error: -result)
    }
}

extension Float {
    fileprivate var asInt32: Int32 {
        Int32(clamping: Int64((Double(self) * 2_147_483_648).rounded()))
    }
    fileprivate var asInt16: Int16 { Int16(clamping: Int((self * 32_768).rounded())) }
}
