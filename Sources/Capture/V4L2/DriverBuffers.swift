internal import CV4L2
internal import Glibc
internal import Media

/// A camera's buffers in driver memory. Lives as long as anybody looks at a frame in it;
/// a frame let go goes back to the driver while the camera streams.
final class DriverBuffers: @unchecked Sendable {  // because the mappings never change after init
    // immutable
    private let node: V4L2Node
    private let type: UInt32
    private let isMultiPlanar: Bool
    private let mappings: [[UnsafeMutableRawBufferPointer]]
    private let state = Lock(State())

    private struct State {
        var isStreaming = false
        /// Buffers the driver can fill.
        var queued = 0
        /// Why a buffer could not be given back, until the stream's thread looks.
        var failure: V4L2Node.Failure?
    }

    /// One filled buffer.
    struct Filled {
        let index: Int
        let flags: UInt32
        let sequence: UInt32
        /// The driver's stamp (ns).
        let stamp: Int64
        /// Bytes filled, one entry a memory plane.
        let bytes: [UnsafeRawBufferPointer]
    }

    /// Requests and maps the buffers.
    init(
        taking node: consuming V4L2Node, _ capability: V4L2Capability, memoryPlanes: Int,
        count: Int
    ) throws(V4L2Node.Failure) {
        type = capability.bufferType
        isMultiPlanar = capability.isMultiPlanar
        var request = v4l2_requestbuffers()
        request.count = UInt32(count)
        request.type = type
        request.memory = V4L2_MEMORY_MMAP.rawValue
        try node.callRetrying(.requestBuffers, &request)
        var mappings: [[UnsafeMutableRawBufferPointer]] = []
        do throws(V4L2Node.Failure) {
            for index in 0..<Int(request.count) {
                mappings.append(
                    try Self.map(
                        index, of: node, type, planes: isMultiPlanar ? memoryPlanes : nil))
            }
        } catch {
            Self.unmap(mappings)
            throw error
        }
        self.mappings = mappings
        self.node = node
    }

    deinit { Self.unmap(mappings) }

    var count: Int { mappings.count }
    var descriptor: Int32 { node.descriptor }

    /// Whether something arrives at the device's input; `true` where it has none.
    var hasSignal: Bool { V4L2Signal(of: node)?.isPresent ?? true }

    /// Of the device; reading them does not hold up its frames.
    var controls: [V4L2Controls.Entry] { V4L2Controls.list(of: node) }

    /// Sets controls of the device on the node that streams, to which the driver does not announce them.
    func set(
        _ values: [(name: String, value: Int64)], among entries: [V4L2Controls.Entry],
        of device: CaptureDevice
    ) throws(MediaError) {
        try V4L2Controls.set(values, among: entries, on: node, device)
    }

    /// Buffers the driver can still fill.
    var queuedCount: Int { state.withLock { $0.queued } }

    /// Gives every buffer to the driver and starts it.
    func start() throws(V4L2Node.Failure) {
        for index in mappings.indices { try queue(index) }
        var kind = type
        try node.callRetrying(.streamOn, &kind)
        state.withLock { $0.isStreaming = true }
    }

    /// Stops the driver and gives the device up. Frames still lent stay readable: since Linux 4.20
    /// buffers outlive their release while they are mapped.
    func stop() {
        pause()
        var none = v4l2_requestbuffers()
        none.type = type
        none.memory = V4L2_MEMORY_MMAP.rawValue
        try? node.call(.requestBuffers, &none)
    }

    /// Stops the driver, which forgets its buffers; `start` begins anew.
    func pause() {
        state.withLock { state in
            state.isStreaming = false
            state.queued = 0
        }
        var kind = type
        try? node.call(.streamOff, &kind)
    }

    /// A buffer nobody looks at any more.
    func giveBack(_ index: Int) {
        guard state.withLock({ $0.isStreaming }) else { return }
        do throws(V4L2Node.Failure) { try queue(index) } catch {
            state.withLock { $0.failure = error }
        }
    }

    /// The next filled buffer; `nil` when none is ready.
    func dequeue() throws(V4L2Node.Failure) -> Filled? {
        if let failure = state.withLock({ $0.failure }) { throw failure }
        var buffer = v4l2_buffer()
        buffer.type = type
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        var planes = [v4l2_plane](repeating: v4l2_plane(), count: Int(VIDEO_MAX_PLANES))
        let result = exchange(.dequeue, &buffer, &planes)
        if result == EAGAIN { return nil }
        guard result == 0 else {
            throw V4L2Node.Failure(function: V4L2Request.dequeue.name, errno: result)
        }
        state.withLock { $0.queued -= 1 }
        let index = Int(buffer.index)
        let bytes = mappings[index].enumerated().map { plane, mapping in
            let used = Int(isMultiPlanar ? planes[plane].bytesused : buffer.bytesused)
            return UnsafeRawBufferPointer(rebasing: mapping[..<min(used, mapping.count)])
        }
        let stamp =
            Int64(buffer.timestamp.tv_sec) &* 1_000_000_000
            &+ Int64(buffer.timestamp.tv_usec) &* 1000
        return Filled(
            index: index, flags: buffer.flags, sequence: buffer.sequence, stamp: stamp,
            bytes: bytes)
    }

    private func queue(_ index: Int) throws(V4L2Node.Failure) {
        var result: Int32 = 0
        for _ in 0..<2 {  // once more after EINVAL, as V4L2Node.callRetrying
            var buffer = v4l2_buffer()
            buffer.index = UInt32(index)
            buffer.type = type
            buffer.memory = V4L2_MEMORY_MMAP.rawValue
            var planes = [v4l2_plane](repeating: v4l2_plane(), count: mappings[index].count)
            state.withLock { $0.queued += 1 }  // before: the driver may fill it at once
            result = exchange(.queue, &buffer, &planes)
            if result == 0 { return }
            state.withLock { $0.queued -= 1 }
            if result != EINVAL { break }
        }
        throw V4L2Node.Failure(function: V4L2Request.queue.name, errno: result)
    }

    /// QBUF and DQBUF, with the plane array where the type has one.
    private func exchange(
        _ request: V4L2Request, _ buffer: inout v4l2_buffer, _ planes: inout [v4l2_plane]
    ) -> Int32 {
        let descriptor = node.descriptor
        guard isMultiPlanar else { return V4L2Node.ioctl(descriptor, request, &buffer) }
        return planes.withUnsafeMutableBufferPointer { pointer in
            buffer.length = UInt32(pointer.count)
            buffer.m.planes = pointer.baseAddress
            return V4L2Node.ioctl(descriptor, request, &buffer)
        }
    }

    private static func map(
        _ index: Int, of node: borrowing V4L2Node, _ type: UInt32, planes: Int?
    ) throws(V4L2Node.Failure) -> [UnsafeMutableRawBufferPointer] {
        var buffer = v4l2_buffer()
        buffer.index = UInt32(index)
        buffer.type = type
        buffer.memory = V4L2_MEMORY_MMAP.rawValue
        guard let planes else {
            try node.call(.queryBuffer, &buffer)
            return [try map(node, Int(buffer.length), Int(buffer.m.offset))]
        }
        var list = [v4l2_plane](repeating: v4l2_plane(), count: planes)
        let descriptor = node.descriptor
        let result = list.withUnsafeMutableBufferPointer { pointer in
            buffer.length = UInt32(pointer.count)
            buffer.m.planes = pointer.baseAddress
            return V4L2Node.ioctl(descriptor, .queryBuffer, &buffer)
        }
        guard result == 0 else {
            throw V4L2Node.Failure(function: V4L2Request.queryBuffer.name, errno: result)
        }
        var mappings: [UnsafeMutableRawBufferPointer] = []
        do throws(V4L2Node.Failure) {
            for plane in list {
                mappings.append(try map(node, Int(plane.length), Int(plane.m.mem_offset)))
            }
        } catch {
            unmap([mappings])
            throw error
        }
        return mappings
    }

    private static func map(
        _ node: borrowing V4L2Node, _ length: Int, _ offset: Int
    ) throws(V4L2Node.Failure) -> UnsafeMutableRawBufferPointer {
        let address = mmap(
            nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, node.descriptor, off_t(offset))
        guard let address, address != MAP_FAILED else {
            throw V4L2Node.Failure(function: "mmap", errno: errno)
        }
        return UnsafeMutableRawBufferPointer(start: address, count: length)
    }

    private static func unmap(_ mappings: [[UnsafeMutableRawBufferPointer]]) {
        for mapping in mappings.joined() { munmap(mapping.baseAddress, mapping.count) }
    }
}
