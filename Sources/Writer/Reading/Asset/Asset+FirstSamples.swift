internal import LibAV
package import Media
internal import Movie

extension Asset {
    /// Reads what the first samples of an MP4 or QuickTime file state, and no header does. What cannot be read is not
    /// known; who reads the samples reports it.
    mutating func readFirstSamples(of movie: MovieFile, in io: any FileIO) {
        for (place, track) in movie.tracks.enumerated() {
            guard let format = track.format?.video, FirstSample.isOfUse(to: format),
                let sample = track.samples.first
            else { continue }
            let length = min(Int(sample.size), FirstSample.reach)
            let bytes = [UInt8](unsafeUninitializedCapacity: length) { memory, count in
                do throws(IOFailure) {
                    count = try io.read(
                        into: UnsafeMutableRawBufferPointer(memory), at: sample.offset)
                } catch { count = 0 }
            }
            tracks[place].state(FirstSample(bytes, of: format))
        }
    }

    /// Which field of a track's first frame was taken first. Decodes it; blocks.
    /// - Returns: nil where the frame is whole, and where it is not known.
    package func firstField(of track: AssetTrack) -> FieldOrder? {
        guard image == nil, let format = track.format?.video, format.codec != .hevc else {
            return nil
        }
        do throws(MediaError) {
            let cursor = try FrameCursor(asset: self, track: track, startingAt: track.start)
            defer { cursor.close() }
            return try cursor.picture(at: track.start).attachments.fieldOrder
        } catch { return nil }
    }
}

extension AssetTrack {
    /// - Parameter first: nil where the first sample was not looked at.
    mutating func state(_ first: FirstSample?) {
        hasHDR10Plus = first?.hasHDR10Plus ?? false
        isInterlaced = format?.video.map { ScanType($0, first: first) == .interlaced } ?? false
    }
}
