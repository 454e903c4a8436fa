package import Media

/// Finds the test devices' flashes and beeps in decoded output, to distinguish how far they are.
package enum FlashBeep {
    /// A flash with the beep nearest to it.
    package struct Pair: Sendable {
        package let flash: MediaTime
        /// When the beep begins (ns).
        package let beep: MediaTime

        /// How much later the beep is than the flash (s; negative: earlier).
        package var offset: Double { beep.approximateSeconds - flash.approximateSeconds }
    }

    /// Presentation times of the frames that are white below the strip.
    package static func flashes(in pictures: [SampleBuffer]) -> [MediaTime] {
        pictures.compactMap { sample in
            guard let frame = sample.pixelBuffer, FrameStrip.isFlash(frame) else { return nil }
            return sample.presentationTime
        }
    }

    /// The audio frames at which 40 ms of 1 kHz begin, to one frame: where the template of the
    /// beep fits best around each onset of loudness. Beeps that a cut shortened are left out.
    package static func beeps(in sound: [Float], sampleRate: Int) -> [Int] {
        let template = beep(sampleRate: sampleRate)
        let window = max(sampleRate / 1000, 1)  // one period
        var found: [Int] = []
        var position = 0
        while position + window <= sound.count {
            if energy(sound, position, window) < 0.01 {
                position += window / 4 + 1
                continue
            }
            var end = position + window
            while end + window <= sound.count, energy(sound, end, window) >= 0.01 { end += window }
            // the fit finds the very frame; a beep that a cut shortened has no true beginning
            let near = max(position - 2 * window, 0)...min(position + 2 * window, sound.count - 1)
            let best = near.map { (place: $0, value: fit(sound, $0, template)) }
                .max { $0.value < $1.value }
            if let best, end - position >= template.count * 95 / 100 { found.append(best.place) }
            position = end
        }
        return found
    }

    /// Frames of one channel (−1…1) of raw audio samples, in their order.
    package static func channel(_ index: Int, of samples: [SampleBuffer]) -> [Float] {
        samples.flatMap { sample -> [Float] in
            guard case .audio(let block) = sample.payload, let format = sample.format.audio,
                let sampleFormat = format.sampleFormat
            else { return [] }
            return block.withUnsafeBytes { bytes in
                stride(
                    from: index * sampleFormat.bytes, to: bytes.count, by: format.bytesPerFrame
                ).map { offset in value(bytes, offset, sampleFormat) }
            }
        }
    }

    /// Each flash with the nearest beep; `start` is the time of the audio's frame 0.
    package static func pairs(
        flashes: [MediaTime], beeps: [Int], sampleRate: Int, audioStart: MediaTime = .zero
    ) -> [Pair] {
        let start = audioStart.nanoseconds()
        let times = beeps.map { frame in
            start + MediaTime(value: Int64(frame), timescale: Int32(sampleRate)).nanoseconds()
        }
        return flashes.compactMap { flash in
            let wanted = flash.nanoseconds()
            return times.min { abs($0 - wanted) < abs($1 - wanted) }
                .map { Pair(flash: flash, beep: .nanoseconds($0)) }
        }
    }

    private static func value(
        _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ format: AudioSampleFormat
    ) -> Float {
        switch format {
        case .int16: Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self)) / 32_768
        case .int32:
            Float(bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)) / 2_147_483_648
        case .float32: bytes.loadUnaligned(fromByteOffset: offset, as: Float.self)
        }
    }

    private static func energy(_ audio: [Float], _ start: Int, _ count: Int) -> Float {
        audio[start..<min(start + count, audio.count)].reduce(0) { $0 + $1 * $1 } / Float(count)
    }

    private static func fit(_ audio: [Float], _ start: Int, _ template: [Float]) -> Float {
        var sum: Float = 0
        for (offset, wanted) in template.enumerated() where start + offset < audio.count {
            sum += wanted * audio[start + offset]
        }
        return sum
    }

    /// The test microphone's beep at full scale.
    private static func beep(sampleRate: Int) -> [Float] {
        (0..<sampleRate * 40 / 1000).map { frame in
            Sine.value(cycles: 1000 * (Double(frame) + 0.5) / Double(sampleRate))
        }
    }
}
