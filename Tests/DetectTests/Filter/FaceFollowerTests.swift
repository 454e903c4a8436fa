import Media
import Testing

@testable import Detect

@Suite("where faces are between two looks")
struct FaceFollowerTests {
    private func sighting(_ x: Double, _ y: Double = 0.4) -> Sighting {
        Sighting(
            type: .face, bounds: NormalizedRect(x: x, y: y, width: 0.1, height: 0.1),
            appearance: Appearance(parts: [Double](repeating: 1.0 / 16, count: 48)))
    }

    private func time(_ frame: Int) -> MediaTime { MediaTime(value: Int64(frame), timescale: 30) }

    private func follower(_ looks: [(Int, [Double])]) -> FaceFollower {
        var follower = FaceFollower(margin: 0.2)
        for (frame, places) in looks {
            follower.take(.success(places.map { sighting($0) }), at: time(frame))
        }
        return follower
    }

    @Test("a face is covered wherever it may be between two looks")
    func between() throws {
        let place = try #require(follower([(0, [0.2]), (3, [0.3])]).places(at: time(1)).first)
        #expect(abs(place.bounds.x - 0.2333) < 0.001)
        #expect(abs(place.cover.x - 0.18) < 1e-9)
        #expect(abs(place.cover.x + place.cover.width - 0.42) < 1e-9)
    }

    @Test("a face that is found for the first time was there before, up to a quarter of a second")
    func appearing() throws {
        let follower = follower([(0, []), (3, []), (6, [0.5])])
        for frame in 0..<6 {
            let isNear = frame >= 0 && time(6) - time(frame) <= FaceFollower.reach
            #expect(try follower.places(at: time(frame)).count == (isNear ? 1 : 0), "\(frame)")
        }
    }

    @Test("a face that a look misses is covered for two seconds more, ever wider")
    func missed() throws {
        var follower = follower([(0, [0.5])])
        var widths: [Double] = []
        for frame in stride(from: 3, through: 90, by: 3) {
            follower.take(.success([]), at: time(frame))
            widths.append(try follower.places(at: time(frame)).first?.cover.width ?? 0)
        }
        #expect(widths[0] > 0.14 && widths[9] > widths[0])
        #expect(widths.prefix(20).allSatisfy { $0 > 0 } && widths.last == 0)
    }

    @Test("a face that moves too fast to be the same one is covered on its whole way")
    func fast() throws {
        let places = try follower([(0, [0.1]), (3, [0.8])]).places(at: time(1))
        #expect(places.contains { $0.cover.x < 0.1 && $0.cover.x + $0.cover.width > 0.9 })
    }

    @Test("behind the last look, and far from the next one, nothing is said to be known")
    func unknown() throws {
        let follower = follower([(0, [0.5]), (10, [0.5])])
        for frame in [0, 3, 9, 10] { #expect(try follower.places(at: time(frame)).count == 1) }
        for frame in [1, 2, 11, 20] {
            #expect(throws: MediaError.self, "\(frame)") {
                try follower.places(at: time(frame))
            }
        }
        #expect(throws: MediaError.self) { try FaceFollower(margin: 0).places(at: .zero) }
    }

    @Test(
        "a face that is missed is covered where it would be by now, and where it was if it stopped")
    func stopped() throws {
        var follower = follower([(0, [0.2]), (3, [0.3]), (6, [0.4])])
        for frame in stride(from: 9, through: 60, by: 3) {
            follower.take(.success([]), at: time(frame))
            let place = try #require(try follower.places(at: time(frame)).first)
            // it went on as it did before
            #expect(place.bounds.x > 0.45, "\(frame)")
            #expect(place.cover.x <= place.bounds.x)
            #expect(place.cover.x + place.cover.width >= place.bounds.x + place.bounds.width)
            // and stands where it was seen
            #expect(place.cover.x < 0.4 && place.cover.x + place.cover.width > 0.5, "\(frame)")
        }
    }
}
