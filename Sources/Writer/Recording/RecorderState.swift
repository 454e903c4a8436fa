internal import Writing

/// Where a recording is in its life.
public enum RecorderState: String, Sendable, Hashable, Codable, CaseIterable {
    /// Built, not started.
    case idle
    /// Started; not every source has delivered yet.
    case starting
    case recording
    /// A pause is asked for; the frame at which it cuts has not come yet.
    case pausing
    case paused
    /// A resume is asked for; the frame with which the movie resumes has not come yet.
    case resuming
    /// The end is set; the last samples are being written and the file closed.
    case finishing
    case finished
    case failed

    /// Whether nothing can change any more.
    public var isOver: Bool { self == .finished || self == .failed }
}

extension RecorderState {
    /// The recorder knows its life, the writer whether the movie runs.
    init(_ life: RecorderMachine.Life, _ phase: PauseGate.Phase?) {
        self =
            switch life {
            case .idle: .idle
            case .starting: .starting
            case .running:
                switch phase {
                case .running, nil: .recording
                case .pausing: .pausing
                case .paused: .paused
                case .resuming: .resuming
                }
            case .finishing: .finishing
            case .finished: .finished
            case .failed: .failed
            }
    }
}
