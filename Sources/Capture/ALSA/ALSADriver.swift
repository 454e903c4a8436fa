internal import CALSA
internal import Glibc
internal import Media

/// Brings frames from an open PCM to a ring, on the thread that calls `run`.
///
/// Owned by one thread at a time: the one that opened it, the driver's thread while `run` lasts,
/// then the one that joined that thread.
final class ALSADriver: @unchecked Sendable {  // because one thread owns it at a time
    /// A device that has delivered nothing for so long is stalled (ms).
    private static let stallLimit: Int32 = 2000

    /// What ended a run.
    enum End: Equatable {
        case asked
        /// The function and the error number it answered.
        case failed(String, Int32)
        case stalled
    }

    // immutable
    let subject: String
    let grant: ALSAGrant
    private let clock: any MediaClock
    private let status: OpaquePointer
    private let scratch: UnsafeMutableRawPointer

    // owned by the owning thread
    private var pcm: ALSAPCM
    private var account: OverrunAccount

    /// Opens and configures.
    init(
        _ device: ALSADeviceName, settings: AudioInputSettings, clock: any MediaClock
    ) throws(MediaError) {
        let subject = "alsa:\(device.pcmName)"
        let pcm = try ALSAPCM(opening: device)
        var grant: ALSAGrant?
        var status: OpaquePointer?
        try pcm.withHandle { handle throws(MediaError) in
            grant = try Self.configure(handle, subject: subject, settings: settings)
            snd_pcm_status_malloc(&status)
        }
        guard let grant, let status else {
            throw ALSAFailure.failed("snd_pcm_status_malloc", subject, ENOMEM, doing: "open")
        }
        self.subject = subject
        self.grant = grant
        self.clock = clock
        self.status = status
        self.pcm = pcm
        account = OverrunAccount(rate: grant.rate)
        scratch = .allocate(
            byteCount: grant.periodFrames * grant.layout.bytes * grant.channels, alignment: 16)
    }

    deinit {
        snd_pcm_status_free(status)
        scratch.deallocate()
    }

    private static func configure(
        _ handle: OpaquePointer, subject: String, settings: AudioInputSettings
    ) throws(MediaError) -> ALSAGrant {
        let hardware = try ALSAHardware(of: handle, subject: subject)
        let capabilities = try hardware.capabilities()
        guard
            let choice = capabilities.choose(
                rate: settings.sampleRate, channels: settings.channels)
        else {
            throw MediaError(
                code: .unsupportedFormat, function: "snd_pcm_hw_params_test_format",
                subject: subject,
                message: "The microphone \(subject) has no sample format that vcap reads "
                    + "(16, 24 or 32 bits or float, little-endian); try plug\(subject.dropFirst(5))"
                    + " after alsa:, which converts.")
        }
        let grant = try hardware.apply(choice)
        try ALSASoftware.apply(to: handle, grant: grant, subject: subject)
        return grant
    }

    /// Sets the card going.
    func start() throws(MediaError) {
        let result = pcm.withHandle { snd_pcm_start($0) } ?? -ENODEV
        guard result < 0 else { return }
        throw ALSAFailure.failed("snd_pcm_start", subject, -result, doing: "start")
    }

    /// Reads until `stop` is raised or the device fails, then closes the PCM.
    func read(into feed: AudioFeed, until stop: WakeSignal) -> End {
        let end = pcm.withHandle { loop($0, feed, stop) } ?? .asked
        pcm.close()
        return end
    }

    /// Closes without having run.
    func close() { pcm.close() }
}

// MARK: - Driver's thread

extension ALSADriver {
    private func loop(_ pcm: OpaquePointer, _ feed: AudioFeed, _ stop: WakeSignal) -> End {
        let count = Int(snd_pcm_poll_descriptors_count(pcm))
        guard count > 0 else { return .failed("snd_pcm_poll_descriptors_count", EINVAL) }
        let entries = UnsafeMutablePointer<pollfd>.allocate(capacity: count + 1)
        defer { entries.deallocate() }
        snd_pcm_poll_descriptors(pcm, entries, UInt32(count))
        entries[count] = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let ready = poll(entries, nfds_t(count + 1), Self.stallLimit)
            if ready < 0, errno == EINTR { continue }
            if ready < 0 { return .failed("poll", errno) }
            if entries[count].revents != 0 { return .asked }
            if ready == 0 { return .stalled }
            var events: UInt16 = 0
            snd_pcm_poll_descriptors_revents(pcm, entries, UInt32(count), &events)
            // errors show in the status too, with the reason
            let result = transfer(pcm, feed)
            if result < 0, let end = recover(pcm, from: -result, stop) { return end }
        }
    }

    /// Moves what the driver holds to the ring: 0, or the negative of an error number.
    private func transfer(_ pcm: OpaquePointer, _ feed: AudioFeed) -> Int32 {
        let result = snd_pcm_status(pcm, status)
        if result < 0 { return result }
        switch snd_pcm_status_get_state(status) {
        case SND_PCM_STATE_XRUN: return -EPIPE
        case SND_PCM_STATE_SUSPENDED: return -ESTRPIPE
        case SND_PCM_STATE_DISCONNECTED: return -ENODEV
        default: break
        }
        let avail = Int(snd_pcm_status_get_avail(status))
        let first = CaptureStamp.oldest(
            hardware: hardwareStamp(), now: clock.now().nanoseconds(), avail: avail,
            rate: grant.rate)
        defer { feed.wake() }
        var done = 0
        while done < avail {
            let stamp = first + AudioTiming.nanoseconds(of: done, rate: grant.rate)
            let count = read(pcm, atMost: avail - done, stamp: stamp, into: feed.ring)
            if count == -EAGAIN { return 0 }
            if count < 0 { return Int32(count) }
            done += count
        }
        return 0
    }

    /// Reads once: the frames read, or the negative of an error number.
    private func read(
        _ pcm: OpaquePointer, atMost limit: Int, stamp: Int64, into ring: AudioRing
    ) -> Int {
        let room = ring.writable
        let free = room.count / ring.bytesPerFrame
        let isFull = free == 0
        let target = isFull ? scratch : room.baseAddress
        let wanted = min(limit, isFull ? grant.periodFrames : free)
        let count = snd_pcm_readi(pcm, target, snd_pcm_uframes_t(wanted))
        guard count > 0 else { return count == 0 ? Int(-EAGAIN) : count }
        let lost = account.block(frames: count, stamp: stamp)
        ring.lose(overrun: lost, late: isFull ? count : 0)
        if !isFull { ring.commit(frames: count, stamp: stamp) }
        return count
    }

    private func hardwareStamp() -> Int64? {
        var time = snd_htimestamp_t()
        snd_pcm_status_get_htstamp(status, &time)
        let stamp = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        return stamp == 0 ? nil : stamp
    }

    /// Sets the card going again after an overrun or a suspend; an end when it cannot.
    private func recover(_ pcm: OpaquePointer, from error: Int32, _ stop: WakeSignal) -> End? {
        guard error == EPIPE || error == ESTRPIPE else { return .failed("snd_pcm_readi", error) }
        account.overrun()
        if error == ESTRPIPE {
            while snd_pcm_resume(pcm) == -EAGAIN {
                // the system is still waking; libasound gives nothing to poll for it
                if stop.wait(nanoseconds: 20_000_000) { return .asked }
            }
        }
        let prepared = snd_pcm_prepare(pcm)
        if prepared < 0 { return .failed("snd_pcm_prepare", -prepared) }
        let started = snd_pcm_start(pcm)
        if started < 0 { return .failed("snd_pcm_start", -started) }
        return nil
    }
}
