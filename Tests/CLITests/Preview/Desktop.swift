import Foundation
import TestSupport

/// A desktop without a screen: an X server of its own, whose picture can be looked at and whose keys can be pressed.
final class Desktop {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// For programs that are to use it.
    let environment: [String: String]
    private let server: Process

    /// - Parameter folder: where the screen's memory is a file, for `ScreenMemory`; `nil`: nowhere.
    init(memoryIn folder: String? = nil) throws {
        guard let tool = Program.tool("Xvfb") else {
            throw Failure(description: "Xvfb is not installed")
        }
        server = Process()
        server.executableURL = URL(fileURLWithPath: tool.path)
        let answer = Pipe()
        // it chooses a number that is free, and says it when it is ready; like a desktop's it stays when its last
        // client leaves
        server.arguments = [
            "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset",
        ]
        if let folder { server.arguments? += ["-fbdir", folder] }
        server.standardOutput = answer
        server.standardError = FileHandle.nullDevice
        try server.run()
        var line = ""
        while !line.hasSuffix("\n") {
            let chunk = answer.fileHandleForReading.availableData
            guard !chunk.isEmpty else { throw Failure(description: "Xvfb did not begin") }
            line += String(decoding: chunk, as: UTF8.self)
        }
        environment = [
            "DISPLAY": ":" + line.trimmingCharacters(in: .whitespacesAndNewlines),
            "WAYLAND_DISPLAY": "",
        ]
    }

    deinit { kill() }

    /// As a power cut of the desktop.
    func kill() {
        guard server.isRunning else { return }
        Foundation.kill(server.processIdentifier, SIGKILL)
        server.waitUntilExit()
    }

    /// From now on nothing is answered and nobody is disconnected, as by a driver that hangs.
    func hang() { Foundation.kill(server.processIdentifier, SIGSTOP) }

    /// Lets xdotool do something with the only window of a program.
    @discardableResult
    func act(_ words: [String]) throws -> Program.Result {
        guard let tool = Program.tool("xdotool") else {
            throw Failure(description: "xdotool is not installed")
        }
        return try tool.run(words, environment: environment, atMost: Self.longest)
    }

    /// So long a tool may take (seconds): asked for a window that is gone, some wait for a person to choose another one.
    private static let longest: Int64 = 20

    /// Presses keys in the window. The server's keyboard has no key down afterwards: one whose window closes while it is
    /// pressed would stay so, be repeated into the next window, and have no effect when it is pressed there.
    func press(_ keys: [String], in window: String) throws {
        for key in keys {
            try act(["key", "--window", window, key])
            try act(["keyup", key])
        }
    }

    /// Asks the program to close its window, as the cross in a window's frame does.
    func close(_ window: String) throws {
        // the distribution's own: another one does not find its libraries
        let tool = Program(path: "/usr/bin/python3")
        let script = """
            from Xlib import X, display, protocol
            d = display.Display()
            w = d.create_resource_object("window", \(window))
            data = (32, [d.intern_atom("WM_DELETE_WINDOW"), X.CurrentTime, 0, 0, 0])
            w.send_event(protocol.event.ClientMessage(
                window=w, client_type=d.intern_atom("WM_PROTOCOLS"), data=data))
            d.flush()
            """
        let result = try tool.run(["-c", script], environment: environment)
        guard result.status == 0 else { throw Failure(description: result.errorText) }
    }

    /// The window's number; `nil` where there is none (yet).
    func window() throws -> String? {
        let found = try act(["search", "--onlyvisible", "--name", "vcap"])
        return found.outputText.split(separator: "\n").first.map(String.init)
    }

    /// The process that shows a window.
    func process(of window: String) throws -> Int32 {
        let number = try act(["getwindowpid", window]).outputText
        guard let process = Int32(number.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Failure(description: "the window has no process")
        }
        return process
    }

    /// A Wayland compositor in a window of this desktop; ended by killing it.
    func startWayland(in folder: String) throws -> (environment: [String: String], Process) {
        guard let tool = Program.tool("weston") else {
            throw Failure(description: "weston is not installed")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool.path)
        process.arguments = [
            "--backend=x11-backend.so", "--use-pixman", "--socket=test", "--width=760",
            "--height=560",
        ]
        process.environment = ProcessInfo.processInfo.environment
            .merging(environment) { $1 }.merging(["XDG_RUNTIME_DIR": folder]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let isThere = waitUntil(atMost: 30) {
            FileManager.default.fileExists(atPath: folder + "/test")
        }
        guard isThere else {
            process.terminate()
            throw Failure(description: "weston did not begin")
        }
        return (["DISPLAY": "", "WAYLAND_DISPLAY": "test", "XDG_RUNTIME_DIR": folder], process)
    }

    struct Picture {
        let width: Int
        let height: Int
        /// Red, green and blue, row by row.
        let pixels: [UInt8]
    }

    /// The pixels of the window, as another program reads them.
    func picture(of chosen: String? = nil) throws -> Picture {
        try Self.picture(try shoot(chosen, "ppm:-").output)
    }

    /// A picture of the window, in a file whose name says its form.
    func save(to path: String) throws { try shoot(nil, path) }

    /// Of a file.
    static func read(_ path: String) throws -> Picture {
        guard let tool = Program.tool("convert") else {
            throw Failure(description: "ImageMagick is not installed")
        }
        return try picture(try tool.run([path, "-depth", "8", "ppm:-"]).output)
    }

    @discardableResult
    private func shoot(_ chosen: String?, _ target: String) throws -> Program.Result {
        guard let window = try chosen ?? window(), let tool = Program.tool("import") else {
            throw Failure(description: "there is no window")
        }
        return try tool.run(
            ["-window", window, "-depth", "8", "-strip", target], environment: environment,
            atMost: Self.longest)
    }

    private static func picture(_ bytes: [UInt8]) throws -> Picture {
        let lines = bytes.split(separator: 10, maxSplits: 3, omittingEmptySubsequences: false)
        let sides =
            lines.count > 1
            ? String(decoding: lines[1], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
            : []
        guard sides.count == 2, lines.count == 4, lines[3].count >= sides[0] * sides[1] * 3 else {
            throw Failure(description: "no picture of the window")
        }
        return Picture(
            width: sides[0], height: sides[1],
            pixels: Array(lines[3].prefix(sides[0] * sides[1] * 3)))
    }
}
