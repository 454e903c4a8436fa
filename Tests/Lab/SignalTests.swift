import Testing

extension Lab {
    /// What happens at the input of a capture card while it is recorded.
    @Suite struct SignalTests {
        @Test(
            "a signal that is lost and comes back leaves a gap reported as such; the audio continues",
            arguments: ["lost", "antenna"])
        func lost(take name: String) async throws {
            let take = try await Scenario.signal.take(name)
            #expect(take.status == 0, "\(take.said)")
            #expect(take.said.contains("has lost its signal"), "\(take.said)")
            #expect(take.said.contains("is back"), "\(take.said)")
            #expect(take.report.state == "finished" && take.report.verdict == "degraded")
            #expect(take.video?.gaps.map(\.cause) == ["no-signal"])
            let gap = try #require(take.video?.gaps.first)
            #expect(gap.length > 0.5 && gap.length < 8)

            let times = try take.movie.frames().map(\.time)
            #expect(times.contains { $0 < gap.movieTime })
            let returned = times.filter { $0 > gap.movieTime + gap.length - 0.01 }
            #expect(returned.count > 10)
            let sound = try Sound(of: take.movie)
            #expect(take.unexplainedHoles(in: sound).isEmpty)
            #expect(abs(sound.seconds - take.report.duration) < 0.07)
        }

        @Test("other timings at the input are followed within the same track")
        func changed() async throws {
            let take = try await Scenario.signal.take("changed")
            #expect(take.status == 0, "\(take.said)")
            #expect(take.said.contains("changed its format"), "\(take.said)")
            #expect(take.video?.gaps.map(\.cause) == ["format-changed"])
            #expect(take.report.tracks("video").count == 1)
            let timings = try await Scenario.signal.guest().text("timings")
            #expect(timings.contains("Active width: 1920"), "\(timings)")
            #expect(timings.contains("(25.00 frames per second)"), "\(timings)")

            let gap = try #require(take.video?.gaps.first)
            let times = try take.movie.frames().map(\.time)
            let after = times.filter { $0 > gap.movieTime + gap.length + 0.1 }
            #expect(after.count > 15)
            let sound = try Sound(of: take.movie)
            #expect(take.unexplainedHoles(in: sound).isEmpty)
        }

        @Test("an input without a steady signal is refused with 69 before a movie is begun")
        func none() async throws {
            let guest = try await Scenario.signal.guest()
            #expect(try guest.number("none.status") == 69)
            let said = guest.text("none.stderr")
            #expect(said.contains("no signal at its input HDMI 0"), "\(said)")
            #expect(guest.text("none.vcap.json").isEmpty)
        }
    }
}
