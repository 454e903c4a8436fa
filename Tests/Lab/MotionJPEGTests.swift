import Testing

extension Lab {
    /// Real footage through v4l2loopback, as a camera that gives Motion-JPEG.
    @Suite struct MotionJPEGTests {
        private func footage() async throws -> Movie {
            Movie(url: try await Scenario.motionJPEG.guest().share.appending(path: "footage.mkv"))
        }

        @Test("a Motion-JPEG camera is recorded without touching a byte of its pictures")
        func copied() async throws {
            let take = try await Scenario.motionJPEG.take("copied")
            #expect(take.status == 0, "\(take.said)")
            let original = try await footage().codedSamples()
            let samples = try take.movie.codedSamples()
            #expect(samples.count >= 25)
            let positions = samples.map { original.firstIndex(of: $0) }
            #expect(!positions.contains(nil), "every sample is one of the footage's")
            // the footage runs in a loop; a step of more than one is a picture nobody recorded
            let skipped = zip(positions, positions.dropFirst()).map { pair in
                ((pair.1 ?? 0) - (pair.0 ?? 0) - 1 + original.count) % original.count
            }.sum
            let drops = take.video?.drops.values.sum ?? 0
            #expect(skipped == drops, "skipped \(skipped), told \(drops)")
            #expect(try take.account().unexplained == 0)
        }

        @Test("a Motion-JPEG camera re-encoded keeps its pictures, colours and order")
        func encoded() async throws {
            let take = try await Scenario.motionJPEG.take("encoded")
            #expect(take.status == 0, "\(take.said)")
            let stream = try #require(try take.movie.streams().first)
            #expect(stream.codecName == "h264" && stream.width == 320 && stream.height == 180)
            let account = try take.account()
            #expect(account.pictures >= 25)
            #expect(account.unexplained == 0)
            #expect(account.absent.count == take.video?.drops.values.sum ?? 0)
            let colour = try take.movie.middleColour()
            let wanted = [0xC0, 0x40, 0x20]
            #expect(zip(colour, wanted).allSatisfy { abs($0 - $1) <= 6 }, "\(colour)")
        }
    }
}
