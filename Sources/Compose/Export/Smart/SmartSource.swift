internal import LibAV
internal import Media
internal import Reading

/// A source's track whose coded frames can stand in a film as they are.
struct SmartSource {
    let asset: Asset
    let track: AssetTrack
    let sets: ParameterSets
    /// Its record, with lengths of 4 bytes.
    let configuration: [UInt8]
    let index: CodedIndex

    /// Shorter runs are encoded: a joint at either end costs more than is saved (seconds).
    private static let shortest = 0.4

    /// Frames of a run that is worth copying (count).
    /// - Parameter frameDuration: of one of them (seconds).
    static func leastFrames(every frameDuration: Double) -> Double {
        max(2, shortest / frameDuration)
    }

    /// Why a track's frames cannot be copied into a film, a half-sentence; nil: they can, as far as one
    /// sees without reading them.
    static func obstacle(
        _ track: AssetTrack, in film: VideoComposition, of codec: VideoCodec
    ) -> String? {
        guard !track.isStill, !track.isAnimation, let format = track.format?.video else {
            return "it is no movie"
        }
        let size = film.scaledSize
        guard format.codec == codec else {
            return "it is \(format.codec?.spoken ?? "not coded"), and the film is \(codec.spoken)"
        }
        guard format.width == size.width, format.height == size.height else {
            return "its \(format.width)x\(format.height) is brought to the film's "
                + "\(size.width)x\(size.height)"
        }
        guard format.orientation == .upright else { return "it is rotated" }
        guard format.pixelAspect.horizontal == format.pixelAspect.vertical else {
            return "its pixels are no squares"
        }
        guard format.cleanAperture == nil else { return "its edges are cut off" }
        // what it does not state is as the renderer takes it
        var shown = format
        shown.color = .usual(for: format)
        guard format.depth == nil, track.hasAlpha != true, shown.hasCodes(of: film.color) else {
            return "its colours are brought to the film's"
        }
        // messages between the frames say it, and players follow them
        guard format.masteringDisplay == film.masteringDisplay,
            format.contentLight == film.contentLight, !track.hasHDR10Plus
        else { return "its light is described otherwise than the film's" }
        return obstacle(toJoining: track, format, depth: film.pixelFormat.bitDepth)
    }

    /// Why a track's frames cannot stand beside encoded ones of their size and colours, a half-sentence; nil: they can,
    /// as far as one sees without reading them.
    /// - Parameter depth: of the encoded ones (bits).
    static func obstacle(
        toJoining track: AssetTrack, _ format: VideoFormat, depth: Int
    ) -> String? {
        guard !track.isInterlaced, format.fieldOrder == nil else { return "it is interlaced" }
        guard let sets = ParameterSets(record: format.codecConfiguration, of: format.codec) else {
            return "its parameter sets cannot be read"
        }
        guard sets.isProgressive else { return "it is interlaced" }
        guard sets.areSubsampled(depth: depth) else {
            return "its frames are not 4:2:0 of \(depth) bits"
        }
        guard sets.canFollowOthers else {
            return "its profile is not decoded behind frames of others"
        }
        guard sets.hasRoom else { return "it has too many parameter sets" }
        return nil
    }

    /// - Returns: nil where the track's times do not put its frames in order.
    init?(_ asset: Asset, _ track: AssetTrack) throws(MediaError) {
        guard let format = track.format?.video,
            let sets = ParameterSets(record: format.codecConfiguration, of: format.codec),
            let index = try asset.codedIndex(of: track)
        else { return nil }
        (self.asset, self.track, self.sets, self.index) = (asset, track, sets, index)
        configuration = ParameterSets.withFourByteLengths(
            format.codecConfiguration, of: format.codec)
    }

    /// The run of coded frames that begins with a refresh and shows all of some frames and no other: the longest
    /// one. Samples whose frames are shown before it are left out.
    /// - Parameters:
    ///   - rank: of the first frame, which must be one where decoding can begin.
    ///   - limit: of the first frame that is not wanted.
    /// - Returns: how many there are (0: decoding cannot begin there), and how many frames ahead of being shown
    ///   they are decoded at most.
    func closedRun(from rank: Int, below limit: Int) -> (count: Int, reorder: Int) {
        let first = index.places[rank]
        guard let entry = index.frames[first].entry, entry.isRefresh, sets.hold(entry) else {
            return (0, 0)
        }
        var whole = (count: 0, reorder: 0)
        var (count, latest, reorder) = (0, rank, 0)
        for place in first..<index.frames.count {
            let own = index.ranks[place]
            // of HEVC what is shown before the first may need what is not there
            if own < rank, sets.codec == .hevc { continue }
            guard own >= rank, own < limit else { break }
            if let entry = index.frames[place].entry, !sets.hold(entry) { break }
            latest = max(latest, own)
            reorder = max(reorder, count - (own - rank))
            count += 1
            // so far everything that is decoded is shown, without a hole
            if latest - rank + 1 == count { whole = (count, reorder) }
        }
        return whole
    }

    /// The closed runs among frames, by how many are shown before them, in order.
    /// - Parameter least: frames of a run that is worth copying (count).
    func runs(
        among ranks: Range<Int>, least: Double
    ) -> [(ranks: Range<Int>, reorder: Int)] {
        var runs: [(ranks: Range<Int>, reorder: Int)] = []
        var rank = ranks.lowerBound
        while rank < ranks.upperBound {
            let run = closedRun(from: rank, below: ranks.upperBound)
            if Double(run.count) >= least {
                runs.append((rank..<rank + run.count, run.reorder))
            }
            rank += max(1, run.count)
        }
        return runs
    }

    /// Whether decoding can begin at a frame between two, by how many are shown before them.
    func hasRefresh(from rank: Int, below limit: Int) -> Bool {
        (rank..<limit).contains { index.frames[index.places[$0]].entry?.isRefresh ?? false }
    }

    /// Whether the sample at a place can stand in a track with others' sets.
    func isCopied(
        from place: Int, as record: Int, in sets: SmartSets
    ) throws(MediaError) -> Bool {
        guard sets.changesSamples(ofRecord: record) else { return true }
        let reader = try CodedReader(asset, track, index)
        try reader.seek(to: place)
        return try reader.next().block.flatMap {
            sets.sample($0, ofRecord: record, begins: true)
        } != nil
    }
}
