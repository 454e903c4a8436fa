import Media
import TestSupport
import Testing

@testable import Capture

@Suite("Which frame becomes the photo")
struct PhotoDeskTests {
    private let format = FormatDescription.video(
        VideoFormat(coding: .coded(.h264), width: 16, height: 16))

    private func frame(_ milliseconds: Int64, isSync: Bool = true, bytes: Int = 8) -> SampleBuffer {
        SampleBuffer(
            payload: .coded(BlockBuffer([UInt8](repeating: 0, count: bytes))), format: format,
            presentationTime: .milliseconds(milliseconds), isSync: isSync)
    }

    private func times(_ chain: [SampleBuffer]) -> [Int64] {
        chain.map { $0.presentationTime.nanoseconds() / 1_000_000 }
    }

    @Test("of frames at any times, each photo gets the one nearest to its shutter")
    func nearest() {
        var random = SplitMix(seed: 15)
        for _ in 0..<200 {
            var desk = PhotoDesk<Int>()
            let stamps = (0..<20).reduce(into: [Int64(100)]) { stamps, _ in
                stamps.append((stamps.last ?? 0) + Int64.random(in: 5...60, using: &random))
            }
            var shutters: [Int: Int64] = [:]
            var found: [Int: Int64] = [:]
            for (index, stamp) in stamps.enumerated() {
                for (ticket, chain) in desk.take(frame(stamp)) {
                    found[ticket] = times(chain).last
                }
                // pressed at any moment before the next frame comes
                guard index + 1 < stamps.count, Bool.random(using: &random) else { continue }
                let shutter = Int64.random(in: stamp..<stamps[index + 1], using: &random)
                shutters[index] = shutter
                let chain = desk.ask(
                    index, at: .milliseconds(shutter), frameDuration: .milliseconds(5))
                if let chain { found[index] = times(chain).last }
            }
            #expect(!shutters.isEmpty && desk.isIdle)
            for (ticket, shutter) in shutters {
                let least = stamps.map { abs($0 - shutter) }.min()
                #expect(found[ticket].map { abs($0 - shutter) } == least, "\(shutter) of \(stamps)")
            }
        }
    }

    @Test("a frame that builds on others comes with them, from the sync sample on")
    func chain() {
        var desk = PhotoDesk<Int>()
        for time in [0, 40, 80] { _ = desk.take(frame(Int64(time), isSync: time == 0)) }
        #expect(desk.ask(1, at: .milliseconds(110), frameDuration: .milliseconds(40)) == nil)
        // the next group begins, and the frame before it is the nearer one
        #expect(desk.take(frame(150)).map { times($0.1) } == [[0, 40, 80]])
        #expect(desk.ask(2, at: .milliseconds(180), frameDuration: .milliseconds(40)) == nil)
        #expect(desk.take(frame(190, isSync: false)).map { times($0.1) } == [[150, 190]])
    }

    @Test("behind a lost reference a photo waits for the next sync sample")
    func lostReference() {
        var desk = PhotoDesk<Int>()
        _ = desk.take(frame(0))
        desk.lose()
        #expect(desk.ask(1, at: .milliseconds(10), frameDuration: .milliseconds(40)) == nil)
        #expect(desk.take(frame(40, isSync: false)).isEmpty)
        #expect(desk.take(frame(80)).map { times($0.1) } == [[80]])
    }

    @Test("a sync sample that never comes costs no more than the bound")
    func bound() {
        var desk = PhotoDesk<Int>()
        _ = desk.take(frame(0))
        for time in 1...80 { _ = desk.take(frame(Int64(time), isSync: false, bytes: 1 << 20)) }
        #expect(desk.ask(1, at: .milliseconds(81), frameDuration: .seconds(1)) == nil)
        #expect(desk.cancel(1) && !desk.cancel(1) && desk.isIdle)
    }

    @Test("what waits when the camera goes is answered, and nothing old is taken afterwards")
    func gone() {
        var desk = PhotoDesk<Int>()
        _ = desk.take(frame(0))
        #expect(desk.ask(1, at: .milliseconds(30), frameDuration: .milliseconds(40)) == nil)
        #expect(desk.end() == [1])
        #expect(desk.ask(2, at: .milliseconds(31), frameDuration: .seconds(1)) == nil)
        #expect(desk.take(frame(5000)).map(\.0) == [2])
    }
}
