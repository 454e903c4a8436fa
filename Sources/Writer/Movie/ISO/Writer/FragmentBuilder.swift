internal import Media

/// Lays out one fragment: annotations, `moof`, `mdat`.
struct FragmentBuilder {
    /// What one track adds.
    struct Part {
        let trackID: UInt32
        /// Where movie time zero is in the track's time (ticks).
        let shift: Int64
        let samples: [SampleIndex.Sample]
        let data: [BlockBuffer]
        let isVideo: Bool

        var byteCount: Int { data.reduce(0) { $0 + $1.count } }
    }

    let bytes: GatheredBytes
    let hasSamples: Bool
    /// Per part, where its data is from the start of `bytes`.
    let dataOffsets: [Int]

    /// - Throws: `invalidState` when a sample is before its track's time zero.
    init(
        sequenceNumber: UInt32, annotations: [MovieAnnotation], firstAnnotationID: UInt32,
        parts: [Part], subject: String
    ) throws(MediaError) {
        var builder = BoxBuilder()
        for (number, annotation) in annotations.enumerated() {
            builder.append(
                EventMessageBox(annotation, id: firstAnnotationID + UInt32(number)))
        }
        hasSamples = parts.contains { !$0.samples.isEmpty }
        guard hasSamples else {
            bytes = GatheredBytes(builder.bytes)
            dataOffsets = parts.map { _ in 0 }
            return
        }
        let start = builder.bytes.count
        // the offsets' fields have a fixed size: one dry run says how long the header is
        let header = try FragmentBuilder.header(
            sequenceNumber, parts, headerSize: 0, checksum: 0, subject
        ).count
        var length = header + 8
        var checksum = FragmentChecksum()
        var offsets: [Int] = []
        for part in parts {
            offsets.append(start + length)
            for block in part.data { block.withUnsafeBytes { checksum.add($0) } }
            length += part.byteCount
        }
        // a fragment is cut long before a box needs a large header
        guard let size = UInt32(exactly: length - header) else {
            throw MediaError(
                code: .invalidState, subject: subject,
                message: "Cannot write a fragment of \(length) bytes to \(subject).")
        }
        builder.raw(
            try FragmentBuilder.header(
                sequenceNumber, parts, headerSize: header, checksum: checksum.value, subject))
        builder.u32(size)
        builder.code("mdat")
        var gathered = GatheredBytes(builder.bytes)
        for part in parts { for block in part.data { gathered.append(block) } }
        bytes = gathered
        dataOffsets = offsets
    }

    private static func header(
        _ sequenceNumber: UInt32, _ parts: [Part], headerSize: Int, checksum: UInt64,
        _ subject: String
    ) throws(MediaError) -> [UInt8] {
        var builder = BoxBuilder()
        var offset = headerSize + 8
        var failure: MediaError?
        builder.box("moof") { builder in
            builder.append(FragmentHeaderBox(sequenceNumber: sequenceNumber))
            for part in parts where !part.samples.isEmpty {
                do throws(MediaError) {
                    try write(part, dataOffset: offset, to: &builder, subject)
                } catch { failure = error }
                offset += part.byteCount
            }
            builder.append(FragmentChecksumBox(checksum: checksum))
        }
        if let failure { throw failure }
        return builder.bytes
    }

    private static func write(
        _ part: Part, dataOffset: Int, to builder: inout BoxBuilder, _ subject: String
    ) throws(MediaError) {
        let start = (part.samples.first?.decodeTime ?? 0) + part.shift
        guard start >= 0, let offset = Int32(exactly: dataOffset) else {
            throw MediaError(
                code: .invalidState, subject: subject,
                message: "Cannot append to track \(part.trackID) of \(subject): its first sample "
                    + "is \(-start) ticks before what was announced; samples come too late.")
        }
        let isReordered = part.samples.contains { $0.compositionOffset != 0 }
        let allSync = part.samples.allSatisfy(\.isSync)
        let samples = part.samples.map { sample in
            TrackRunBox.Sample(
                duration: sample.duration, size: sample.size,
                flags: part.isVideo && !allSync
                    ? (sample.isSync ? SampleDefaults.syncFlags : SampleDefaults.otherFlags) : nil,
                compositionOffset: isReordered ? sample.compositionOffset : nil)
        }
        builder.box("traf") { builder in
            builder.append(
                TrackFragmentHeaderBox(
                    trackID: part.trackID, flags: SampleDefaults.syncFlags))
            builder.append(FragmentDecodeTimeBox(time: UInt64(start)))
            builder.append(TrackRunBox(dataOffset: offset, samples: samples))
        }
    }
}
