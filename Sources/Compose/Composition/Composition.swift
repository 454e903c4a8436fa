/// What is shown and heard when: tracks of segments, each a span of a source on a span of the
/// timeline. A value: edits change nothing but this copy, and nothing but what they were asked to.
///
/// Times on the timeline are on its grid; times of sources are movie times of the source.
public struct Composition: Sendable, Hashable {
    /// Ticks of the timeline (1/s): the usual frame and sample rates, the 1001 ones too, are whole
    /// numbers of them.
    public static let timescale: Int32 = 705_600_000
}
