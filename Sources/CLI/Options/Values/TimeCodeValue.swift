import Media
import Recording

extension ValueKind where Value == TakeTimeCode {
    static var takeTimeCode: ValueKind {
        ValueKind(
            "clock|free|HH:MM:SS:FF",
            expected: "clock, free, or a time code such as 10:00:00:00 (drop frame 10:00:00;00)",
            completion: .words(["clock", "free"])
        ) { TakeTimeCode($0) }
    }
}

extension ValueKind where Value == TimeCodeText {
    static var timeCode: ValueKind {
        ValueKind(
            "HH:MM:SS:FF",
            expected: "a time code such as 10:00:00:00 (drop frame 10:00:00;00)"
        ) { TimeCodeText($0) }
    }
}
