internal import Glibc

exit(Invocation.runToEnd(Array(CommandLine.arguments.dropFirst())).rawValue)
