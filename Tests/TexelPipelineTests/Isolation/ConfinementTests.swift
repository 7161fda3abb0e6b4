#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// What a child may do and what not, by a program that gives up its privileges as a child does.
    @Suite struct ConfinementTests {
        /// The exit code; of one that a signal ended, its number, negative.
        private static func end(of deed: String) throws -> Int32 {
            try RunningProgram(Program.built("ConfinementProbe"), [deed], environment: [:]).wait().status
        }

        /// It exits with 0 where all was as it should be.
        @Test(arguments: ["compute", "open", "create", "descriptor", "memory"]) func goesOn(deed: String) throws {
            #expect(try Self.end(of: deed) == 0)
        }

        @Test(arguments: ["socket", "fork", "exec", "kill", "thread", "code"]) func isEnded(deed: String) throws {
            #expect(try Self.end(of: deed) == -SIGSYS)
        }

        @Test func processorTimeHasAnEnd() throws { #expect(try Self.end(of: "spin") == -SIGXCPU) }

        /// A failed check ends it as it ends any process.
        @Test func abortAborts() throws { #expect(try Self.end(of: "abort") == -SIGABRT) }
    }
#endif
