internal import CV4L2
internal import Glibc
internal import LibAV
internal import Media

/// Lets an H.264 or HEVC camera run until it has sent its parameter sets: a track's format holds them,
/// and a source's format is fixed before it starts.
struct WireProbe {
    /// How long to wait for them (ms): cameras send them first, feeders with each group.
    static let timeout: Int32 = 3000

    let buffers: DriverBuffers
    let device: CaptureDevice

    func stream(_ format: VideoFormat) throws(MediaError) -> AnnexBStream {
        do throws(V4L2Node.Failure) {
            try buffers.start()
            defer { buffers.pause() }
            var entry = pollfd(fd: buffers.descriptor, events: Int16(POLLIN), revents: 0)
            var samples = 0
            while samples < 300, poll(&entry, 1, Self.timeout) > 0 {
                samples += 1
                guard let filled = try buffers.dequeue() else { continue }
                let found = filled.bytes.first.flatMap {
                    AnnexBStream(format, parameterSetsIn: BlockBuffer($0))
                }
                if let found { return found }
                buffers.giveBack(filled.index)
            }
        } catch {
            throw .v4l2(error, on: device, doing: "start")
        }
        throw MediaError(
            code: .deviceFailed, subject: device.id,
            message:
                "Cannot record \(device.name) as \(format.codec?.rawValue ?? "video"): it sent no "
                + "parameter sets; take another --input-format.")
    }
}
