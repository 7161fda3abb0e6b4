public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An error of the child process that decodes an image, not of the image itself.
public enum IsolationError: Error, Sendable, Hashable {
    /// This system cannot confine processes.
    case unavailable
    /// The child could not be started.
    case cannotStart(Errno)
    /// The program does not call ``Isolation/serveIfAsked()``, or it could not give up its privileges.
    case isNoChild(FilePath)
    /// The child crashed or was killed by this signal.
    case ended(signal: Int32)
    /// The child made a system call that no decoder needs.
    case forbiddenCall
    /// The child exceeded the limit of processor time.
    case outOfTime(Duration)
    /// The child exited, or its reply was invalid.
    case brokenOff
    /// The input's bytes could not be passed to the child.
    case cannotPass(Errno)
}

extension IsolationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unavailable: "this system cannot confine a process that decodes"
        case .cannotStart(let errno): "no process that decodes it can be started: \(errno)"
        case .isNoChild(let program): "\(program) is no program that decodes in isolation, or cannot be confined"
        case .ended(let signal): "the process that decoded it was ended by signal \(signal)\(Self.meaning(of: signal))"
        case .forbiddenCall: "the process that decoded it was ended because it asked for what no decoder needs"
        case .outOfTime(let time): "the process that decoded it was ended after \(time) of processor time"
        case .brokenOff: "the process that decoded it broke off"
        case .cannotPass(let errno): "its bytes cannot be passed to the process that decodes: \(errno)"
        }
    }

    private static func meaning(of signal: Int32) -> String {
        switch signal {
        case SIGSEGV, SIGBUS: ", as a fault in a decoder does"
        case SIGABRT, SIGILL, SIGTRAP: ", as a failed check or a lack of memory does"
        case SIGKILL: ", as a lack of memory does"
        default: ""
        }
    }
}
