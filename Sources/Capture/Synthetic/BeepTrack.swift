internal import Glibc
internal import Media

/// The test microphone's audio: 40 ms of 1 kHz from the audio frame of each flash, silence between.
struct BeepTrack: Sendable {
    /// The microphone's own count.
    let schedule: DeviceSchedule
    let channels: Int
    /// One beep, one channel.
    private let beep: [Int16]

    init(schedule: DeviceSchedule, channels: Int) {
        self.schedule = schedule
        self.channels = channels
        let rate = Double(schedule.rate.numerator)
        beep = (0..<Int(schedule.rate.numerator) * 40 / 1000).map { frame in
            // from half a frame on: the first one is not zero
            Int16(16_000 * sin(2 * Double.pi * 1000 * (Double(frame) + 0.5) / rate))
        }
    }

    /// Frames from `first` on, interleaved; `pictures` is the schedule of the flashes.
    func block(from first: Int64, count: Int, pictures: DeviceSchedule) -> BlockBuffer {
        let end = first + Int64(count)
        return BlockBuffer(count: count * channels * 2) { memory in
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            let samples = memory.bindMemory(to: Int16.self)
            // a beep that began before this block may reach into it
            var second = schedule.second(of: first - Int64(beep.count)) - 1
            while true {
                let start = beepStart(second, pictures)
                if start >= end { break }
                for frame in max(start, first)..<max(first, min(start + Int64(beep.count), end)) {
                    let value = beep[Int(frame - start)]
                    let place = Int(frame - first) * channels
                    for channel in 0..<channels { samples[place + channel] = value }
                }
                second += 1
            }
        }
    }

    /// The audio frame at the time of the frame that begins a second.
    func beepStart(_ second: Int64, _ frames: DeviceSchedule) -> Int64 {
        schedule.unit(nearest: frames.unit(beginningSecond: second), of: frames)
    }
}
