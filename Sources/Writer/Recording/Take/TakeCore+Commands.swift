internal import Media
internal import Writing

extension TakeCore {
    /// - Returns: whether this changed anything.
    func pause(at now: Int64) -> Bool {
        command { writer throws(MediaError) in try writer.pause(at: .nanoseconds(now)) }
    }

    /// - Returns: whether this changed anything.
    func resume(at now: Int64) -> Bool {
        command { writer throws(MediaError) in try writer.resume(at: .nanoseconds(now)) }
    }

    /// - Parameter text: `nil` for the marker's number.
    /// - Returns: whether the marker is in the movie.
    func mark(_ text: String?, at now: Int64) -> Bool {
        command { writer throws(MediaError) in
            let number = notes.withLock { notes in
                notes.pendingMarks.append(now)
                return notes.markers.count + notes.pendingMarks.count
            }
            try writer.mark(text ?? "Marker \(number)", at: .nanoseconds(now))
            return true
        }
    }

    /// Asks the writer while the movie runs or is paused; a writer that refuses has failed.
    private func command(_ body: (any TakeWriting) throws(MediaError) -> Bool) -> Bool {
        do throws(MediaError) {
            return try control.withLock { control throws(MediaError) in
                guard control.machine.life == .running, let writer = control.writer else {
                    return false
                }
                return try body(writer)
            }
        } catch {
            fail(error)
            return false
        }
    }

    /// Asks for the end.
    /// - Parameters:
    ///   - time: the movie's last instant (host ns).
    ///   - drains: whether samples of moments before it are waited for.
    func stop(at time: Int64, drains: Bool) {
        let now = now()
        let limit = settings.drainLimit.nanoseconds()
        control.withLock { control in
            if control.machine.life == .finishing, !drains {
                control.drain = DrainTime(0, from: now)
            }
            guard control.machine.handle(.stop) != .none else { return }
            control.drain = DrainTime(drains ? limit : 0, from: now)
            end(at: time)
        }
        wake.raise()
    }

    // MARK: What the writer reports

    func take(_ event: AssetWriterEvent) {
        switch event {
        case .dropped(let track, let drop):
            dropped(
                plan.source(ofTrack: track), drop.cause, drop.count, at: drop.time.nanoseconds())
        case .paused(let pause):
            notes.withLock { $0.isReportDirty = true }
            emit(.paused(at: pause.movieTime))
        case .resumed(let pause):
            notes.withLock { $0.isReportDirty = true }
            emit(.resumed(at: pause.movieTime))
        case .reachedMaximum(let time): stop(at: time.nanoseconds(), drains: true)
        case .marked(let marker):
            notes.withLock { notes in
                let asked = notes.pendingMarks.isEmpty ? 0 : notes.pendingMarks.removeFirst()
                notes.markers.append(
                    TakeReport.Marker(
                        movieTime: TakeTime(marker.movieTime),
                        hostTime: TakeTime(nanoseconds: asked), text: marker.text))
                notes.isReportDirty = true
            }
            emit(.marked(text: marker.text, at: marker.movieTime))
        case .presetChanged(let track, let preset, let time):
            changedPreset(ofTrack: track, preset, at: time)
        case .misused(let track, let message):
            fail(
                MediaError(
                    code: .invalidState, subject: plan.tracks[track].origin.name, message: message))
        case .failed(let error): fail(error)
        }
    }
}
