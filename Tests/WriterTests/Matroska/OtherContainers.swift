import Foundation
import LibAV
import Media
import TestSupport

@testable import Movie

/// Takes in the containers that libavformat writes, and what must be found in them.
enum OtherContainers {
    /// A take as a kill leaves it after its last flush.
    static func growing(
        _ take: CodedTake, _ container: MuxerContainer, in folder: TemporaryFolder
    ) throws -> [UInt8] {
        let path = folder.file("growing")
        let writer = try begun(take, container, path)
        try append(take, to: writer)
        try writer.flush()
        let content = try bytes(path)
        writer.abandon()
        return content
    }

    /// A take that came to its end.
    static func finished(
        _ take: CodedTake, _ container: MuxerContainer, _ path: String
    ) throws {
        let writer = try begun(take, container, path)
        try append(take, to: writer)
        _ = try writer.finish()
    }

    static func begun(
        _ take: CodedTake, _ container: MuxerContainer, _ path: String
    ) throws -> LibAVContainerWriter {
        let file = try DurableFile(creating: path, existing: .replace)
        let writer = try LibAVContainerWriter(
            file: file, container: container, fragmentInterval: .milliseconds(250))
        for track in take.tracks { _ = try writer.addTrack(track) }
        try writer.begin(take.metadata)
        return writer
    }

    private static func append(_ take: CodedTake, to writer: LibAVContainerWriter) throws {
        var waiting = take.annotations[...]
        for (track, sample) in take.samples {
            while let next = waiting.first, next.time <= sample.presentationTime {
                writer.annotate(next)
                waiting.removeFirst()
            }
            try writer.append(sample, track: track)
        }
    }

    /// Every sample of every track: its time and a checksum of its bytes.
    struct Sample: Equatable {
        var time: MediaTime
        var checksum: UInt64
    }

    static func samples(_ path: String) throws -> [[Sample]] {
        let demuxer = try Demuxer(path: path)
        var samples = Array(repeating: [Sample](), count: demuxer.tracks.count)
        while case .sample(let track, let sample) = try demuxer.next() {
            let block = sample.block ?? BlockBuffer([])
            samples[track].append(
                Sample(
                    time: sample.presentationTime,
                    checksum: block.withUnsafeBytes { FragmentChecksumBox.checksum(of: $0) }))
        }
        return samples
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    static func save(_ bytes: some Sequence<UInt8>, _ path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    /// The number by which the system knows a file, which a copy would change.
    static func inode(_ path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return attributes[.systemFileNumber] as? Int
    }
}
