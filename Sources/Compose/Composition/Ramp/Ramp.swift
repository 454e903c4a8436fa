internal import Media

/// A value that changes over a span of the timeline.
protocol Ramp {
    associatedtype Value
    var timeRange: MediaTimeRange { get }
    /// How progress in time becomes progress of the value.
    var curve: TimingCurve { get }
    /// - Parameter progress: of the value; a curve may lead beyond 0…1.
    func value(progress: Double) -> Value
}

extension Array where Element: Ramp {
    /// The value at an instant: of the ramp that began last; before the first one, its start. Nil
    /// without ramps.
    func value(at time: MediaTime) -> Element.Value? {
        let next = partitioningIndex { $0.timeRange.start > time }
        guard next > 0 else { return first?.value(progress: 0) }
        let ramp = self[next - 1]
        return ramp.value(progress: ramp.curve.value(at: ramp.timeRange.progress(at: time)))
    }
}
