import Foundation

/// What the lab reads of a take's report (`NAME.vcap.json`, schema `vcap.take/1`), decoded apart
/// from the types that wrote it. Times are seconds.
struct Report: Decodable {
    struct Clocks: Decodable {
        let start: Double
        let end: Double?
    }

    struct Gap: Decodable {
        let movieTime: Double
        let hostTime: Double
        let length: Double
        let cause: String
    }

    struct Track: Decodable {
        let mediaType: String
        let codec: String
        let frames: Int
        let filledFrames: Int
        let drops: [String: Int]
        let gaps: [Gap]
        let driftPPM: Double?
    }

    struct Control: Decodable {
        let movieTime: Double
        let hostTime: Double
        let camera: String
        let id: String
        let setting: String
        let granted: String?
        let isByOthers: Bool?
    }

    let schema: String
    let state: String
    let duration: Double
    let clocks: Clocks?
    let tracks: [Track]
    let verdict: String?
    let reasons: [String]
    let controls: [Control]?

    func tracks(_ mediaType: String) -> [Track] {
        tracks.filter { $0.mediaType == mediaType }
    }
}
