/// How hard the machine is pressed.
public enum PressureLevel: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Nothing is scarce.
    case nominal
    /// What can wait should.
    case fair
    /// What is recorded will suffer soon.
    case serious
    /// What is recorded suffers now.
    case critical

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    public static func < (left: PressureLevel, right: PressureLevel) -> Bool {
        left.rank < right.rank
    }
}

/// What is scarce.
public enum PressureCause: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Processor time: programs wait for it (/proc/pressure/cpu).
    case processor
    /// Memory: programs wait for it (/proc/pressure/memory).
    case memory
    /// Disks: programs wait for them (/proc/pressure/io).
    case storage
    /// The machine is hot and will be slowed (/sys/class/thermal).
    case heat
    /// Frames wait for their encoder.
    case encoder
    /// Coded samples wait for the movie's disk.
    case disk

    public static func < (left: PressureCause, right: PressureCause) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// What was measured at one moment; what could not be measured is not in it.
public struct PressureReading: Sendable, Equatable {
    /// For `processor`, `memory` and `storage` the share of the last ten seconds in which some program
    /// waited (0…1), for `heat` the hottest zone's place between normal (0) and the point at which it is
    /// slowed (1, and above), for `encoder` and `disk` how full the fullest queue is (0…1).
    public var values: [PressureCause: Double]

    public init(_ values: [PressureCause: Double] = [:]) { self.values = values }

    /// Takes the greater of what is there and a value.
    public mutating func note(_ value: Double, of cause: PressureCause) {
        values[cause] = max(values[cause] ?? value, value)
    }
}

/// How hard the machine is pressed, and by what.
public struct PressureState: Sendable, Hashable {
    /// Causes above nominal.
    public var causes: [PressureCause: PressureLevel]

    public init(_ causes: [PressureCause: PressureLevel] = [:]) {
        self.causes = causes.filter { $0.value > .nominal }
    }

    public var level: PressureLevel { causes.values.max() ?? .nominal }

    /// The worst first.
    public var causesInOrder: [PressureCause] {
        causes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }
}
