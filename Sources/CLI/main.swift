internal import Glibc

var code = ExitCode.done
do {
    if let task = try Invocation.prepare(Array(CommandLine.arguments.dropFirst())) {
        if task.command.handlesSignals { SignalListener.block() }
        code = try await task.command.run(task.arguments)
    }
} catch {
    let failure = CommandFailure.from(error)
    Console.shared.error(failure.message)
    code = failure.code
}
exit(code.rawValue)
