#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// The rights of a child, tested with a program that gives up its privileges like a child.
    @Suite struct ConfinementTests {
        /// The exit code, or the negative number of the signal that ended the process.
        private static func end(of deed: String) throws -> Int32 {
            try RunningProgram(Program.built("ConfinementProbe"), [deed], environment: [:]).wait().status
        }

        /// The probe exits with 0 if the attempt succeeded as expected.
        @Test(arguments: ["compute", "open", "create", "descriptor", "memory", "thread"])
        func allowedDeedsSucceed(deed: String) throws {
            #expect(try Self.end(of: deed) == 0)
        }

        @Test(arguments: ["socket", "fork", "exec", "kill", "code"])
        func forbiddenDeedsEndTheProcess(deed: String) throws {
            #expect(try Self.end(of: deed) == -SIGSYS)
        }

        @Test func processorTimeHasAnEnd() throws { #expect(try Self.end(of: "spin") == -SIGXCPU) }

        /// A failed check ends a child like any other process.
        @Test func failedCheckAbortsTheChild() throws { #expect(try Self.end(of: "abort") == -SIGABRT) }
    }
#endif
