import Foundation
import Media
import Testing

@testable import Compose

@Suite("Colours of titles in HDR films")
struct HDRColorTests {
    private func codes(_ color: Color, _ transfer: UInt8, primaries: UInt8 = 9) -> [Int] {
        ColorCodes(
            ColorDescription(
                primaries: primaries, transfer: transfer, matrix: primaries, range: .limited),
            depth: 10
        ).codes(color)
    }

    @Test("white is diffuse white, black is black", arguments: [(16, 573), (18, 721), (14, 940)])
    func white(transfer: UInt8, white: Int) {
        let made = codes(Color(red: 1, green: 1, blue: 1), transfer)
        #expect(abs(made[0] - white) <= 1 && made[1...] == [512, 512], "\(made)")
        #expect(codes(Color(red: 0, green: 0, blue: 0), transfer) == [64, 512, 512])
    }

    /// Half of sRGB's code is 38.5 cd/m² of 203 on BT.1886's display, whose code in PQ is 0.4156.
    @Test("grey is as bright as the same grey of an SDR clip")
    func grey() {
        #expect(abs(codes(Color(red: 0.5, green: 0.5, blue: 0.5), 16)[0] - 428) <= 1)
    }

    @Test("a colour stays the colour that it is in SDR")
    func red() {
        // BT.709's red is 62.7 % red, 6.9 % green and 1.6 % blue of BT.2020 (BT.2087)
        let made = codes(Color(red: 1, green: 0, blue: 0), 16)
        func pq(_ light: Double) -> Double {
            let power = pow(light / 10_000, 1305 / 8192.0)
            return pow(
                (107.0 / 128 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523 / 32.0)
        }
        let (r, g, b) = (pq(203 * 0.6274), pq(203 * 0.0691), pq(203 * 0.0164))
        let luma = 0.2627 * r + 0.6780 * g + 0.0593 * b
        #expect(abs(Double(made[0]) - (64 + 876 * luma)) <= 1.5)
        #expect(abs(Double(made[2]) - (512 + 896 * (r - luma) / 1.4746)) <= 1.5)
    }
}
