import Foundation
import Media
import TestSupport

/// What a test reads from a take's report without the program's own types.
struct ReportOnDisk {
    /// When the movie's first picture was taken (host clock).
    let sessionStart: MediaTime

    /// - Parameter movie: the movie the report lies beside.
    init(besides movie: String) throws {
        let path = movie.replacingOccurrences(of: ".mp4", with: ".vcap.json")
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let clocks = object?["clocks"] as? [String: Any]
        guard let start = clocks?["start"] as? Double else {
            throw MovieOracle.Failure(description: "\(path) does not say when the movie began")
        }
        sessionStart = .nanoseconds(Int64((start * 1e9).rounded()))
    }
}
