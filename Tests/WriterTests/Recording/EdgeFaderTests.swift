import Media
import Testing

@testable import Recording

private let mono = AudioFormat(coding: .raw(.int16), sampleRate: 48_000, channels: 1)

private func block(_ samples: [Int16]) -> BlockBuffer {
    samples.withUnsafeBytes { BlockBuffer($0) }
}

private func samples(_ block: BlockBuffer?) -> [Int16] {
    block?.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } ?? []
}

struct EdgeFaderTests {
    @Test(
        "without a break every frame passes as it was, 3 ms late", arguments: [1, 7, 144, 145, 480])
    func passesUntouched(blockLength: Int) {
        var fader = EdgeFader(format: mono)
        let all = (0..<2_000).map { Int16($0 * 13 % 30_000) }
        var out: [Int16] = []
        for start in stride(from: 0, to: all.count, by: blockLength) {
            out += samples(
                fader.push(block(Array(all[start..<min(start + blockLength, all.count)]))))
            #expect(fader.heldFrames <= 144)
        }
        #expect(all.count - out.count == 144)
        #expect(out + samples(fader.flush()) == all)
    }

    @Test("at a break the last 3 ms fall to silence and the next 3 ms rise from it")
    func fadesAtBreak() {
        var fader = EdgeFader(format: mono)
        let loud = [Int16](repeating: 14_400, count: 480)
        var out = samples(fader.push(block(loud)))
        out += samples(fader.breakOff())
        #expect(out.count == 480)
        #expect(out[..<336].allSatisfy { $0 == 14_400 })
        #expect(out[336] == 14_300)
        #expect(out[479] == 0)
        #expect(zip(out[336...], out[337...]).allSatisfy { $0.0 - $0.1 == 100 })
        let back = samples(fader.push(block(loud))) + samples(fader.flush())
        #expect(back[0] == 0)
        #expect(back[143] == 14_300)
        #expect(back[144...].allSatisfy { $0 == 14_400 })
    }

    @Test("every sample format fades, in every channel")
    func fadesEveryFormat() {
        for sampleFormat in [AudioSampleFormat.int16, .int32, .float32] {
            let format = AudioFormat(coding: .raw(sampleFormat), sampleRate: 1_000, channels: 2)
            var fader = EdgeFader(format: format)
            let bytes: [UInt8] =
                switch sampleFormat {
                case .int16: [Int16](repeating: 900, count: 6).withUnsafeBytes { Array($0) }
                case .int32: [Int32](repeating: 900, count: 6).withUnsafeBytes { Array($0) }
                case .float32: [Float](repeating: 900, count: 6).withUnsafeBytes { Array($0) }
                }
            #expect(fader.push(BlockBuffer(bytes)) == nil)
            let faded = fader.breakOff()?.withUnsafeBytes { raw -> [Double] in
                switch sampleFormat {
                case .int16: raw.bindMemory(to: Int16.self).map(Double.init)
                case .int32: raw.bindMemory(to: Int32.self).map(Double.init)
                case .float32: raw.bindMemory(to: Float.self).map { Double($0).rounded() }
                }
            }
            #expect(faded == [600, 600, 300, 300, 0, 0])
        }
    }
}
