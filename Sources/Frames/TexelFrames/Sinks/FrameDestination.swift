public import SystemPackage

/// Where a sink writes its bytes.
public enum FrameDestination: Sendable, Hashable {
    /// Standard output.
    case standardOutput
    /// A path. Devices and named pipes are written directly. Any other file is written as a temporary file in the same
    /// directory, which takes the path when the stream has ended without error. An existing file is an error unless
    /// `replaces` is set.
    case file(FilePath, replaces: Bool = false)
    /// An open descriptor, such as a pipe or socket, which is not closed.
    case descriptor(FileDescriptor)
}
