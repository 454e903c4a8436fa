internal import Glibc

/// One named operating-system thread of the data plane: starts at once, ends when `body` returns.
package final class NamedThread: Sendable {
    /// Shown by `top -H` and debuggers (at most 15 bytes are kept by the kernel).
    package let name: String
    private let handle: Handle

    private struct Handle: @unchecked Sendable {  // because pthread_t is a plain number here
        let thread: pthread_t
    }

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void
        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    package init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        let context = Unmanaged.passRetained(Body(name: String(name.prefix(15)), run: body))
        var thread = pthread_t()
        let result = pthread_create(&thread, nil, runNamedThread, context.toOpaque())
        precondition(result == 0, "cannot create a thread: out of memory or past the limit")
        handle = Handle(thread: thread)
    }

    /// Waits for the thread's end. Called exactly once, never on Swift's cooperative pool.
    package func join() { pthread_join(handle.thread, nil) }

    /// Lets the thread end by itself. Called instead of `join`, at most once.
    package func detach() { pthread_detach(handle.thread) }

    /// Does blocking work on a thread of its own and answers with what became of it.
    package static func run<Result: Sendable, Failure: Error>(
        _ name: String, _ work: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let outcome = await withCheckedContinuation {
            (next: CheckedContinuation<Swift.Result<Result, Failure>, Never>) in
            NamedThread(name: name) {
                next.resume(returning: Swift.Result { () throws(Failure) in try work() })
            }.detach()
        }
        return try outcome.get()
    }

    fileprivate static func run(_ context: UnsafeMutableRawPointer) {
        let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
        setName(body.name)
        body.run()
    }

    /// By /proc, because Glibc does not lend pthread_setname_np to Swift.
    private static func setName(_ name: String) {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = name.withCString { write(file, $0, strlen($0)) }
        close(file)
    }
}

nonisolated private func runNamedThread(
    _ context: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
    if let context { NamedThread.run(context) }
    return nil
}
