import Media
import Testing

@testable import Movie
@testable import Writing

private let ms: Int64 = 1_000_000

@Test("coded samples come out in the order of their times, a video track's newest last")
func interleavedOrder() {
    var mixer = Interleaver<String>(holdsNewest: [true, false], lagLimit: 200 * ms)
    var order: [String] = []
    func takeAll() { while let next = mixer.next() { order.append(next.element) } }
    mixer.push("a0", track: 1, time: 0, weight: 1)
    takeAll()
    #expect(order.isEmpty, "a picture may still come before it")
    mixer.push("v0", track: 0, time: 0, weight: 1)
    mixer.push("v1", track: 0, time: 40 * ms, weight: 1)
    mixer.push("a1", track: 1, time: 21 * ms, weight: 1)
    mixer.push("a2", track: 1, time: 42 * ms, weight: 1)
    takeAll()
    #expect(order == ["v0", "a0", "a1"])
    mixer.end(track: 0) { $0 = "v1, to the end" }
    takeAll()
    #expect(order == ["v0", "a0", "a1", "v1, to the end", "a2"])
    mixer.end(track: 1) { _ in }
    #expect(mixer.isOver)
}

@Test("a silent camera holds back audio by 200 ms at most")
func silentTrackIsNotWaitedFor() {
    var mixer = Interleaver<Int>(holdsNewest: [true, false], lagLimit: 200 * ms)
    for packet in 0..<20 { mixer.push(packet, track: 1, time: Int64(packet) * 21 * ms, weight: 10) }
    var out = 0
    while mixer.next() != nil { out += 1 }
    // packets at 0…189 ms are more than 200 ms behind the newest at 399 ms
    #expect(out == 10)
    #expect(mixer.weight(ofVideo: false) == 100)
}

@Test("a task that waits for room continues when the encoder takes a sample, or when all is over")
func waitingForRoom() async {
    let queue = SampleQueue(capacity: 100)
    let take = SyntheticTake()
    let sample = take.audioSample(from: 0, count: 30)
    queue.push(sample, bytes: 120)
    #expect(!queue.hasRoom(for: 1))
    async let waited: Void = queue.waitForRoom(50)
    #expect(queue.pop() != nil)
    await waited
    queue.push(sample, bytes: 120)
    async let ended: Void = queue.waitForRoom(50)
    queue.finish(discarding: true)
    await ended
    #expect(queue.pop() == nil)
}

@Test("runs of PCM shorter than a Matroska tick are joined without losing a frame")
func tinyRunsAreJoined() {
    var joiner = PCMJoiner(rate: 48_000)
    var frames: [Int64] = []
    var times: [Int64] = []
    var position: Int64 = 0
    for count: Int64 in [1, 3, 480, 2, 1, 236, 480, 5] {
        let sample = SampleBuffer(
            payload: .coded(BlockBuffer([UInt8](repeating: UInt8(count & 255), count: Int(count)))),
            format: .audio(AudioFormat(coding: .coded(.pcm16), sampleRate: 48_000, channels: 1)),
            presentationTime: MediaTime(value: position, timescale: 48_000),
            duration: MediaTime(value: count, timescale: 48_000))
        position += count
        guard let joined = joiner.join(sample) else { continue }
        times.append(joined.presentationTime.value)
        frames.append(Int64(joined.block?.count ?? 0))
    }
    if let rest = joiner.finish() { frames.append(Int64(rest.block?.count ?? 0)) }
    #expect(frames == [484, 719, 5])
    #expect(times == [0, 484])
}

@Test("offline an encoder that looks ahead is waited for, but not past the room there is")
func lookAheadIsWaitedFor() {
    var mixer = Interleaver<Int>(
        holdsNewest: [true, false], lagLimit: 5000 * ms, weightLimit: 1000)
    for packet in 0..<90 { mixer.push(packet, track: 1, time: Int64(packet) * 21 * ms, weight: 10) }
    #expect(mixer.next() == nil, "the picture of time 0 is still in its encoder")
    mixer.push(1000, track: 0, time: 0, weight: 1)
    mixer.push(1001, track: 0, time: 40 * ms, weight: 1)
    #expect(mixer.next()?.element == 1000)
    for packet in 90..<140 {
        mixer.push(packet, track: 1, time: Int64(packet) * 21 * ms, weight: 10)
    }
    var out = 0
    while mixer.next() != nil { out += 1 }
    #expect(mixer.weight(ofVideo: false) < 1000)
    #expect(out > 30)
}
