import Testing

extension Lab {
    /// Real footage through v4l2loopback, as a camera that gives Motion-JPEG.
    @Suite struct MotionJPEGTests {
        private func footage() async throws -> Movie {
            Movie(url: try await Scenario.motionJPEG.guest().share.appending(path: "footage.mkv"))
        }

        /// How many frames of the footage were passed over, when each of the movie's is the one at
        /// a position of the footage, which runs in a loop.
        private func skipped(_ positions: [Int], of count: Int) -> Int {
            zip(positions, positions.dropFirst()).map { ($1 - $0 - 1 + count) % count }.sum
        }

        @Test("a Motion-JPEG camera is recorded without touching a byte of its frames")
        func copied() async throws {
            let take = try await Scenario.motionJPEG.take("copied")
            #expect(take.status == 0, "\(take.said)")
            #expect(try take.movie.streams().map(\.codecName) == ["mjpeg"])
            let original = try await footage().codedSamples()
            var samples = try take.movie.codedSamples()
            #expect(samples.count >= 25)
            // before any other, v4l2loopback may hand out a whole buffer that its writer has not
            // filled yet; how many frames lie between it and the next is then nobody's knowledge
            let isUnfilled = samples.first.map { !original.contains($0) } ?? false
            if isUnfilled { samples.removeFirst() }
            let positions = samples.compactMap { original.firstIndex(of: $0) }
            #expect(positions.count == samples.count, "every sample is one of the footage's")
            let drops = take.video?.drops.values.sum ?? 0
            let passed = skipped(positions, of: original.count)
            #expect(isUnfilled ? passed <= drops : passed == drops, "\(positions)")
        }

        @Test("a Motion-JPEG camera re-encoded keeps its frames, colours and order")
        func encoded() async throws {
            let take = try await Scenario.motionJPEG.take("encoded")
            #expect(take.status == 0, "\(take.said)")
            let stream = try #require(try take.movie.streams().first)
            #expect(stream.codecName == "h264" && stream.width == 320 && stream.height == 180)

            let original = try await footage().thumbnails()
            let thumbnails = try take.movie.thumbnails()
            #expect(thumbnails.count >= 25)
            let positions = thumbnails.map { picture in
                original.indices.min {
                    picture.distance(to: original[$0]) < picture.distance(to: original[$1])
                } ?? 0
            }
            let drops = take.video?.drops.values.sum ?? 0
            #expect(skipped(positions, of: original.count) == drops, "\(positions)")

            let colour = try take.movie.middleColour()
            let wanted = [0xC0, 0x40, 0x20]
            #expect(zip(colour, wanted).allSatisfy { abs($0 - $1) <= 6 }, "\(colour)")
        }
    }
}

extension [UInt8] {
    /// How different two small frames are: the sum of the differences of their pixels.
    fileprivate func distance(to other: [UInt8]) -> Int {
        zip(self, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    }
}
