internal import LibAV
internal import Media
internal import Movie

/// A track's decoded audio by track time, counted in frames of its own rate.
///
/// Packets are placed by counting on from where decoding began; a stamp moves the count only where it
/// is off by more than stamps can be inexact (a hole becomes silence, what comes twice is left out).
final class AudioStream {
    /// Decoded ahead instead of searched (frames).
    private static let nearby = 65_536
    /// Packets in a row that may be unreadable (count).
    private static let attempts = 64

    // immutable
    let path: String
    /// Frames per second and channels as decoded.
    let rate: Int
    let channels: Int
    private let source: any CodedTrack
    private let placement: AudioPlacement
    /// Decoded and thrown away before the place wanted after a jump (frames).
    private let warmUp: Int64
    private let coded: AudioFormat

    // owned by the calling thread
    private var decoder: AudioDecoder?
    /// Where decoding begins anew; nil: only where reading does.
    private var spans: DecodingSpans?
    /// Packets before it are decoded for those behind, and no damage of what was asked for (frames).
    private var damageStart = Int64.min
    /// Decoded frames that are being handed out, and the place of the first.
    private var block: [Float] = []
    private var blockStart: Int64 = 0
    /// Places before this one need a jump back.
    private var reachable = Int64.min
    private var isPlaced = false
    private var hasEnded = false
    private var unreadable = 0
    private(set) var damagedSamples = 0

    init(
        _ source: any CodedTrack, _ coded: AudioFormat, path: String
    ) throws(MediaError) {
        self.source = source
        self.path = path
        let decoder: AudioDecoder
        do throws(MediaError) { decoder = try AudioDecoder(format: coded) } catch {
            throw error.of(path)
        }
        self.decoder = decoder
        let first = try AudioStream.first(source, decoder, path)
        let format = first.sample?.format.audio ?? coded
        rate = format.sampleRate
        channels = format.channels
        warmUp = AudioStream.warmUp(coded.codec, rate: format.sampleRate)
        self.coded = coded
        spans = DecodingSpans(
            coded, rate: rate, first: first.packet,
            packetFrames: first.sample?.audioFrameCount ?? 0)
        placement = AudioPlacement(
            rate: format.sampleRate, ticks: source.line.timescale, coded: coded,
            first: first.packet, firstFrames: first.sample?.audioFrameCount ?? 0,
            isCoarse: source.hasCoarseStamps)
        decoder.reset()
        _ = try source.seek(to: .min / 4)
    }

    /// Decodes the first packet that gives audio: what is really in the track.
    private static func first(
        _ source: any CodedTrack, _ decoder: AudioDecoder, _ path: String
    ) throws(MediaError) -> (packet: SampleBuffer?, sample: SampleBuffer?) {
        var packet: SampleBuffer?
        for _ in 0..<attempts {
            guard var next = try source.next() else { break }
            packet = packet ?? next
            next.attachments.leadingTrim = 0
            next.attachments.trailingTrim = 0
            do throws(MediaError) {
                if let sample = try decoder.decode(next).first { return (packet, sample) }
            } catch {
                guard error.code == .damagedFile else { throw error.of(path) }
            }
        }
        do throws(MediaError) { return (packet, try decoder.finish().first) } catch {
            return (packet, nil)
        }
    }

    /// Transform codecs overlap one packet into the next; predicting ones and those with a reservoir of
    /// bits need more.
    private static func warmUp(_ codec: AudioCodec?, rate: Int) -> Int64 {
        switch codec {
        case .aac: 6 * 1024
        case .opus, .mp3, .mp2, .vorbis, .ac3, .eac3, .dts, .aacLATM, .amrNarrow, .amrWide:
            Int64(rate) / 4
        default: 0
        }
    }

    func close() {
        decoder = nil
        block = []
    }

    func read(at frame: Int64, count: Int) throws(MediaError) -> [Float] {
        var result = [Float](repeating: 0, count: count * channels)
        var failure: MediaError?
        result.withUnsafeMutableBufferPointer { buffer in
            do throws(MediaError) { try read(at: frame, into: buffer) } catch { failure = error }
        }
        if let failure { throw failure }
        return result
    }

    /// Fills a target that is silent with what the track has.
    func read(
        at frame: Int64, into target: UnsafeMutableBufferPointer<Float>
    ) throws(MediaError) {
        let end = frame + Int64(target.count / channels)
        if frame < reachable || frame > blockEnd + Int64(Self.nearby) { try jump(to: frame) }
        var place = frame
        while place < end {
            if place < blockStart { place = min(blockStart, end) }
            if place >= blockEnd {
                guard try decodeOn() else { return }
                continue
            }
            let to = min(end, blockEnd)
            let offset = Int(place - blockStart) * channels
            let goal = Int(place - frame) * channels
            for index in 0..<Int(to - place) * channels {
                target[goal + index] = block[offset + index]
            }
            place = to
        }
    }

    private var blockEnd: Int64 { blockStart + Int64(block.count / channels) }

    private func jump(to frame: Int64) throws(MediaError) {
        if hasEnded, frame >= blockEnd { return }
        let from = spans?.begin(at: frame - warmUp) ?? frame - warmUp
        let time = MediaTime(value: from, timescale: Int32(rate))
        let isBeginning = try source.seek(to: source.line.ticks(time)) && spans == nil
        damageStart = frame - warmUp
        decoder?.reset()
        block = []
        blockStart = .min / 4
        reachable = isBeginning ? .min : frame
        isPlaced = false
        hasEnded = false
        unreadable = 0
    }

    /// Replaces the block by the next one.
    /// - Returns: whether there is more.
    private func decodeOn() throws(MediaError) -> Bool {
        while !hasEnded, let decoder {
            let samples: [SampleBuffer]
            var stamp = Int64.max
            do throws(MediaError) {
                guard var packet = try source.next() else {
                    hasEnded = true
                    samples = try finish(decoder)
                    if take(samples) { return true }
                    break
                }
                // what lies before the movie's zero is left out by its place
                packet.attachments.leadingTrim = 0
                stamp = packet.presentationTime.ticks(per: Int32(rate), rounding: .nearest)
                guard let decoder = try prepared(decoder, for: packet) else { continue }
                samples = try decode(packet, decoder)
            } catch {
                guard error.code == .damagedFile, unreadable < Self.attempts else { throw error }
                unreadable += 1
                if stamp >= damageStart { damagedSamples += 1 }
                continue
            }
            unreadable = 0
            if take(samples) { return true }
        }
        // behind the last packet all is silent from where it was asked for
        if block.isEmpty { blockStart = max(blockStart, reachable) }
        return false
    }

    /// The decoder of a packet; nil: nothing is wanted of it.
    private func prepared(
        _ decoder: AudioDecoder, for packet: SampleBuffer
    ) throws(MediaError) -> AudioDecoder? {
        switch spans?.step(packet) {
        case .decoded, nil: return decoder
        case .passed: return nil
        case .begins(let before):
            let fresh: AudioDecoder
            do throws(MediaError) { fresh = try AudioDecoder(format: coded) } catch {
                throw error.of(path)
            }
            if let first = spans?.first {
                // what it has determines how all of them are read: bands made of others, that come later, are not
                _ = try? fresh.decode(first)
                fresh.reset()
            }
            // what cannot be decoded of them has been met, or lies before what is wanted
            for packet in before { _ = try? fresh.decode(packet) }
            self.decoder = fresh
            return fresh
        }
    }

    private func decode(
        _ packet: SampleBuffer, _ decoder: AudioDecoder
    ) throws(MediaError) -> [SampleBuffer] {
        do throws(MediaError) { return try decoder.decode(packet) } catch {
            throw error.of(path)
        }
    }

    private func finish(_ decoder: AudioDecoder) throws(MediaError) -> [SampleBuffer] {
        do throws(MediaError) { return try decoder.finish() } catch { return [] }
    }

    /// - Returns: whether the block holds something after the last one.
    private func take(_ samples: [SampleBuffer]) -> Bool {
        var taken: [Float] = []
        var start = blockEnd
        for sample in samples {
            guard let frames = frames(of: sample), !frames.isEmpty else { continue }
            let stamp = sample.presentationTime.ticks(per: Int32(rate), rounding: .nearest)
            let here = start + Int64(taken.count / channels)
            let place =
                isPlaced
                ? placement.next(stamp: stamp, counted: here) : placement.landing(stamp: stamp)
            if !isPlaced || taken.isEmpty {
                start = place
                taken = frames
            } else if place >= here {
                taken.append(
                    contentsOf: repeatElement(0, count: Int(min(place - here, 1 << 20)) * channels))
                taken.append(contentsOf: frames)
            }
            isPlaced = true
        }
        guard !taken.isEmpty else { return false }
        guard !block.isEmpty else {
            (block, blockStart) = (taken, start)
            return true
        }
        let doubled = Int(clamping: max(0, blockEnd - start)) * channels
        guard doubled < taken.count else { return false }
        if doubled > 0 { taken.removeFirst(doubled) }
        // what is before this block is gone, but a hole before it stays silent
        reachable = max(reachable, min(blockEnd, start))
        (block, blockStart) = (taken, max(start, blockEnd))
        return true
    }

    /// The sample as float in the track's own rate and channels.
    private func frames(of sample: SampleBuffer) -> [Float]? {
        guard let format = sample.format.audio, case .audio(let block) = sample.payload else {
            return nil
        }
        let wanted = AudioFormat(coding: .raw(.float32), sampleRate: rate, channels: channels)
        let isSame = format.sampleRate == rate && format.channels == channels
        if isSame, format.sampleFormat == .float32 {
            return block.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }
        // a stream may change its form; each block is then converted by itself
        do throws(MediaError) {
            let resampler = try AudioResampler(from: format, to: wanted, isSteerable: false)
            let first = try resampler.convert(block)
            let rest = try resampler.finish()
            return first.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
                + rest.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        } catch {
            damagedSamples += 1
            return nil
        }
    }
}
