internal import Glibc
import Media

extension Console {
    /// Does what takes a moment, and says so where it takes more than one.
    /// - Parameter sentence: said once, when a second is over.
    func noticing<Result, Failure>(
        _ sentence: String, _ work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let isDone = WakeSignal()
        NamedThread(name: "vcap-notice") {
            if !isDone.wait(nanoseconds: 1_000_000_000) { self.notice(sentence) }
        }.detach()
        defer { isDone.raise() }
        return try work()
    }
}
