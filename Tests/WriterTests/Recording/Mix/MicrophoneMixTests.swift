import Testing

@testable import Recording

struct MicrophoneMixTests {
    @Test("what every microphone has reached comes out, summed frame by frame")
    func sums() {
        var mix = MicrophoneMix(inputs: [1, 1], channels: 1)
        #expect(mix.push([0.1, 0.2, 0.3], input: 0).isEmpty)
        #expect(mix.push([0.4], input: 1) == [0.5])
        #expect(mix.push([-0.2, 0.1, 0.25], input: 1) == [0, 0.4])
        #expect(mix.emitted == 3)
        #expect(mix.lead == 1)
        #expect(mix.finish() == [0.25])
        #expect(mix.emitted == 4)
    }

    @Test("one channel is heard in all, others channel by channel")
    func channels() {
        var mix = MicrophoneMix(inputs: [1, 2], channels: 2)
        _ = mix.push([0.25, 0.5], input: 0)
        #expect(mix.push([0.125, 0, 0, -0.25], input: 1) == [0.375, 0.25, 0.5, 0.25])
        var wide = MicrophoneMix(inputs: [2, 3], channels: 3)
        _ = wide.push([0.25, 0.5], input: 0)
        #expect(wide.push([0.125, 0.125, 0.125], input: 1) == [0.375, 0.625, 0.125])
    }

    @Test("the result is the same however the runs are cut up, in any order")
    func deterministic() {
        var noise = Noise(seed: 3)
        let inputs = (0..<3).map { _ in (0..<4_000).map { _ in Float(noise.next()) } }
        func mixed(pieces: [Int], order: [Int]) -> [Float] {
            var mix = MicrophoneMix(inputs: [1, 1, 1], channels: 1)
            var places = [0, 0, 0]
            var result: [Float] = []
            var turn = 0
            while places.contains(where: { $0 < 4_000 }) {
                for index in order {
                    let end = min(4_000, places[index] + pieces[turn % pieces.count])
                    result += mix.push(Array(inputs[index][places[index]..<end]), input: index)
                    places[index] = end
                    turn += 1
                }
            }
            return result
        }
        let once = mixed(pieces: [4_000], order: [0, 1, 2])
        #expect(once.count == 4_000)
        #expect(mixed(pieces: [480, 441, 7], order: [2, 0, 1]) == once)
        #expect(mixed(pieces: [1, 999], order: [1, 2, 0]) == once)
        // summed in another order the last digits differ: the order of the inputs counts
        let other = zip(inputs[0], zip(inputs[1], inputs[2])).map { $0 + ($1.0 + $1.1) }
        #expect(other != zip(inputs[0], zip(inputs[1], inputs[2])).map { $0 + $1.0 + $1.1 })
    }

    @Test(
        "up to 0.8 a level is untouched, above it never falls, bends sharply or passes full scale")
    func softLimit() {
        for value: Float in [0, 0.3, -0.79, 0.8] { #expect(SoftLimit.apply(value) == value) }
        var last: Float = 0.8
        for step in 1...10_000 {
            let level = 0.8 + Float(step) * 0.001
            let limited = SoftLimit.apply(level)
            #expect(limited >= last && limited <= 1)
            #expect(limited - last <= 0.001_01)
            #expect(SoftLimit.apply(-level) == -limited)
            last = limited
        }
        #expect(abs(SoftLimit.apply(1) - 0.9) < 1e-6)
        #expect(SoftLimit.apply(.infinity) == 1)
        #expect(SoftLimit.apply(.nan) == 0)
    }
}
