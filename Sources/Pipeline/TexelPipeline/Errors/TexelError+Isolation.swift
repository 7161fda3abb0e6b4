import PlatformLibc
import SystemPackage
public import TexelCore

/// Errors of the child process that decodes an image, not of the image itself.
extension TexelError {
    /// This system cannot confine processes.
    public static var isolationUnavailable: TexelError {
        TexelError(.isolationUnavailable, "isolated decoding is not available on this system")
    }

    /// The child could not be started.
    static func childNotStarted(_ reason: Errno) -> TexelError {
        TexelError(
            .childNotStarted, "cannot start the decoding process: \(reason)", systemError: reason.rawValue)
    }

    /// The program does not call ``Isolation/serveIfAsked()``, or it could not drop its privileges.
    static func notAChildProgram(_ program: FilePath) -> TexelError {
        TexelError(.childNotStarted, "\(program) does not call Isolation.serveIfAsked(), or cannot be confined")
    }

    /// The input's bytes could not be passed to the child.
    static func childNotGiven(_ reason: Errno) -> TexelError {
        TexelError(
            .childNotStarted, "cannot pass the input to the decoding process: \(reason)",
            systemError: reason.rawValue)
    }

    /// The child crashed or was killed by this signal.
    static func childEnded(signal: CInt) -> TexelError {
        TexelError(.childEnded, "the decoding process was killed by signal \(signal)\(meaning(of: signal))")
    }

    /// The child made a system call that no decoder needs.
    static var forbiddenSystemCall: TexelError {
        TexelError(.childFailed, "the decoding process made a forbidden system call")
    }

    /// The child exited, or its reply was invalid.
    static var invalidReply: TexelError {
        TexelError(.childFailed, "the decoding process exited or sent an invalid reply")
    }

    /// The child exceeded the limit of processor time.
    static func childTimedOut(after time: Duration) -> TexelError {
        TexelError(.childTimedOut, "the decoding process exceeded its limit of \(time) of processor time")
    }

    private static func meaning(of signal: CInt) -> String {
        switch signal {
        case SIGSEGV, SIGBUS: " (a fault in a decoder)"
        case SIGABRT, SIGILL, SIGTRAP: " (a failed check or out of memory)"
        case SIGKILL: " (probably out of memory)"
        default: ""
        }
    }
}
