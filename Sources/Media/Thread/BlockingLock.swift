internal import Glibc

/// A mutex with a condition, guarding one value: for threads that must wait for each other.
/// Code that never waits uses `Lock`. Thread-safe; never held across a suspension.
// because `value` is only touched while the mutex is held
package final class BlockingLock<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value  // guarded by mutex

    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        condition = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with the value locked, then wakes every waiter.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { unlock() }
        return try body(&value)
    }

    /// Runs `body` with the value locked, which it does not change: nobody is woken.
    package func read<Result>(_ body: (Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(value)
    }

    /// Wakes every waiter when the mutex is free for it.
    private func unlock() {
        pthread_mutex_unlock(mutex)
        pthread_cond_broadcast(condition)
    }

    /// Blocks until `ready` answers a result; `ready` runs locked, at once and after every
    /// change by another thread. It may change what others wait for only when it answers:
    /// nothing else is reported.
    package func wait<Result>(_ ready: (inout Value) -> Result?) -> Result {
        pthread_mutex_lock(mutex)
        defer { unlock() }
        while true {
            if let result = ready(&value) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// As `wait`, but gives up after `nanoseconds` of CLOCK_MONOTONIC and answers `nil`.
    package func wait<Result>(nanoseconds: Int64, _ ready: (inout Value) -> Result?) -> Result? {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        let total = Int64(deadline.tv_nsec) + nanoseconds
        deadline.tv_sec += Int(total / 1_000_000_000)
        deadline.tv_nsec = Int(total % 1_000_000_000)
        pthread_mutex_lock(mutex)
        defer { unlock() }
        while true {
            if let result = ready(&value) { return result }
            if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT {
                return ready(&value)
            }
        }
    }
}
