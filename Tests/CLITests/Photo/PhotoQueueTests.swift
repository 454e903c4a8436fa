import Capture
import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Photos between the camera and the disk")
struct PhotoQueueTests {
    private static let lost = MediaError(code: .ioError, subject: "x", message: "The disk is gone.")

    @Test("what is held is bounded by memory, but for one photo a thread")
    func bounded() {
        let gate = BlockingLock(false)
        let queue = PhotoQueue(workers: 2, mostBytes: 250) { _ in }
        for number in 0..<2 {
            #expect(queue.hasRoom(for: 1000))
            queue.add(number: number, bytes: 100) {
                gate.wait { $0 ? () : nil }
                return .failure(Self.lost)
            }
        }
        #expect(queue.hasRoom(for: 50) && !queue.hasRoom(for: 51))
        #expect(queue.held == (2, 200))
        gate.withLock { $0 = true }
        #expect(queue.finish().count == 2)
        #expect(queue.held == (0, 0) && queue.hasFailed)
    }

    @Test("who waits for room does not wait behind a failure")
    func failureEndsWaiting() {
        let (gate, isFailing, isThrough) = (
            BlockingLock(false), BlockingLock(false), BlockingLock(false)
        )
        let queue = PhotoQueue(workers: 3, mostCount: 2) { _ in }
        for (number, end) in [gate, gate, isFailing].enumerated() {
            queue.add(number: number, bytes: 100) {
                end.wait { $0 ? () : nil }
                return .failure(Self.lost)
            }
        }
        NamedThread(name: "vcap-test") {
            queue.waitForRoom(for: 100)
            isThrough.withLock { $0 = true }
        }.detach()
        let early = isThrough.wait(nanoseconds: 50_000_000) { $0 ? true : nil }
        #expect(early == nil)
        isFailing.withLock { $0 = true }
        let late = isThrough.wait(nanoseconds: 60_000_000_000) { $0 ? true : nil }
        #expect(late == true)
        // the two others are still under way, and there is no room
        #expect(queue.held == (2, 200) && !queue.hasRoom(for: 0))
        gate.withLock { $0 = true }
        #expect(queue.finish().count == 3)
    }

    @Test("the first failure is the row's, and those behind it are counted")
    func furtherFailures() {
        var outcome = PhotoCommand.Outcome()
        outcome.add(.failure(Self.lost))
        #expect(outcome.unwritten == 0 && outcome.failure?.message.contains("disk is gone") == true)
        for _ in 0..<2 { outcome.add(.failure(Self.lost)) }
        #expect(outcome.unwritten == 2 && outcome.taken.isEmpty)
    }

    @Test("no more threads than agreed, and every photo is written once")
    func workers() {
        let running = BlockingLock((now: 0, most: 0, done: 0))
        let queue = PhotoQueue(workers: 3) { _ in }
        for number in 0..<40 {
            queue.add(number: number, bytes: 1) {
                running.withLock { state in
                    state.now += 1
                    state.most = max(state.most, state.now)
                }
                usleep(2000)
                running.withLock { state in
                    state.now -= 1
                    state.done += 1
                }
                return .failure(Self.lost)
            }
        }
        #expect(queue.finish().count == 40)
        let seen = running.read { $0 }
        #expect(seen.done == 40 && (1...3).contains(seen.most), "\(seen)")
    }
}
