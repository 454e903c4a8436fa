import Testing

extension Lab {
    /// A sound card whose clock runs fast or slow.
    @Suite struct AudioClockTests {
        @Test(
            "audio clock 400 ppm off keeps audio and video within 20 ms over the whole run",
            arguments: [("fast", 0, 1.0), ("slow", 1, -1.0)])
        func drift(name: String, subdevice: Int, sign: Double) async throws {
            let guest = try await Scenario.clock.guest()
            let take = try await Scenario.clock.take(name)
            #expect(take.status == 0, "\(take.said)")
            let clock = try AudioClock(
                parsing: guest.text("\(subdevice).clock"), offset: try guest.number("offset"))
            #expect(clock.ppm * sign > 350 && clock.ppm * sign < 500, "\(clock.ppm) ppm")

            // both tracks against the same monotonic clock: frames by the driver's stamps, beeps
            // by when the card played them
            let account = try take.account(camera: subdevice)
            #expect(account.unexplained == 0)
            #expect(account.largestError < 0.005)
            // a beep that a reported gap cut into does not begin where it did
            let gaps = (take.audio?.gaps ?? []).map {
                $0.movieTime - 0.1..<$0.movieTime + $0.length + 0.1
            }
            let beeps = try Sound(of: take.movie).beeps()
                .filter { beep in !gaps.contains { $0.contains(beep) } }.map { take.start + $0 }
            #expect(beeps.count > 45)
            let errors = beeps.map { $0 - clock.beep(nearest: $0) }
            let worst = errors.map(abs).max() ?? .infinity
            #expect(worst < 0.020, "worst \(worst * 1000) ms of \(errors.count) beeps")
            let measured = try #require(take.audio?.driftPPM)
            #expect(abs(measured - clock.ppm) < 60, "reported \(measured), real \(clock.ppm) ppm")

            // the control: counted at its nominal rate, as it came, the audio would be off by more
            let run = (beeps.last ?? 0) - (beeps.first ?? 0)
            #expect(abs(run * clock.ppm * 1e-6) > 0.020)
        }
    }
}
