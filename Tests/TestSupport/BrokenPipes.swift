import PlatformLibc

/// The effect of a write to a pipe without a reader in the test process.
public enum BrokenPipes {
    private static let ignoreSignal: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    /// From now on, such a write fails instead of ending the process.
    ///
    /// The signal is ignored once and not by each test: this also removes it where it is pending in another thread.
    public static func areErrors() { ignoreSignal }
}
