internal import CFFmpeg

extension Demuxer {
    /// Leaves every other track's samples out, before their bytes are copied where the container
    /// allows it.
    package func readOnly(_ track: Int) {
        context.discardAll(but: tracks[track].streamIndex)
    }
}

extension FormatContext {
    func discardAll(but stream: Int32) {
        for entry in streams {
            entry.pointee.discard =
                entry.pointee.index == stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
    }
}
