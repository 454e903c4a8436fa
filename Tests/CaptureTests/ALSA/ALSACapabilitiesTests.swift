import Testing

@testable import Capture

@Suite struct ALSACapabilitiesTests {
    private let card = ALSACapabilities(
        layouts: [.int32, .int16], rates: 44_100...192_000,
        usualRates: [44_100, 48_000, 96_000, 192_000], channels: 2...2)

    @Test("unless set otherwise a card records 48 kHz stereo in its widest format")
    func defaults() {
        #expect(
            card.choose(rate: nil, channels: nil)
                == .init(layout: .int32, rate: 48_000, channels: 2))
    }

    @Test(
        "a rate outside the card's range becomes its end; one inside is left to the driver to round",
        arguments: [(8000, 44_100), (90_000, 90_000), (384_000, 192_000)])
    func nearestRate(wanted: Int, granted: Int) {
        #expect(card.choose(rate: wanted, channels: nil)?.rate == granted)
    }

    @Test("a card with one odd rate is taken as it is")
    func oddRate() {
        var odd = card
        odd.rates = 50_000...50_000
        odd.usualRates = []
        #expect(odd.choose(rate: 48_000, channels: nil)?.rate == 50_000)
    }

    @Test("channels stay within what the card has, and up to stereo unless set otherwise")
    func channels() {
        var many = card
        many.channels = 1...18
        #expect(many.choose(rate: nil, channels: nil)?.channels == 2)
        #expect(many.choose(rate: nil, channels: 18)?.channels == 18)
        #expect(many.choose(rate: nil, channels: 32)?.channels == 18)
        many.channels = 1...1
        #expect(many.choose(rate: nil, channels: nil)?.channels == 1)
    }

    @Test("a card without a format vcap reads is refused")
    func noFormat() {
        var none = card
        none.layouts = []
        #expect(none.choose(rate: nil, channels: nil) == nil)
    }

    @Test("two layouts of one sample format are listed once")
    func listing() {
        var both = card
        both.layouts = [.int32, .int24In3, .int16]
        #expect(both.captureFormats.compactMap { $0.audio?.sampleFormat } == [.int32, .int16])
        #expect(both.captureFormats.first?.audio?.sampleRates.count == 4)
    }
}
