internal import Glibc
internal import Media
internal import Reading

/// Compares recordings with the first of them, one after the other. Thread-bound.
struct AlignmentRun {
    private let assets: [Asset]
    private let method: AlignmentMethod
    /// `nil`: nobody reads clocks.
    private let readClocks: ClockReader?
    /// Hears how much is done, of how much (seconds of audio); what it throws ends the work.
    private let report: (Double, Double) throws(MediaError) -> Void

    /// What comparing takes beside reading (part of the recording's length).
    private static let comparing = 0.1

    init(
        assets: [Asset], method: AlignmentMethod = .sound, clocks: ClockReader? = nil,
        report: @escaping (Double, Double) throws(MediaError) -> Void
    ) {
        self.assets = assets
        self.method = method
        readClocks = clocks
        self.report = report
    }

    func alignment() throws(MediaError) -> RecordingAlignment {
        try check()
        switch method {
        case .sound: return try bySound()
        case .slate: return try byClocks(after: nil)
        case .automatic:
            let heard: Result<RecordingAlignment, MediaError>
            do throws(MediaError) { heard = .success(try bySound()) } catch {
                if error.code == .cancelled { throw error }
                heard = .failure(error)
            }
            return try byClocks(after: heard)
        }
    }

    /// Where recordings are not aligned by their audio, by the clocks that they have seen.
    /// - Parameter heard: what was found by audio; `nil`: nothing was looked for.
    private func byClocks(
        after heard: Result<RecordingAlignment, MediaError>?
    ) throws(MediaError) -> RecordingAlignment {
        let found = try? heard?.get()
        if let found, found.recordings.allSatisfy({ (try? $0.placement.get()) != nil }) {
            return found
        }
        let seen: [ClockReading]
        do throws(MediaError) { seen = try clocks(in: assets[0]) } catch {
            // of frames that cannot be read, what was heard
            guard error.code != .cancelled, let heard else { throw error }
            return try heard.get()
        }
        // what was wrong with the audio is what there is to be said where there is no clock
        if seen.isEmpty, let heard { return try heard.get() }
        let clocks = ClockAlignment(reference: (assets[0], seen))
        var recordings = [
            found?.recordings[0]
                ?? .init(
                    assets[0], .success(.reference(assets[0].duration)), notes: notes(assets[0]))
        ]
        for (index, asset) in assets.enumerated().dropFirst() {
            let before = found?.recordings[index]
            if let before, (try? before.placement.get()) != nil {
                recordings.append(before)
                continue
            }
            let notes = before?.notes ?? notes(asset)
            let readings: [ClockReading]
            do throws(MediaError) { readings = try self.clocks(in: asset) } catch {
                if error.code == .cancelled { throw error }
                recordings.append(before ?? .init(asset, .failure(error), notes: notes))
                continue
            }
            do throws(MediaError) {
                let placement = try clocks.placement(of: asset, readings)
                recordings.append(.init(asset, .success(placement), notes: notes))
            } catch {
                // of a recording without a clock what its audio lacks
                let heard = before ?? .init(asset, .failure(error), notes: notes)
                recordings.append(
                    readings.isEmpty ? heard : .init(asset, .failure(error), notes: notes))
            }
        }
        return RecordingAlignment(recordings: recordings)
    }

    private func clocks(in asset: Asset) throws(MediaError) -> [ClockReading] {
        guard let readClocks else { return [] }
        let total = length(asset)
        return try readClocks(asset) { time throws(MediaError) in
            try report(min(total, time.approximateSeconds), total)
        }
    }

    private func bySound() throws(MediaError) -> RecordingAlignment {
        let reference = try RecordedSound(assets[0])
        defer { reference.close() }
        let total = assets.reduce(0) { $0 + length($1) * (1 + Self.comparing) }
        let profile = try reference.profile { done throws(MediaError) in try report(done, total) }
        guard !profile.isSilent else { throw .silent(assets[0].path) }
        var recordings = [
            RecordingAlignment.Recording(
                assets[0], .success(.reference(assets[0].duration)),
                notes: notes(assets[0], reference))
        ]
        var done = length(assets[0]) * (1 + Self.comparing)
        for asset in assets.dropFirst() {
            recordings.append(
                try recording(asset, (reference, profile)) { part throws(MediaError) in
                    try report(done + part, total)
                })
            done += length(asset) * (1 + Self.comparing)
        }
        try report(total, total)
        return RecordingAlignment(recordings: recordings)
    }

    private func length(_ asset: Asset) -> Double { max(0, asset.duration.approximateSeconds) }

    /// - Throws: for what cannot be meant.
    private func check() throws(MediaError) {
        guard assets.count > 1 else {
            throw .setting(
                "recordings", "One recording has nothing to be aligned with; give two or more.")
        }
        var seen: [FileIdentity: String] = [:]
        for asset in assets {
            guard let identity = FileIdentity(asset.path) else { continue }
            if let other = seen.updateValue(asset.path, forKey: identity) {
                throw .setting(
                    "recordings",
                    other == asset.path
                        ? "\(other) is given twice; leave one of them out."
                        : "\(other) and \(asset.path) are one file; leave one of them out.")
            }
        }
    }

    private func recording(
        _ asset: Asset, _ reference: (sound: RecordedSound, profile: SoundProfile),
        _ progress: (Double) throws(MediaError) -> Void
    ) throws(MediaError) -> RecordingAlignment.Recording {
        var notes: [String] = []
        do throws(MediaError) {
            let sound = try RecordedSound(asset)
            defer { sound.close() }
            let profile = try sound.profile(progress)
            notes = self.notes(asset, sound)
            let matcher = SoundMatcher(
                reference: (reference.sound, reference.profile), recording: (sound, profile))
            let outcome = try matcher.outcome { part throws(MediaError) in
                try progress(length(asset) * (1 + part * Self.comparing))
            }
            guard case .found(let result) = outcome else {
                throw .unaligned(asset.path, with: assets[0].path, outcome)
            }
            if result.isIdentical {
                notes.append("\(asset.path) holds the same audio as \(assets[0].path).")
            }
            return .init(asset, .success(.init(result)), notes: notes)
        } catch {
            if error.code == .cancelled { throw error }
            return .init(asset, .failure(error), notes: notes)
        }
    }

    private func notes(_ asset: Asset) -> [String] {
        let notes = asset.unfinished(becoming: "aligned")
        return notes.isEmpty ? asset.incompleteness(becoming: "aligned") : notes
    }

    private func notes(_ asset: Asset, _ sound: RecordedSound) -> [String] {
        var notes = notes(asset)
        if sound.damagedSamples > 0 {
            notes.append(
                "\(sound.damagedSamples) coded samples of the audio of \(asset.path) cannot be "
                    + "decoded: silence stands for them.")
        }
        return notes
    }
}

/// Which file it is, whatever its name.
private struct FileIdentity: Hashable {
    private let device: UInt64
    private let number: UInt64

    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        device = UInt64(info.st_dev)
        number = UInt64(info.st_ino)
    }
}

extension MediaError {
    fileprivate static func silent(_ path: String) -> MediaError {
        MediaError(
            code: .notAligned, subject: path,
            message: "\(path) is silent throughout: there is nothing to align it by.")
    }

    /// Why a recording is not aligned.
    fileprivate static func unaligned(
        _ path: String, with reference: String, _ outcome: SoundMatcher.Outcome
    ) -> MediaError {
        let least = Int(AlignmentScale.leastOverlap)
        let reason: String
        switch outcome {
        case .silent, .found: return .silent(path)
        case .short:
            reason = "recordings need at least \(least) s of audio"
        case .nothingInCommon:
            reason =
                "nothing of one is heard in the other; they need at least \(least) s in common, better ten"
        case .repeating(let time):
            let seconds = Int64((time * 1000).rounded()).thousandths
            reason =
                "what they have in common repeats itself, \(seconds) s apart, and could be any of these"
        case .broken(let found):
            let about = Int(found.time.rounded())
            let seconds = Int64((abs(found.shift) * 1000).rounded()).thousandths
            reason =
                "from about \(about) s on it lies \(seconds) s \(found.shift > 0 ? "later" : "earlier") than before; "
                + "one of the two was cut or paused there and has to be aligned part by part"
        case .uncertain(let confidence):
            let percent = Int((confidence * 100).rounded())
            let least = Int(RecordingAlignment.leastConfidence * 100)
            reason =
                "something is heard in both, but the confidence is \(percent) %, below \(least) %; a recording "
                + "that was cut or paused has to be aligned part by part"
        }
        return MediaError(
            code: .notAligned, subject: path,
            message: "Cannot align \(path) with \(reference): \(reason).")
    }
}

extension Int64 {
    /// With three decimals.
    fileprivate var thousandths: String {
        let rest = String(self % 1000)
        return "\(self / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
