public import Media

extension RecordingSettings {
    /// Refuses a disk that has no more than `diskReserve` left, before anything is made on it. Looks at the
    /// nearest folder of the path that is there; a disk that does not say passes.
    /// - Throws: `diskFull`.
    public func requireFreeSpace() throws(MediaError) {
        try requireFreeSpace(in: FileSystemSpace())
    }

    func requireFreeSpace(in space: any DiskSpaceProvider) throws(MediaError) {
        guard let free = freeBytes(in: space), free <= diskReserve else { return }
        throw MediaError(
            code: .diskFull, subject: outputPath,
            message: "Cannot record to \(outputPath): its disk has \(free.roughBytes) left, "
                + "and \(diskReserve.roughBytes) are kept free; make room, choose another disk, or "
                + "lower the reserve.")
    }

    private func freeBytes(in space: any DiskSpaceProvider) -> Int64? {
        var path = outputPath
        while true {
            if let free = space.freeBytes(forFileAt: path) { return free }
            guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
                return path.contains("/") ? nil : space.freeBytes(forFileAt: "file")
            }
            path = String(path[..<slash])
        }
    }
}

extension Int64 {
    /// For messages: bytes in the largest unit (powers of 1024) of which there are ten or more, rounded
    /// down.
    var roughBytes: String {
        var (count, unit) = (self, 0)
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        while count >= 10 << 10, unit < units.count - 1 {
            count >>= 10
            unit += 1
        }
        return "\(count) \(units[unit])"
    }
}
