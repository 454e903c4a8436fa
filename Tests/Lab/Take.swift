import Foundation

/// What one take in the guest left behind: the movie, its report and the kernel's list of buffers.
struct Take {
    let name: String
    let movie: Movie
    let report: Report
    let buffers: DriverBuffers
    let status: Int
    /// What vcap said on standard error.
    let said: String

    init(_ name: String, ending: String = "mp4", in guest: Guest) throws {
        self.name = name
        movie = Movie(url: guest.share.appending(path: "\(name).\(ending)"))
        said = guest.text("\(name).stderr")
        status = Int(try guest.number("\(name).status"))
        buffers = DriverBuffers(parsing: guest.text("\(name).buffers"))
        let json = guest.share.appending(path: "\(name).vcap.json")
        guard let data = try? Data(contentsOf: json) else {
            throw Installation.Failure(
                description: "take \(name) left no report; status \(status), it said: \(said)")
        }
        report = try JSONDecoder().decode(Report.self, from: data)
    }

    var video: Report.Track? { report.tracks("video").first }
    var audio: Report.Track? { report.tracks("audio").first }
    var start: Double { report.clocks?.start ?? .nan }

    /// Holes in a tone that nothing explains: neither the codec's edges at the movie's begin and
    /// end nor a gap that the report has.
    func unexplainedHoles(in sound: Sound) -> [Range<Double>] {
        let gaps = (audio?.gaps ?? []).map { $0.movieTime - 0.03..<$0.movieTime + $0.length + 0.03 }
        return sound.silences().filter { hole in
            hole.upperBound > 0.06 && hole.lowerBound < report.duration - 0.03
                && !gaps.contains { $0.contains(hole.lowerBound) && $0.contains(hole.upperBound) }
        }
    }

    /// Frames the driver gave that were lost later, by the report.
    var otherDrops: Int {
        (video?.drops ?? [:]).filter { $0.key != "driver-gap" }.map(\.value).reduce(0, +)
    }

    /// When a buffer's frame was taken (s, monotonic clock), as the guide says: a driver that
    /// stamps a frame's end has begun it one frame, at most a thirtieth of a second, before.
    static func moment(of buffer: DriverBuffers.Buffer) -> Double { buffer.time - 1.0 / 30 }

    /// Every frame of a track set against every buffer the kernel handed out.
    /// - Parameter camera: which of the guest's cameras, in the order of their nodes.
    func account(track: Int = 0, camera: Int = 0) throws -> FrameAccount {
        let minors = buffers.minors
        guard camera < minors.count else {
            throw Installation.Failure(
                description: "the kernel handed out no buffers for take \(name)")
        }
        return FrameAccount(
            times: try movie.frames(track: track).map { start + $0.time },
            buffers: buffers.of(minor: minors[camera]).buffers)
    }
}
