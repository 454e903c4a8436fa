internal import CALSA
internal import Media

/// An open PCM for capture, closed exactly once: the driver's unbind of an unplugged card blocks
/// until that has happened.
struct ALSAPCM: ~Copyable {
    private var handle: OpaquePointer?

    /// - Throws: `MediaError` naming what refuses and what to do.
    init(opening device: ALSADeviceName) throws(MediaError) {
        ALSACall.discardMessages()
        var handle: OpaquePointer?
        // nonblocking: a busy card must answer at once, and a read must never wait past `poll`
        let result = snd_pcm_open(
            &handle, device.pcmName, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
        guard result >= 0, handle != nil else {
            throw ALSAFailure.opening(device, error: -result)
        }
        self.handle = handle
    }

    deinit { if let handle { snd_pcm_close(handle) } }

    /// Closes early; the pointer cannot be lent any more.
    mutating func close() {
        guard let open = handle else { return }
        handle = nil
        snd_pcm_close(open)
    }

    /// Lends the pointer, valid only inside the closure; `nil` once closed.
    borrowing func withHandle<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let handle else { return nil }
        return try body(handle)
    }
}
