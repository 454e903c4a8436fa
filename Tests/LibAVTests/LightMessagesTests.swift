import Media
import Testing

@testable import LibAV

@Suite("What H.265's messages say of light")
struct LightMessagesTests {
    private static let display = MasteringDisplay(
        red: .init(x: 34_000, y: 16_000), green: .init(x: 13_250, y: 34_500),
        blue: .init(x: 7500, y: 3000), white: .init(x: 15_635, y: 16_450),
        maximumLuminance: 10_000_000, minimumLuminance: 50)

    /// A unit of messages, as it lies in a stream.
    private func unit(_ messages: [(type: [UInt8], bytes: [UInt8])]) -> ArraySlice<UInt8> {
        var body: [UInt8] = []
        for message in messages {
            body += message.type + [UInt8(message.bytes.count)] + message.bytes
        }
        body.append(0x80)
        // emulation prevention
        var zeros = 0
        var index = 0
        while index < body.count {
            if zeros == 2, body[index] <= 3 {
                body.insert(3, at: index)
                index += 1
                zeros = 0
            }
            zeros = body[index] == 0 ? zeros + 1 : 0
            index += 1
        }
        return ([0x4E, 0x01] as [UInt8] + body)[...]
    }

    @Test("is read past other messages and from several units")
    func read() {
        let light: [UInt8] = [0, 0, 0, 200]
        let first = unit([([5], [1, 2, 3]), ([255, 4], [0, 0, 0, 0])])
        let both = LightMessages([first, unit([([137], Self.display.bytes), ([144], light)])])
        #expect(both.masteringDisplay == Self.display)
        #expect(both.contentLight == ContentLightLevel(maximum: 0, maximumFrameAverage: 200))
        #expect(LightMessages([first]).masteringDisplay == nil)
    }

    @Test("of a unit that ends anywhere nothing is made up")
    func cut() {
        let whole = unit([([137], Self.display.bytes), ([144], [3, 32, 1, 44])])
        for count in 0..<whole.count - 1 {
            let found = LightMessages([whole.prefix(count)])
            #expect(found.masteringDisplay == nil || found.masteringDisplay == Self.display)
            #expect(found.contentLight == nil)
        }
        // a length beyond the end, and numbers without one
        #expect(
            LightMessages([([0x4E, 1, 137, 255, 255, 255] as [UInt8])[...]]).masteringDisplay == nil
        )
        #expect(
            LightMessages([([0x4E, 1] as [UInt8] + [UInt8](repeating: 255, count: 300))[...]])
                .contentLight
                == nil)
    }

    @Test("values without light state nothing, and bytes are as they were")
    func values() {
        #expect(MasteringDisplay(bytes: Self.display.bytes) == Self.display)
        #expect(MasteringDisplay(bytes: [UInt8](repeating: 0, count: 24)) == nil)
        #expect(MasteringDisplay(bytes: Self.display.bytes.dropLast()) == nil)
        #expect(ContentLightLevel(bytes: [0, 0, 0, 0]) == nil)
        let light = ContentLightLevel(maximum: 4000, maximumFrameAverage: 312)
        #expect(ContentLightLevel(bytes: light.bytes) == light)
    }

    @Test(
        "a track of several clips has the first display and the brightest light, where each states it"
    )
    func tracks() {
        func clip(_ light: UInt16?, transfer: UInt8 = 16) -> VideoFormat {
            var format = VideoFormat(
                coding: .coded(.hevc), width: 64, height: 64,
                color: ColorDescription(
                    primaries: 9, transfer: transfer, matrix: 9, range: .limited))
            format.masteringDisplay = light.map { _ in Self.display }
            format.contentLight = light.map {
                ContentLightLevel(maximum: $0, maximumFrameAverage: $0 / 4)
            }
            return format
        }
        var track = clip(nil)
        track.state(lightOf: [clip(800), clip(950), clip(nil, transfer: 1)])
        #expect(track.masteringDisplay == Self.display)
        #expect(track.contentLight?.maximum == 950)
        // SDR beside it is as bright as diffuse white, and HLG's light is not known
        track.state(lightOf: [clip(100), clip(nil, transfer: 1)])
        #expect(track.contentLight?.maximum == 203)
        track.state(lightOf: [clip(800), clip(nil, transfer: 18)])
        #expect(track.contentLight == nil)
        track.state(lightOf: [clip(800), clip(nil)])
        #expect(track.masteringDisplay == Self.display && track.contentLight == nil)
        var standard = clip(nil, transfer: 1)
        standard.state(lightOf: [clip(800)])
        #expect(standard.masteringDisplay == nil && standard.lit(as: clip(800)).contentLight == nil)
    }
}
