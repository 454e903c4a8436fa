import Foundation
import Media
import TestSupport
import Testing

/// Picture files whose gray says which number they have.
enum GrayPictures {
    /// Of a picture (0…255).
    static func level(of number: Int) -> Int { 20 + 4 * number }

    /// The number of the picture whose gray is nearest; nil: black.
    static func number(ofLevel level: UInt8) -> Int? {
        level < 8 ? nil : Int((Double(Int(level) - 20) / 4).rounded())
    }

    /// Writes pictures of consecutive numbers (0 to 55).
    static func write(
        _ pattern: String, _ numbers: ClosedRange<Int>, width: Int = 64, height: Int = 48
    ) throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run([
            "-v", "error", "-f", "lavfi", "-i",
            "color=black:s=\(width)x\(height):r=25,format=gray,geq=lum='20+4*(N+\(numbers.lowerBound))'",
            "-frames:v", "\(numbers.count)", "-start_number", "\(numbers.lowerBound)", "-y",
            pattern,
        ])
        try #require(result.status == 0, "\(result.errorText)")
    }

    /// The pictures that a movie's frames show, one after the other; nil: black.
    static func numbers(_ movie: String) throws -> [Int?] {
        try PictureFiles.grayFrames(movie, columns: 1).map { number(ofLevel: $0[0]) }
    }
}
