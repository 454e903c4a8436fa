/// Something that changes a part of a clip's frames by what is around each place. `AreaBlur` and `AreaMosaic` are those
/// of vcap.
public protocol AreaEffect: Sendable, Hashable {
    /// How far around a place it looks (fraction of the frame's shorter side).
    var reach: Double { get }

    /// Changes the samples of one plane, of the area and of what is around it as far as `reach`. All planes of a frame are
    /// given, each from another thread perhaps; what it makes of them must not depend on anything else.
    func apply(to samples: AreaSamples)

    /// Checks its numbers.
    /// - Returns: what is wrong, a sentence without a full stop; nil: nothing.
    var problem: String? { get }
}

extension AreaEffect {
    public var problem: String? { nil }
}

/// Samples of one plane of a frame, some rows of it: luma, or one of the two planes of chroma.
///
/// Lengths are fractions of the shorter side of the clip's upright frame, so that an effect looks the same at every size
/// of the film.
public struct AreaSamples {
    /// How many.
    public let columns: Int
    public let rows: Int
    /// From one sample to the next one.
    public let across: Double
    public let down: Double
    /// Of the first sample's outer corner, from the frame's.
    public let left: Double
    public let top: Double
    /// Samples of this plane between places at which all planes have an edge (1 or 2).
    public let columnStep: Int
    public let rowStep: Int
    /// The codes, row by row.
    public let values: UnsafeMutableBufferPointer<Float>

    /// The code of a sample.
    @inline(__always)
    public subscript(column: Int, row: Int) -> Float {
        get { values[row * columns + column] }
        nonmutating set { values[row * columns + column] = newValue }
    }
}
