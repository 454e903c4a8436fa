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

    init(_ name: String, in guest: Guest) throws {
        self.name = name
        movie = Movie(url: guest.share.appending(path: "\(name).mp4"))
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

    /// Every picture of the movie set against every buffer the kernel handed out.
    func account(track: Int = 0) throws -> FrameAccount {
        let minors = buffers.minors
        guard track < minors.count else {
            throw Installation.Failure(
                description: "the kernel handed out no buffers for take \(name)")
        }
        return FrameAccount(
            times: try movie.frames(track: track).map { start + $0.time },
            buffers: buffers.of(minor: minors[track]).buffers)
    }
}
