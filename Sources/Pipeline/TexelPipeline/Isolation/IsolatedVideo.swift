import PlatformLibc
import SystemPackage
package import TexelCodecs
package import TexelCore
import TexelPixels

#if Video
    package import TexelVideo

    /// A video that a child process reads and decodes: the frames come back in shared memory.
    ///
    /// The child has the descriptor of the file or the pipe, and no right to open anything. Used by one thread at a
    /// time.
    package final class IsolatedVideo: VideoFrames {
        package let info: VideoInfo
        package let timeBase: TimeBase
        private let child: ChildProcess
        private let limits: Limits
        private let noticed = Monitor(StreamFaults())

        /// Opens a video in a new child, which ends with this object.
        ///
        /// - Parameters:
        ///   - descriptor: Of a file or a pipe; stays the caller's.
        ///   - position: Where the video begins in a file.
        ///   - head: Bytes of a pipe that have been read already.
        ///   - name: The file's name, which gives the format of streams without headers.
        package init(
            _ descriptor: CInt, from position: Int, head: [UInt8]? = nil, name: String?, limits: Limits,
            isolation: Isolation, stop: StopToken
        ) throws(TexelError) {
            let opening = Request.open(position: position, head: head, name: name, limits: limits)
            child = try isolation.newChild([.video], stop)
            let reply = try child.step(opening, passing: FileDescriptor(rawValue: descriptor), stop)
            switch reply {
            case .opened(let info, let seconds, let ticks):
                guard let timeBase = TimeBase(seconds: seconds, ticks: ticks) else { throw .invalidStream("no clock") }
                guard info.isPlausible(within: limits) else { throw .invalidReply }
                try limits.checkWhole(info.size)
                (self.info, self.timeBase, self.limits) = (info, timeBase, limits)
            case .failed(let failure): throw failure
            case .frame, .end, .moved: throw .invalidReply
            }
        }

        package func next(_ stop: StopToken?) throws(TexelError) -> VideoFrame? {
            switch try step(.next, stop) {
            case .frame(let picture, let faults):
                noticed.withLock { $0.add(faults) }
                return try frame(picture)
            case .end(let faults):
                noticed.withLock { $0.add(faults) }
                return nil
            case .failed(let failure): throw failure
            case .opened, .moved: throw .invalidReply
            }
        }

        package func seek(to time: Duration, _ stop: StopToken?) throws(TexelError) {
            try move(.seek(nanoseconds: Int(clamping: time.wholeNanoseconds)), stop)
        }

        package func seek(toFrame number: Int, _ stop: StopToken?) throws(TexelError) {
            try move(.find(number), stop)
        }

        package func takeFaults() -> StreamFaults {
            noticed.withLock { noticed in
                defer { noticed = StreamFaults() }
                return noticed
            }
        }

        private func move(_ request: Request, _ stop: StopToken?) throws(TexelError) {
            switch try step(request, stop) {
            case .moved: break
            case .failed(let failure): throw failure
            case .opened, .frame, .end: throw .invalidReply
            }
        }

        private func step(_ request: Request, _ stop: StopToken?) throws(TexelError) -> Reply {
            try child.step(request, passing: nil, stop ?? StopToken())
        }

        /// Copies the planes of a frame out of the shared memory. Nothing that the child says of it is trusted.
        private func frame(_ picture: VideoPicture) throws(TexelError) -> VideoFrame {
            try limits.checkWhole(picture.size)
            let layout = try picture.layout()
            return try child.withResults { results throws(TexelError) in
                let byteCount = try layout.byteCount
                try results.check(byteCount)
                guard let memory = LargeMemory(byteCount: byteCount) else { throw .outOfMemory }
                try results.read(into: UnsafeMutableRawBufferPointer(start: memory.base, count: byteCount))
                let planes = layout.planes.map {
                    PlaneRows(base: UnsafeRawPointer(memory.base) + $0.offset, bytesPerRow: $0.bytesPerRow)
                }
                return VideoFrame(picture, planes, owner: memory)
            }
        }

        // MARK: Messages

        enum Request: Codable {
            case open(position: Int, head: [UInt8]?, name: String?, limits: Limits)
            case next
            case seek(nanoseconds: Int)
            case find(Int)
        }

        enum Reply: Codable {
            case opened(VideoInfo, seconds: Int, ticks: Int)
            case frame(VideoPicture, StreamFaults)
            case end(StreamFaults)
            case moved
            case failed(TexelError)
        }
    }

    extension ChildProcess {
        /// Takes the next step of reading a video.
        fileprivate func step(
            _ request: IsolatedVideo.Request, passing descriptor: FileDescriptor?, _ stop: StopToken
        ) throws(TexelError) -> IsolatedVideo.Reply {
            #if os(Linux)
                guard case .video(let reply) = try reply(to: .video(request), passing: descriptor, stop) else {
                    throw .invalidReply
                }
                return reply
            #else
                throw .isolationUnavailable
            #endif
        }
    }

    extension Duration {
        fileprivate var wholeNanoseconds: Int128 {
            Int128(components.seconds) * 1_000_000_000 + Int128(components.attoseconds / 1_000_000_000)
        }
    }

    #if os(Linux)
        /// The child's side: reads one video after the other.
        final class IsolatedVideoWorker {
            private var video: Video?

            /// Takes the next step.
            ///
            /// - Parameters:
            ///   - descriptor: Of the video, with the first step.
            ///   - output: Receives the planes of a frame, one after the other without padding.
            func reply(
                to request: IsolatedVideo.Request, _ descriptor: FileDescriptor?, _ output: FileDescriptor
            ) throws -> IsolatedVideo.Reply {
                do throws(TexelError) {
                    if case .open(let position, let head, let name, let limits) = request {
                        guard let descriptor else { throw .invalidStream("nothing to read") }
                        let bytes = PassedVideoBytes(descriptor, from: position, head: head)
                        let opened = try Video(.bytes(bytes, name: name), limits: limits)
                        video = opened
                        return .opened(opened.info, seconds: opened.timeBase.seconds, ticks: opened.timeBase.ticks)
                    }
                    guard let video else { throw .invalidStream("no video has been opened") }
                    switch request {
                    case .seek(let nanoseconds): try video.seek(to: .nanoseconds(nanoseconds))
                    case .find(let number): try video.seek(toFrame: number)
                    case .next, .open:
                        guard let frame = try video.next() else { return .end(video.takeFaults()) }
                        try write(frame, to: output)
                        return .frame(frame.picture, video.takeFaults())
                    }
                    return .moved
                } catch {
                    return .failed(error)
                }
            }

            private func write(_ frame: VideoFrame, to output: FileDescriptor) throws(TexelError) {
                let (layout, planes) = (try frame.picture.layout(), try frame.rows())
                do {
                    try output.seek(offset: 0, from: .start)
                    for (plane, rows) in zip(layout.planes, planes) {
                        if rows.bytesPerRow == plane.bytesPerRow {
                            let count = plane.bytesPerRow * plane.rowCount
                            try output.writeAll(UnsafeRawBufferPointer(start: rows.base, count: count))
                            continue
                        }
                        // Without the padding, in one call for many rows.
                        var bytes: [UInt8] = []
                        bytes.reserveCapacity(plane.bytesPerRow * plane.rowCount)
                        for row in 0..<plane.rowCount {
                            bytes += UnsafeRawBufferPointer(
                                start: rows.base + row * rows.bytesPerRow, count: plane.bytesPerRow)
                        }
                        try output.writeAll(bytes)
                    }
                } catch {
                    throw .streamFailed((error as? Errno ?? .ioError).rawValue)
                }
            }
        }

        /// The bytes of a descriptor that the parent passed: of a file by offset, of a pipe in order.
        ///
        /// Unchecked because of the positions, which only the one reader uses.
        private final class PassedVideoBytes: VideoBytes, @unchecked Sendable {
            private let descriptor: FileDescriptor
            /// `nil` for a pipe.
            let count: Int?
            private var head: [UInt8]
            private var position: Int

            init(_ descriptor: FileDescriptor, from position: Int, head: [UInt8]?) {
                self.descriptor = descriptor
                self.head = head ?? []
                self.position = position
                count = head == nil ? (try? Int(descriptor.seek(offset: 0, from: .end))) : nil
            }

            deinit { try? descriptor.close() }

            var canSeek: Bool { count != nil }

            func read(into bytes: UnsafeMutableRawBufferPointer) -> Int {
                if !head.isEmpty {
                    let part = head.prefix(bytes.count)
                    bytes.copyBytes(from: part)
                    head.removeFirst(part.count)
                    return part.count
                }
                do {
                    let read =
                        canSeek
                        ? try descriptor.read(fromAbsoluteOffset: Int64(position), into: bytes)
                        : try descriptor.read(into: bytes)
                    position += read
                    return read
                } catch {
                    return -Int((error as? Errno ?? .ioError).rawValue)
                }
            }

            func seek(to offset: Int) { position = max(0, offset) }
        }
    #endif
#else
    /// Without videos, no message is about them.
    enum IsolatedVideo {
        enum Request: Codable {}
        enum Reply: Codable {}
    }

    struct IsolatedVideoWorker {
        func reply(
            to request: IsolatedVideo.Request, _ descriptor: FileDescriptor?, _ output: FileDescriptor
        ) -> IsolatedVideo.Reply {
            switch request {}
        }
    }
#endif
