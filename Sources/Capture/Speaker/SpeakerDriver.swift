package import Media

/// Brings audio to a device that plays it: interleaved float32, two channels. Bound to the thread that made it.
package protocol SpeakerDriver: AnyObject {
    /// What it plays on, in words for a person (`pulse:NAME`, `alsa:hw:0,0`).
    var name: String { get }
    /// Hz.
    var sampleRate: Int { get }

    /// Begins to play what is written from now on.
    func start() throws(MediaError)

    /// Waits until frames fit, or at most so long.
    /// - Returns: how many fit (frames; 0: none yet).
    /// - Throws: `device-gone` or `device-failed` when it plays no more.
    func room(atMost limit: MediaTime) throws(MediaError) -> Int

    /// Takes frames; not more than fit.
    func write(_ samples: [Float]) throws(MediaError)

    /// How long after `now` the next frame written will be heard (ns), by the device's own measure; nil: it is not
    /// known yet.
    func delay(at now: Int64) -> Int64?

    /// Times that it had nothing to play (count).
    var underruns: Int { get }

    /// Is silent at once: what waits is discarded.
    func pause()
}

/// How long the buffer of a speaker is: what may pass without anything being written.
enum SpeakerBuffer {
    static let microseconds: Int64 = 200_000
    static let channels = 2
    /// What libasound and the sound server convert from.
    static let sampleRate = 48_000
}

/// Where audio is heard.
public enum SpeakerSelector: Sendable, Hashable, CustomStringConvertible {
    /// The sound server's default sink; without a server ALSA's default device.
    case standard
    /// A sink of the sound server; `default` is its own choice.
    case pulse(String)
    /// A playback device of ALSA, as libasound opens it.
    case alsa(String)
    /// Nowhere: the host clock sets the pace.
    case none

    /// As a person writes it: `default`, `pulse:NAME`, `alsa:NAME`, `none`; nil for anything else.
    public init?(_ words: String) {
        switch words {
        case "default": self = .standard
        case "none": self = .none
        case "pulse": self = .pulse("default")
        case "alsa": self = .alsa("default")
        default:
            guard let colon = words.firstIndex(of: ":"), colon != words.startIndex,
                case let name = String(words[words.index(after: colon)...]), !name.isEmpty
            else { return nil }
            switch words[..<colon] {
            case "pulse": self = .pulse(name)
            case "alsa": self = .alsa(name)
            default: return nil
            }
        }
    }

    public var description: String {
        switch self {
        case .standard: "default"
        case .pulse(let name): "pulse:\(name)"
        case .alsa(let name): "alsa:\(name)"
        case .none: "none"
        }
    }

    /// Opens it on the calling thread, which uses it from then on; nil for `none`.
    /// - Parameter server: libpulse's address of a sound server; nil: the user's.
    /// - Throws: `no-such-device`, `device-busy`, `not-permitted` or `device-failed`, in one sentence.
    package func open(server: String? = nil) throws(MediaError) -> (any SpeakerDriver)? {
        switch self {
        case .none: return nil
        case .pulse(let name): return try PulseSpeaker(name, server: server)
        case .alsa(let name): return try ALSASpeaker(name)
        case .standard:
            do throws(MediaError) { return try PulseSpeaker("default", server: server) } catch {
                // the server's sentence is the useful one where neither is there
                guard let driver = try? ALSASpeaker("default") else { throw error }
                return driver
            }
        }
    }
}
