public import SystemPackage

/// Where a sink writes its bytes.
public enum FrameDestination: Sendable, Hashable {
    case standardOutput
    /// A device or a named pipe is written into; anything else is written beside its place, and takes it when the stream
    /// has ended well. An existing file is an error unless it may be replaced.
    case file(FilePath, replaces: Bool = false)
    /// Open, and left open: a pipe, a socket.
    case descriptor(FileDescriptor)
}
