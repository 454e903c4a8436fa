import Testing

extension Lab {
    /// A real V4L2 driver and a real ALSA card, and what the driver can do wrong.
    @Suite struct CameraTests {
        @Test("a camera and a microphone become one movie with every frame the driver gave")
        func plain() async throws {
            let take = try await Scenario.camera.take("plain")
            #expect(take.status == 0, "\(take.said)")
            #expect(take.report.state == "finished")
            // on a busy host the driver itself may skip one; nothing else may be amiss
            #expect(take.report.reasons.allSatisfy { $0.contains("(driver-gap)") })
            let streams = try take.movie.streams()
            #expect(streams.map(\.codecName).sorted() == ["aac", "h264"])
            #expect(streams.first { $0.codecType == "video" }?.width == 320)

            let account = try take.account()
            #expect(account.pictures >= 40)
            #expect(account.unexplained == 0)
            #expect(account.absent.count == take.otherDrops)
            #expect(account.agrees(driverGaps: take.video?.drops["driver-gap"] ?? 0))
            #expect(account.largestError < 0.001, "the times are the driver's")

            let sound = try Sound(of: take.movie)
            #expect(abs(sound.seconds - take.report.duration) < 0.07)
            #expect(take.unexplainedHoles(in: sound).isEmpty)
        }

        @Test("lost buffers are counted to the frame", arguments: [1, 10, 50])
        func lostBuffers(percent: Int) async throws {
            let take = try await Scenario.camera.take("drop\(percent)")
            #expect(take.status == 0, "\(take.said)")
            let account = try take.account()
            #expect(account.missing + account.missingAtEdges > 0, "the driver lost some")
            #expect(account.unexplained == 0)
            let drops = take.video?.drops ?? [:]
            #expect(account.agrees(driverGaps: drops["driver-gap"] ?? 0), "\(drops)")
            #expect(account.absent.count == take.otherDrops)
            // of fifty in a hundred now and then half or more are lost, which makes a take bad
            #expect(
                (percent < 50 ? ["degraded"] : ["degraded", "bad"]).contains(take.report.verdict))
            let sound = try Sound(of: take.movie)
            #expect(abs(sound.seconds - take.report.duration) < 0.07)
        }

        @Test("a sequence number that wraps around is no loss")
        func sequenceWrap() async throws {
            let take = try await Scenario.camera.take("sequence")
            #expect(take.status == 0, "\(take.said)")
            #expect(take.buffers.wraps, "the driver's number did wrap")
            let account = try take.account()
            #expect(account.unexplained == 0)
            #expect(account.agrees(driverGaps: take.video?.drops["driver-gap"] ?? 0))
        }

        @Test("a damaged buffer is left out and counted as damaged")
        func damaged() async throws {
            let take = try await Scenario.camera.take("damaged")
            #expect(take.status == 0, "\(take.said)")
            #expect(take.buffers.buffers.filter(\.isDamaged).count == 1)
            let account = try take.account()
            #expect(account.absent.filter(\.isDamaged).count == 1)
            #expect(account.absent.count == take.otherDrops)
            #expect(take.video?.drops["damaged"] == 1)
        }

        @Test("a buffer the driver refuses once does not end the stream")
        func refusedBuffer() async throws {
            let take = try await Scenario.camera.take("qbuf")
            #expect(take.status == 0, "\(take.said)")
            #expect(take.report.duration > 2.9)
            let account = try take.account()
            #expect(account.unexplained == 0)
            #expect(account.absent.count == take.otherDrops)
            #expect(account.agrees(driverGaps: take.video?.drops["driver-gap"] ?? 0))
        }

        @Test(
            "a fatal streaming error restarts the stream; the gap is reported, the audio unbroken")
        func fatalError() async throws {
            let take = try await Scenario.camera.take("fatal")
            #expect(take.status == 0, "\(take.said)")
            let gap = try #require(take.video?.gaps.first)
            #expect(gap.movieTime > 0.9 && gap.length < 2)
            let times = try take.movie.frames().map(\.time)
            #expect(times.contains { $0 > gap.movieTime + gap.length }, "pictures after it")
            let sound = try Sound(of: take.movie)
            #expect(take.unexplainedHoles(in: sound).isEmpty)
            #expect(abs(sound.seconds - take.report.duration) < 0.07)
        }

        @Test(
            "a start that the driver refuses once is tried again",
            arguments: ["reqbufs", "streamon"])
        func refusedStart(take name: String) async throws {
            let take = try await Scenario.camera.take(name)
            #expect(take.status == 0, "\(take.said)")
            let account = try take.account()
            #expect(account.pictures >= 15)
            #expect(account.unexplained == 0)
        }

        @Test("two cameras, one multi-planar, whose stamps are foreign and wrap, keep their rate")
        func foreignStamps() async throws {
            let take = try await Scenario.stamps.take("stamps")
            #expect(take.status == 0, "\(take.said)")
            #expect(take.report.tracks("video").count == 2)
            for track in 0..<2 {
                let buffers = take.buffers.of(minor: take.buffers.minors[track])
                #expect(
                    buffers.buffers.contains { abs($0.time - $0.taken) > 1000 },
                    "the stamps were foreign")
                let times = try take.movie.frames(track: track).map(\.time)
                let steps = zip(times, times.dropFirst()).map { $1 - $0 }
                #expect(times.count > 170)
                #expect(steps.allSatisfy { $0 > 0 && $0 < 0.3 }, "\(steps.max() ?? 0)")
                #expect(abs((times.last ?? 0) - take.report.duration) < 0.4)
            }
        }
    }
}

extension Sequence where Element == Int {
    var sum: Int { reduce(0, +) }
}
