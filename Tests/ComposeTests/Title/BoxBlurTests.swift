import Foundation
import Testing

@testable import Compose

@Suite("The blur of shadows")
struct BoxBlurTests {
    private func blurred(_ deviation: Double, _ width: Int, _ height: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: width * height)
        for y in (height / 2 - 1)...(height / 2 + 1) {
            for x in (width / 2 - 1)...(width / 2 + 1) { bytes[y * width + x] = 255 }
        }
        bytes.withUnsafeMutableBytes {
            BoxBlur(deviation: deviation).apply(
                $0, width: width, height: height, bytesPerRow: width)
        }
        return bytes
    }

    @Test("its spread is that of a Gaussian", arguments: [1.0, 2.0, 3.0])
    func spread(_ deviation: Double) {
        let size = 41
        let bytes = blurred(deviation, size, size)
        var (sum, square) = (0.0, 0.0)
        for y in 0..<size {
            for x in 0..<size {
                let value = Double(bytes[y * size + x])
                sum += value
                square += value * Double((x - 20) * (x - 20))
            }
        }
        // the square of three pixels has a variance of 2/3 of its own
        #expect(abs((square / sum - 2.0 / 3).squareRoot() - deviation) < 0.25 * deviation)
        #expect(abs(sum / (9 * 255) - 1) < 0.12)
    }

    @Test("it is the same in both directions, and nothing for no radius")
    func symmetry() {
        let bytes = blurred(2, 31, 31)
        for y in 0..<31 {
            for x in 0..<31 {
                #expect(abs(Int(bytes[y * 31 + x]) - Int(bytes[x * 31 + y])) <= 1)
                #expect(bytes[y * 31 + x] == bytes[y * 31 + 30 - x])
            }
        }
        #expect(blurred(0, 9, 9).filter { $0 == 255 }.count == 9)
    }
}
