#if os(Linux)
    import PlatformLibc
    package import SystemPackage

    /// Reads the events of one inotify(7) instance. Masks consist of the constants `IN_…`.
    ///
    /// Must be used by one thread at a time.
    package final class InotifyReader {
        package struct Event: Equatable {
            /// The watch that ``InotifyReader/add(_:_:)`` returned; -1 for an overflow.
            package let watch: Int32
            package let mask: Int32
            /// The name of a file in the watched folder; `nil` if the event is about the folder itself.
            package let name: FilePath.Component?

            /// Whether the kernel's event queue overflowed, so events were lost.
            package var isOverflow: Bool { mask & IN_Q_OVERFLOW != 0 }
        }

        private let descriptor: FileDescriptor
        private var buffer: [UInt8]

        /// The size of `struct inotify_event` without the name.
        private static let headerSize = 16

        /// - Parameter bufferSize: the maximum number of bytes of events that one ``read()`` returns.
        /// - Throws: the system's error, `tooManyOpenFiles` if the user's limit of inotify instances is reached.
        package init(bufferSize: Int) throws(Errno) {
            let handle = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard handle >= 0 else { throw .current }
            descriptor = FileDescriptor(rawValue: handle)
            buffer = [UInt8](repeating: 0, count: bufferSize)
        }

        deinit { try? descriptor.close() }

        /// Starts to watch a file or folder, or changes the mask of its watch.
        ///
        /// - Returns: the watch.
        /// - Throws: the system's error, `noSpace` if the user's limit of watches is reached.
        package func add(_ path: FilePath, _ mask: Int32) throws(Errno) -> Int32 {
            // The bytes of the path are passed on as they are, since names need not be valid text.
            let watch = path.withPlatformString {
                inotify_add_watch(descriptor.rawValue, $0, UInt32(bitPattern: mask))
            }
            guard watch >= 0 else { throw .current }
            return watch
        }

        /// Stops a watch; has no effect if it has ended already.
        package func remove(_ watch: Int32) { inotify_rm_watch(descriptor.rawValue, watch) }

        /// Waits for events, until `waking` is readable or the timeout has passed. A signal may end the wait early.
        ///
        /// - Parameters:
        ///   - timeout: in milliseconds; negative waits without limit.
        ///   - waking: ignored if its number is negative.
        /// - Returns: whether there are events.
        package func wait(timeout: Int32, waking: FileDescriptor) -> Bool {
            var waits = [
                pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0),
                pollfd(fd: waking.rawValue, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waits, nfds_t(waits.count), timeout) > 0 else { return false }
            return waits[0].revents != 0
        }

        /// Removes and returns pending events, at most as many as the buffer can contain. Returns none if the read
        /// fails.
        package func read() -> [Event] {
            let count = (try? buffer.withUnsafeMutableBytes { try descriptor.read(into: $0) }) ?? 0
            return buffer[..<count].withUnsafeBytes { Self.events(in: $0) }
        }

        /// Decodes records of the type `struct inotify_event`: watch, mask, cookie and length of the name, four bytes
        /// each; then the name, padded with zeros. A truncated record ends the events.
        static func events(in bytes: UnsafeRawBufferPointer) -> [Event] {
            var events: [Event] = []
            var position = 0
            while bytes.count - position >= headerSize {
                let length = Int(bytes.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self))
                let start = position + headerSize
                guard length <= bytes.count - start else { break }
                let name = bytes[start..<(start + length)].prefix { $0 != 0 }.map { CChar(bitPattern: $0) }
                events.append(
                    Event(
                        watch: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self),
                        mask: bytes.loadUnaligned(fromByteOffset: position + 4, as: Int32.self),
                        name: FilePath.Component(platformString: name + [0])))
                position = start + length
            }
            return events
        }
    }
#endif
