import Foundation
import Media
import TestSupport
import Testing

@Suite("levels of pressure")
struct PressureMachineTests {
    private static let cause = PressureCause.encoder
    private static let thresholds = PressureMachine.Thresholds(
        fair: 0.25, serious: 0.5, critical: 0.75)

    private func machine() -> PressureMachine {
        PressureMachine(thresholds: [Self.cause: Self.thresholds], calm: .seconds(3))
    }

    /// A machine at a level, at second 0.
    private func machine(at level: PressureLevel) -> PressureMachine {
        var machine = machine()
        let values: [PressureLevel: Double] = [
            .nominal: 0, .fair: 0.3, .serious: 0.6, .critical: 0.9,
        ]
        machine.take(PressureReading([Self.cause: values[level] ?? 0]), at: .zero)
        return machine
    }

    private func level(_ machine: PressureMachine) -> PressureLevel { machine.state.level }

    @Test(
        "from every level a full queue is critical at once, and one above it is reached at once",
        arguments: PressureLevel.allCases)
    func rises(from start: PressureLevel) {
        for (value, reached) in [(0.26, PressureLevel.fair), (0.51, .serious), (1, .critical)] {
            var machine = machine(at: start)
            #expect(level(machine) == start)
            machine.take(PressureReading([Self.cause: value]), at: .seconds(1))
            #expect(level(machine) == max(start, reached))
        }
    }

    @Test(
        "from every level an empty queue leads one level down every three seconds",
        arguments: PressureLevel.allCases)
    func falls(from start: PressureLevel) {
        var machine = machine(at: start)
        var seen: [PressureLevel] = []
        for second in 1...12 {
            machine.take(PressureReading([Self.cause: 0]), at: .seconds(Int64(second)))
            seen.append(level(machine))
        }
        let below = Array(PressureLevel.allCases.filter { $0 < start }.reversed())
        var expected = [start, start, start]
        for level in below { expected += [level, level, level] }
        expected += Array(repeating: .nominal, count: 12)
        #expect(seen == Array(expected.prefix(12)))
    }

    @Test("a value that swings just below its threshold keeps its level: no to and fro")
    func hysteresis() {
        var machine = machine(at: .serious)
        for second in 1...30 {
            let value = second.isMultiple(of: 2) ? 0.49 : 0.41
            machine.take(PressureReading([Self.cause: value]), at: .seconds(Int64(second)))
            #expect(level(machine) == .serious)
        }
        // and a peak begins the calm anew
        for (second, value) in [(31, 0.1), (33, 0.1), (34, 0.45), (36, 0.1), (38, 0.1)] {
            machine.take(PressureReading([Self.cause: value]), at: .seconds(Int64(second)))
            #expect(level(machine) == .serious)
        }
        machine.take(PressureReading([Self.cause: 0.1]), at: .seconds(39))
        #expect(level(machine) == .fair)
    }

    @Test("what cannot be measured is no cause, and no longer one when it could be before")
    func missing() {
        var machine = PressureMachine()
        machine.take(PressureReading(), at: .zero)
        #expect(machine.state == PressureState())
        machine.take(PressureReading([.heat: 2, .disk: 0.6]), at: .seconds(1))
        #expect(machine.state.causes == [.heat: .critical, .disk: .serious])
        #expect(machine.state.causesInOrder == [.heat, .disk])
        machine.take(PressureReading([.disk: 0.6]), at: .seconds(2))
        #expect(machine.state.causes == [.disk: .serious])
    }

    @Test("programs that wait for the processor are never critical: a full queue says that")
    func capped() {
        var machine = PressureMachine()
        machine.take(PressureReading([.processor: 1, .storage: 1]), at: .zero)
        #expect(machine.state.level == .serious)
    }
}

@Suite("steps under pressure")
struct PressureLadderTests {
    private let everything: (PressureMeasure) -> Bool = { _ in true }

    private func state(_ level: PressureLevel, _ cause: PressureCause = .encoder) -> PressureState {
        PressureState([cause: level])
    }

    /// Seconds and names of the steps for a level a second; taken back ones with a minus.
    private func steps(
        _ ladder: inout PressureLadder, _ levels: [PressureState], from start: Int64 = 0,
        canFollow: ((PressureMeasure) -> Bool)? = nil
    ) -> [String] {
        levels.enumerated().compactMap { second, state in
            let time = start + Int64(second)
            return ladder.take(
                state, at: .seconds(time), canFollow: canFollow ?? everything
            ).map { "\(time)\($0.isTaken ? "+" : "-")\($0.measure.name)" }
        }
    }

    @Test("a critical encoder takes every step, each after the one before had time to help")
    func up() {
        var ladder = PressureLadder(.standard)
        let taken = steps(&ladder, Array(repeating: state(.critical), count: 30))
        #expect(
            taken == [
                "0+spare-frames/2", "2+spare-frames/4", "4+encoding-faster",
                "10+encoding-fastest",
            ])
        #expect(ladder.relief.frameDivisor == 4 && ladder.relief.speed == .fastest)
    }

    @Test("when the pressure is gone they are taken back in the other order, 15 s each")
    func down() {
        var ladder = PressureLadder(.standard)
        _ = steps(&ladder, Array(repeating: state(.critical), count: 12))
        let back = steps(&ladder, Array(repeating: PressureState(), count: 100), from: 12)
        #expect(
            back == [
                "27-encoding-fastest", "42-encoding-faster", "57-spare-frames/4",
                "72-spare-frames/2",
            ])
        #expect(ladder.relief == PressureRelief())
    }

    @Test(
        "from every level only the steps that are for it are taken",
        arguments: [
            (PressureLevel.nominal, 0), (.fair, 1), (.serious, 3), (.critical, 4),
        ])
    func levels(level: PressureLevel, count: Int) {
        var ladder = PressureLadder(.standard)
        #expect(steps(&ladder, Array(repeating: state(level), count: 60)).count == count)
    }

    @Test("nobody to follow a step: it is passed over, and the next is taken at once")
    func passedOver() {
        var ladder = PressureLadder(.standard)
        let taken = steps(&ladder, Array(repeating: state(.serious), count: 10)) {
            if case .encodingSpeed = $0 { true } else { false }
        }
        #expect(taken == ["0+encoding-faster"])
    }

    @Test(
        "a faster preset makes more bytes: it is no answer to a slow disk, nor to what others do",
        arguments: [PressureCause.disk, .storage, .processor, .memory])
    func wrongCause(cause: PressureCause) {
        var ladder = PressureLadder(.standard)
        let taken = steps(&ladder, Array(repeating: state(.critical, cause), count: 60))
        #expect(taken == ["0+spare-frames/2", "2+spare-frames/4"])
    }

    @Test("a machine that is simply too slow does not swing: each relapse doubles the calm")
    func relapses() {
        let policy = PressurePolicy(
            steps: [.init(.encodingSpeed(.faster), from: .serious)], calm: .seconds(10))
        var ladder = PressureLadder(policy)
        var times: [Int64] = []
        // behind as soon as the preset is back
        for second in 0..<2_000 as Range<Int64> {
            let pressed = ladder.relief.speed == .asSet
            let step = ladder.take(
                pressed ? state(.critical) : PressureState(), at: .seconds(second),
                canFollow: everything)
            if step?.isTaken == false { times.append(second) }
        }
        let spans = zip(times, times.dropFirst()).map { $0.1 - $0.0 }
        #expect(spans.prefix(4) == [22, 42, 82, 162])
        #expect(spans.allSatisfy { $0 <= 602 })
    }

    @Test("a step taken anew after a quiet minute waits no longer than the first time")
    func noRelapse() {
        var ladder = PressureLadder(.standard)
        _ = steps(&ladder, [state(.fair)])
        _ = steps(&ladder, Array(repeating: PressureState(), count: 100), from: 1)
        #expect(steps(&ladder, [state(.fair)], from: 101) == ["101+spare-frames/2"])
        let back = steps(&ladder, Array(repeating: PressureState(), count: 30), from: 102)
        #expect(back == ["117-spare-frames/2"])
    }
}

@Suite("what the kernel says of pressure")
struct SystemPressureTests {
    private struct Machine {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        func write(_ text: String, _ path: String) throws {
            let file = folder.file(path)
            let parent = String(file[..<(file.lastIndex(of: "/") ?? file.endIndex)])
            try FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        }

        func zone(_ number: Int, _ temperature: String, _ trips: [(String, String)]) throws {
            let zone = "sys/class/thermal/thermal_zone\(number)"
            try write(temperature, "\(zone)/temp")
            for (index, trip) in trips.enumerated() {
                try write(trip.0 + "\n", "\(zone)/trip_point_\(index)_type")
                try write(trip.1 + "\n", "\(zone)/trip_point_\(index)_temp")
            }
        }

        var reading: [PressureCause: Double] {
            SystemPressure(root: folder.file("")).read().values
        }
    }

    @Test("the share of the last ten seconds in which some program waited")
    func stalls() throws {
        let machine = try Machine()
        try machine.write(
            "some avg10=12.50 avg60=1.00 avg300=0.00 total=1\nfull avg10=99.00 avg60=0 avg300=0 total=0\n",
            "proc/pressure/cpu")
        try machine.write("some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n", "proc/pressure/io")
        #expect(machine.reading == [.processor: 0.125, .storage: 0])
    }

    @Test(
        "a kernel without pressure files, or with others than are known, is no cause",
        arguments: [
            "", "full avg10=99.00\n", "some avg60=3\n", "some avg10=-1\n", "some avg10=x\n",
        ])
    func strange(text: String) throws {
        let machine = try Machine()
        #expect(machine.reading.isEmpty)
        try machine.write(text, "proc/pressure/cpu")
        #expect(machine.reading.isEmpty)
    }

    @Test("a zone is hot where the kernel slows the machine, and warm twenty degrees before")
    func heat() throws {
        let machine = try Machine()
        let trips = [("critical", "105000"), ("passive", "85000"), ("active", "50000")]
        try machine.zone(0, "65000\n", trips)
        #expect(machine.reading == [.heat: 0])
        try machine.zone(0, "80000\n", trips)
        #expect(machine.reading == [.heat: 0.75])
        // the hottest counts; where nothing is slowed, the point at which it is switched off
        try machine.zone(1, "103000\n", [("critical", "105000")])
        #expect(machine.reading == [.heat: 0.9])
        try machine.zone(1, "110000\n", [("critical", "105000")])
        #expect(machine.reading == [.heat: 1.25])
    }

    @Test("a zone whose driver answers nonsense, or that is never slowed, is no cause")
    func nonsense() throws {
        let machine = try Machine()
        try machine.zone(0, "-274000\n", [("passive", "85000")])
        try machine.zone(1, "90000\n", [("active", "50000")])
        try machine.zone(2, "90000\n", [("passive", "0")])
        try machine.zone(3, "", [("passive", "85000")])
        #expect(machine.reading.isEmpty)
    }

    @Test("this machine can be asked")
    func here() {
        for (cause, value) in SystemPressure().read().values {
            #expect(value >= 0 && (cause == .heat || value <= 1))
        }
    }
}
