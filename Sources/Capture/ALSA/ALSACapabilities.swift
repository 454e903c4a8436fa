/// What a PCM lists before anything is chosen.
struct ALSACapabilities: Sendable, Equatable {
    var layouts: [DeviceSampleLayout]
    /// Frames per second (Hz).
    var rates: ClosedRange<Int>
    /// Those of the usual rates the device really has (Hz), ascending.
    var usualRates: [Int]
    var channels: ClosedRange<Int>

    static let usual = [
        8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
    ]

    /// What is asked of the driver, which may still round.
    struct Choice: Sendable, Equatable {
        var layout: DeviceSampleLayout
        var rate: Int
        var channels: Int
    }

    /// The first of the preferred layouts; the wanted rate (48 kHz unless set otherwise) or the nearest end of
    /// the device's range, which the driver rounds to one it has; the wanted number of channels, or
    /// the device's own up to stereo. `nil` when the device has no layout vcap can read.
    func choose(rate wantedRate: Int?, channels wantedChannels: Int?) -> Choice? {
        guard let layout = layouts.first else { return nil }
        let rate = min(max(wantedRate ?? 48_000, rates.lowerBound), rates.upperBound)
        let count = min(max(wantedChannels ?? 2, channels.lowerBound), channels.upperBound)
        return Choice(layout: layout, rate: rate, channels: count)
    }
}
