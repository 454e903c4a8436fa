internal import CFFmpeg
internal import Media

extension FieldOrder {
    /// - Returns: nil for whole frames and where nothing is known.
    ///
    /// Lines of the two fields lie in turn in what decoders give, so the line that is first of a frame is first in time
    /// with `AV_FIELD_TB`, whatever its comment says: so libavformat reads and writes QuickTime's 9 and Matroska's 9, and
    /// so libavcodec's decoders of raw frames and FFV1 take it (5.1).
    init?(_ order: AVFieldOrder) {
        switch order {
        case AV_FIELD_TT, AV_FIELD_TB: self = .topFirst
        case AV_FIELD_BB, AV_FIELD_BT: self = .bottomFirst
        default: return nil
        }
    }

    /// The pair that leaves no doubt of what is shown first.
    var libav: AVFieldOrder { self == .topFirst ? AV_FIELD_TT : AV_FIELD_BB }
}
