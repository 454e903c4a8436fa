internal import CALSA
internal import Glibc

/// What libasound answered: a count, or the negative of an error number.
enum ALSACall {
    /// libasound's word for an error (positive number).
    static func text(_ error: Int32) -> String {
        String(cString: snd_strerror(-abs(error)))
    }

    /// Keeps libasound from printing on stderr; every failure is reported by our own sentence.
    static func discardMessages() { vcap_snd_discard_messages() }
}
