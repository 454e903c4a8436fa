internal import CV4L2
internal import Glibc

/// What arrives at the input of a capture card: cameras that are their own source have none of
/// this, and every call on them here is refused, which is fine.
struct V4L2Signal: Sendable, Equatable {
    /// What the driver calls the input.
    let inputName: String
    /// Whether there is a frame to capture.
    let isPresent: Bool
    /// Whether the input carries its own timings (HDMI, SDI).
    private let hasTimings: Bool

    /// The present input's; `nil` when the driver has no inputs.
    init?(of node: borrowing V4L2Node) {
        var index: Int32 = 0
        guard (try? node.call(.getInput, &index)) != nil else { return nil }
        var input = v4l2_input()
        input.index = UInt32(bitPattern: index)
        guard (try? node.call(.enumerateInputs, &input)) != nil else { return nil }
        inputName = V4L2Text.string(input.name)
        hasTimings = input.capabilities & UInt32(V4L2_IN_CAP_DV_TIMINGS) != 0
        let missing = V4L2_IN_ST_NO_POWER | V4L2_IN_ST_NO_SIGNAL | V4L2_IN_ST_NO_SYNC
        let hasStatus = input.status & UInt32(missing) == 0
        isPresent = hasStatus && !(hasTimings && Self.hasNoTimings(node))
    }

    /// ENOLINK: nothing is connected; ENOLCK: no steady signal; ERANGE: one the card cannot take.
    private static func hasNoTimings(_ node: borrowing V4L2Node) -> Bool {
        var timings = v4l2_dv_timings()
        do throws(V4L2Node.Failure) { try node.call(.queryTimings, &timings) } catch {
            return [ENOLINK, ENOLCK, ERANGE].contains(error.errno)
        }
        return false
    }

    /// Sets the card to the timings that arrive: drivers keep the old ones until they are set. Answers
    /// whether they were others, and with them the sizes and rates the device lists.
    func follow(on node: borrowing V4L2Node) throws(V4L2Node.Failure) -> Bool {
        guard hasTimings else { return false }
        var arriving = v4l2_dv_timings()
        var present = v4l2_dv_timings()
        guard (try? node.call(.queryTimings, &arriving)) != nil,
            (try? node.call(.getTimings, &present)) != nil,
            vcap_same_timings(&arriving, &present) == 0
        else { return false }
        try node.call(.setTimings, &arriving)
        return true
    }
}
