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
            let number = notes.askedMark(at: now)
            try writer.mark(text ?? "Marker \(number)", at: .nanoseconds(now))
            return true
        }
    }

    /// From that moment on the movie says this about itself.
    /// - Returns: whether it is noted.
    func describe(_ tags: [String: String], at time: Int64) -> Bool {
        command { writer throws(MediaError) in
            try writer.describe(tags, at: .nanoseconds(time))
            return true
        }
    }

    // MARK: What the writer reports

    func take(_ event: AssetWriterEvent) {
        switch event {
        case .dropped(let track, let drop): refused(plan.source(ofTrack: track), drop)
        case .paused(let pause):
            notes.pausedOrResumed()
            emit(.paused(at: pause.movieTime))
        case .resumed(let pause):
            notes.pausedOrResumed()
            emit(.resumed(at: pause.movieTime))
        case .reachedMaximum(let time): stop(at: time.nanoseconds(), drains: true)
        case .marked(let marker):
            notes.marked(marker.text, at: marker.movieTime)
            emit(.marked(text: marker.text, at: marker.movieTime))
        case .presetChanged(let track, let preset, let time):
            changedPreset(ofTrack: track, preset, at: time)
        case .beganLate(let track, let time, _):
            let source = plan.source(ofTrack: track)
            notes.beganLate(source, at: time)
            emit(.beganLate(track: source, at: time))
        // the report states cuts, ends and counts as they are
        case .leftOutUndecodable, .endMoved, .pauseWithoutEffect: break
        case .misused(let track, let message):
            fail(
                MediaError(
                    code: .invalidState, subject: plan.tracks[track].origin.name, message: message))
        case .failed(let error): fail(error)
        }
    }
}
