internal import Glibc

exit(ExitCode.usage.rawValue)
