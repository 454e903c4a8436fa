import Testing

extension Lab {
    /// A camera that is set while it is recorded, by vcap and by others.
    @Suite struct SettingTests {
        /// Mean brightness of a take's frames.
        private struct Light {
            let levels: [(time: Double, level: Double)]

            init(_ take: Take) throws { levels = try take.movie.levels(track: 0) }

            /// When it is in a range for at least half a second (s, movie time).
            func begin(of range: ClosedRange<Double>, after: Double = 0) throws -> Double {
                let first = levels.indices.first { index in
                    levels[index].time > after
                        && levels[index...].prefix { $0.time < levels[index].time + 0.5 }
                            .allSatisfy { range.contains($0.level) }
                }
                return levels[try #require(first, "\(range) after \(after): \(levels)")].time
            }
        }

        @Test(
            "the picture changes when the report says that vcap and another program set it, and no frame is lost"
        )
        func set() async throws {
            let take = try await Scenario.settings.take("settings")
            #expect(take.status == 0, "\(take.said)")
            #expect(try await Scenario.settings.guest().text("own.said") == "brightness=40\n")
            #expect(take.said.contains("brightness=200, not by this recording"), "\(take.said)")
            let changes = try #require(take.report.controls)
            #expect(changes.map(\.setting) == ["brightness=40", "brightness=200"])
            #expect(changes.map(\.granted) == ["brightness=40", "brightness=200"])
            #expect(changes.map(\.isByOthers) == [nil, true])
            #expect(changes.allSatisfy { $0.camera == "vivid" && $0.id.hasPrefix("v4l2:") })

            let light = try Light(take)
            let plain = light.levels[3].level
            let dark = try light.begin(of: 0...plain / 2)
            let bright = try light.begin(of: plain + 30...255, after: dark)
            for (time, change) in zip([dark, bright], changes) {
                #expect(abs(time - change.movieTime) < 0.25, "\(time) \(change)")
                #expect(abs(change.hostTime - take.start - change.movieTime) < 0.001)
            }
            let account = try take.account()
            #expect(account.unexplained == 0)
            #expect(account.absent.count == take.otherDrops)
            #expect(account.agrees(driverGaps: take.video?.drops["driver-gap"] ?? 0))
        }

        @Test("what the driver does not have, or not in its range, is refused")
        func refused() async throws {
            let answers = try await Scenario.settings.guest().text("refused.said")
                .split(separator: "\n")
            #expect(answers.count == 2)
            #expect(answers.allSatisfy { $0.contains("\"exit_code\":64") }, "\(answers)")
            #expect(answers.first?.contains("it takes 0 to 255") == true, "\(answers)")
            #expect(answers.last?.contains("has no control sparkle") == true, "\(answers)")
        }

        @Test(
            "a profile sets the camera, and again after a replug, when what others set is noticed, too"
        )
        func profile() async throws {
            let take = try await Scenario.settings.take("profile")
            #expect(take.status == 0, "\(take.said)")
            let guest = try await Scenario.settings.guest()
            #expect(guest.text("save.said").contains("saved as the profile bright"))
            let plain = try Light(try await Scenario.settings.take("settings")).levels[3].level
            let light = try Light(take)
            let gap = try #require(take.video?.gaps.first)
            #expect(try light.begin(of: plain + 30...255) < gap.movieTime)
            let back = try light.begin(
                of: plain + 30...255, after: gap.movieTime + gap.length - 0.01)
            #expect(back < gap.movieTime + gap.length + 0.1, "as it was, from its first frame on")
            let changes = try #require(take.report.controls)
            #expect(changes.map(\.setting) == ["brightness=20"])
            #expect(changes.map(\.isByOthers) == [true])
            let dark = try light.begin(of: 0...plain / 2, after: back)
            #expect(abs(dark - changes[0].movieTime) < 0.25, "\(dark) \(changes)")
        }
    }
}
