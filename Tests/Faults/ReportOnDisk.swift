import Foundation
import Media
import TestSupport

/// What a test reads from a take's report without the program's own types.
struct ReportOnDisk {
    /// When the movie's first frame was taken (host clock).
    let sessionStart: MediaTime
    let state: String
    let verdict: String?
    /// Length of the movie (seconds).
    let duration: Double
    /// Frames of the first track.
    let frames: Int

    /// - Parameter movie: the movie the report lies beside.
    init(besides movie: String) throws {
        let path = movie.replacingOccurrences(of: ".mp4", with: ".vcap.json")
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let clocks = object?["clocks"] as? [String: Any]
        guard let start = clocks?["start"] as? Double else {
            throw MovieOracle.Failure(description: "\(path) does not say when the movie began")
        }
        let tracks = object?["tracks"] as? [[String: Any]]
        state = object?["state"] as? String ?? ""
        verdict = object?["verdict"] as? String
        duration = object?["duration"] as? Double ?? -1
        frames = tracks?.first?["frames"] as? Int ?? -1
        sessionStart = .nanoseconds(Int64((start * 1e9).rounded()))
    }
}
