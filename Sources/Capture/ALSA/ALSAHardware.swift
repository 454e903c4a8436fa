internal import CALSA
internal import Glibc
internal import Media

/// `snd_pcm_hw_params`: asks what a PCM can do and sets what was chosen.
struct ALSAHardware: ~Copyable {
    private let pcm: OpaquePointer
    private let space: OpaquePointer
    private let subject: String

    /// Begins with the whole space of configurations, interleaved.
    init(of pcm: OpaquePointer, subject: String) throws(MediaError) {
        space = try Self.wholeSpace(of: pcm, subject: subject)
        self.pcm = pcm
        self.subject = subject
    }

    private static func wholeSpace(
        of pcm: OpaquePointer, subject: String
    ) throws(MediaError) -> OpaquePointer {
        var space: OpaquePointer?
        guard snd_pcm_hw_params_malloc(&space) >= 0, let space else {
            throw ALSAFailure.failed(
                "snd_pcm_hw_params_malloc", subject, ENOMEM, doing: "ask the formats of")
        }
        do throws(MediaError) {
            try check("snd_pcm_hw_params_any", snd_pcm_hw_params_any(pcm, space), subject)
            let interleaved = SND_PCM_ACCESS_RW_INTERLEAVED
            try check(
                "snd_pcm_hw_params_set_access",
                snd_pcm_hw_params_set_access(pcm, space, interleaved), subject)
        } catch {
            snd_pcm_hw_params_free(space)
            throw error
        }
        return space
    }

    deinit { snd_pcm_hw_params_free(space) }

    /// What the device lists.
    borrowing func capabilities() throws(MediaError) -> ALSACapabilities {
        var (least, most): (UInt32, UInt32) = (0, 0)
        var direction: Int32 = 0
        try check(
            "snd_pcm_hw_params_get_rate_min",
            snd_pcm_hw_params_get_rate_min(space, &least, &direction))
        try check(
            "snd_pcm_hw_params_get_rate_max",
            snd_pcm_hw_params_get_rate_max(space, &most, &direction))
        let rates = Int(least)...max(Int(least), Int(most))
        try check(
            "snd_pcm_hw_params_get_channels_min",
            snd_pcm_hw_params_get_channels_min(space, &least))
        try check(
            "snd_pcm_hw_params_get_channels_max",
            snd_pcm_hw_params_get_channels_max(space, &most))
        return ALSACapabilities(
            layouts: ALSAFormats.preferred.filter {
                snd_pcm_hw_params_test_format(pcm, space, $0.format) == 0
            }.map(\.layout),
            rates: rates,
            usualRates: ALSACapabilities.usual.filter {
                snd_pcm_hw_params_test_rate(pcm, space, UInt32($0), 0) == 0
            },
            channels: Int(least)...max(Int(least), min(Int(most), 64)))
    }

    /// Sets the choice with a period near 10 ms and a buffer near 500 ms, and answers what the
    /// driver made of it.
    borrowing func apply(_ choice: ALSACapabilities.Choice) throws(MediaError) -> ALSAGrant {
        try check(
            "snd_pcm_hw_params_set_format",
            snd_pcm_hw_params_set_format(pcm, space, ALSAFormats.format(of: choice.layout)))
        var channels = UInt32(choice.channels)
        try check(
            "snd_pcm_hw_params_set_channels_near",
            snd_pcm_hw_params_set_channels_near(pcm, space, &channels))
        var rate = UInt32(choice.rate)
        var direction: Int32 = 0
        try check(
            "snd_pcm_hw_params_set_rate_near",
            snd_pcm_hw_params_set_rate_near(pcm, space, &rate, &direction))
        // buffer first: a driver with few periods would otherwise shorten it to fit the period
        var bufferTime: UInt32 = 500_000
        try check(
            "snd_pcm_hw_params_set_buffer_time_near",
            snd_pcm_hw_params_set_buffer_time_near(pcm, space, &bufferTime, &direction))
        var periodTime: UInt32 = 10_000
        try check(
            "snd_pcm_hw_params_set_period_time_near",
            snd_pcm_hw_params_set_period_time_near(pcm, space, &periodTime, &direction))
        try check("snd_pcm_hw_params", snd_pcm_hw_params(pcm, space))
        var (period, buffer): (snd_pcm_uframes_t, snd_pcm_uframes_t) = (0, 0)
        try check(
            "snd_pcm_hw_params_get_period_size",
            snd_pcm_hw_params_get_period_size(space, &period, &direction))
        try check(
            "snd_pcm_hw_params_get_buffer_size",
            snd_pcm_hw_params_get_buffer_size(space, &buffer))
        return ALSAGrant(
            layout: choice.layout, rate: Int(rate), channels: Int(channels),
            periodFrames: Int(period), bufferFrames: Int(buffer))
    }

    private borrowing func check(_ function: String, _ result: Int32) throws(MediaError) {
        try Self.check(function, result, subject)
    }

    private static func check(
        _ function: String, _ result: Int32, _ subject: String
    ) throws(MediaError) {
        guard result < 0 else { return }
        throw ALSAFailure.failed(function, subject, -result, doing: "set the format of")
    }
}

/// What a driver granted.
struct ALSAGrant: Sendable, Equatable {
    var layout: DeviceSampleLayout
    /// Frames per second (Hz).
    var rate: Int
    var channels: Int
    /// The driver wakes us each time this many are there (frames).
    var periodFrames: Int
    /// What the driver holds before it overruns (frames).
    var bufferFrames: Int
}
