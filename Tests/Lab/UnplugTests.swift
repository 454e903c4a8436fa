import Testing

extension Lab {
    /// Cables pulled while recording.
    @Suite struct UnplugTests {
        @Test(
            "a camera that goes away comes back in the same track; the audio continues meanwhile",
            arguments: ["disconnect", "unbind"])
        func camera(take name: String) async throws {
            let take = try await Scenario.unplug.take(name)
            #expect(take.status == 0, "\(take.said)")
            #expect(take.report.tracks("video").count == 1)
            #expect(take.said.contains("was unplugged"), "\(take.said)")
            #expect(take.said.contains("is back"), "\(take.said)")
            let moments = take.buffers.buffers.map { Take.moment(of: $0) }
            // a driver that can be opened again within the same frame misses none: its numbers begin anew
            if name == "disconnect", take.video?.gaps.isEmpty == true {
                let numbers = take.buffers.buffers.map(\.sequence)
                let again = try #require(numbers.lastIndex(of: 0))
                #expect(again > 15 && moments[again] - moments[again - 1] < 1.0 / 15 + 0.001)
                return
            }
            #expect(take.report.verdict == "degraded", "\(take.report.reasons)")

            let gap = try #require(take.video?.gaps.first, "\(take.report.reasons)")
            #expect(gap.cause == "device-gone")
            // the gap may be shorter than a millisecond
            let resumed = gap.hostTime + gap.length
            let after = try #require(moments.firstIndex { abs($0 - resumed) < 0.001 })
            let (before, back) = (moments[max(after - 1, 0)], moments[after])
            // from the end of the last frame before, which stood for one frame, to the first after
            let end = before + 1.0 / 15
            #expect(abs(gap.hostTime - end) < 0.001)
            #expect(abs(gap.length - (back - end)) < 0.001)

            let times = try take.movie.frames().map(\.time)
            #expect(times.filter { $0 < gap.movieTime }.count >= 15)
            let returned = times.filter { $0 > gap.movieTime + gap.length - 0.01 }
            #expect(returned.count >= 15)
            let syncs = try take.movie.syncSamples()
            #expect(
                syncs.contains { abs($0 - (returned.first ?? 0)) < 0.001 }, "a sync sample first")

            let sound = try Sound(of: take.movie)
            #expect(take.unexplainedHoles(in: sound).isEmpty)
            #expect(abs(sound.seconds - take.report.duration) < 0.07)
        }

        @Test("a microphone that goes away leaves silence of exactly that length")
        func microphone() async throws {
            let take = try await Scenario.unplug.take("microphone")
            #expect(take.status == 0, "\(take.said)")
            let gap = try #require(take.audio?.gaps.first, "\(take.report.reasons)")
            #expect(gap.cause == "device-gone")
            #expect(gap.length > 1.5 && gap.length < 4)

            let sound = try Sound(of: take.movie)
            let longest = sound.silences().max { $0.length < $1.length }
            let silence = try #require(longest)
            #expect(silence.lowerBound < gap.movieTime + 0.05)
            #expect(silence.upperBound > gap.movieTime + gap.length - 0.05)
            #expect(silence.upperBound < sound.seconds - 0.5, "sound again at the end")
            let video = try take.movie.frames().map(\.time)
            #expect(abs(sound.seconds - take.report.duration) < 0.07)
            #expect(abs(sound.seconds - (video.last ?? 0)) < 0.2)
            let account = try take.account()
            #expect(account.unexplained == 0 && account.absent.isEmpty, "the picture continued")
        }
    }
}

extension Range<Double> {
    var length: Double { upperBound - lowerBound }
}
