#if os(Linux)
    import Foundation
    import Testing

    /// What a child may do and what not, by a program that gives up its privileges as a child does.
    @Suite struct ConfinementTests {
        enum End: Equatable {
            case exit(Int32)
            case signal(Int32)
        }

        private static func end(of deed: String) throws -> End {
            let process = Process()
            process.executableURL = BuiltProgram.url("ConfinementProbe")
            process.arguments = [deed]
            process.environment = [:]
            try process.run()
            process.waitUntilExit()
            let status = process.terminationStatus
            return process.terminationReason == .uncaughtSignal ? .signal(status) : .exit(status)
        }

        /// It exits with 0 where all was as it should be.
        @Test(arguments: ["compute", "open", "create", "descriptor", "memory"]) func goesOn(deed: String) throws {
            #expect(try Self.end(of: deed) == .exit(0))
        }

        @Test(arguments: ["socket", "fork", "exec", "kill", "thread", "code"]) func isEnded(deed: String) throws {
            #expect(try Self.end(of: deed) == .signal(SIGSYS))
        }

        @Test func processorTimeHasAnEnd() throws { #expect(try Self.end(of: "spin") == .signal(SIGXCPU)) }

        /// A failed check ends it as it ends any process.
        @Test func abortAborts() throws { #expect(try Self.end(of: "abort") == .signal(SIGABRT)) }
    }
#endif
