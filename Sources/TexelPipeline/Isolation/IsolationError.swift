public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What went wrong with the process that was to decode a picture, rather than with the picture.
public enum IsolationError: Error, Sendable, Hashable {
    /// This system has nothing that confines a process.
    case unavailable
    case cannotStart(Errno)
    /// The program is not one that answers, see ``Isolation/serveIfAsked()``; or it could not give up its privileges.
    case isNoChild(FilePath)
    /// It crashed, or was ended by somebody else.
    case ended(signal: Int32)
    /// It asked the system for something that no decoder needs.
    case forbiddenCall
    /// It needed more processor time than a picture may.
    case outOfTime(Duration)
    /// It ended on its own, or said what makes no sense.
    case brokenOff
    /// Bytes cannot be passed to it.
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
