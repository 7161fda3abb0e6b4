import PlatformLibc
public import SystemPackage

/// An error of the child process that decodes an image, not of the image itself.
public enum IsolationError: Error, Sendable, Hashable {
    /// This system cannot confine processes.
    case unavailable
    /// The child could not be started.
    case cannotStart(Errno)
    /// The program does not call ``Isolation/serveIfAsked()``, or it could not drop its privileges.
    case notAChildProgram(FilePath)
    /// The child crashed or was killed by this signal.
    case ended(signal: Int32)
    /// The child made a system call that no decoder needs.
    case forbiddenSystemCall
    /// The child exceeded the limit of processor time.
    case timeLimitExceeded(Duration)
    /// The child exited, or its reply was invalid.
    case invalidReply
    /// The input's bytes could not be passed to the child.
    case cannotPass(Errno)
}

extension IsolationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unavailable: "isolated decoding is not available on this system"
        case .cannotStart(let errno): "cannot start the decoding process: \(errno)"
        case .notAChildProgram(let program): "\(program) does not call Isolation.serveIfAsked(), or cannot be confined"
        case .ended(let signal): "the decoding process was killed by signal \(signal)\(Self.meaning(of: signal))"
        case .forbiddenSystemCall: "the decoding process made a forbidden system call"
        case .timeLimitExceeded(let time): "the decoding process exceeded its limit of \(time) of processor time"
        case .invalidReply: "the decoding process exited or sent an invalid reply"
        case .cannotPass(let errno): "cannot pass the input to the decoding process: \(errno)"
        }
    }

    private static func meaning(of signal: Int32) -> String {
        switch signal {
        case SIGSEGV, SIGBUS: " (a fault in a decoder)"
        case SIGABRT, SIGILL, SIGTRAP: " (a failed check or out of memory)"
        case SIGKILL: " (probably out of memory)"
        default: ""
        }
    }
}
