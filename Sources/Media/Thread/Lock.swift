internal import Glibc

/// A mutex around one value, for code that never waits; `BlockingLock` is for threads that wait for each other.
///
/// The standard library's `Mutex` does the same by a futex of its own, which the thread sanitizer cannot see: all that
/// one guards would be reported as races. Thread-safe; never held across a suspension.
// because `value` is only touched while the mutex is held
package final class Lock<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value  // guarded by mutex

    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        // who locks twice is stopped there, and does not wait for itself
        pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with the value locked.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let result = pthread_mutex_lock(mutex)
        precondition(result == 0, "the thread locks what it has locked already")
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
