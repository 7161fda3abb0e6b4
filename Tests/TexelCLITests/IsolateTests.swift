#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Texel

    /// `--isolate`: the same results and errors, from processes without privileges.
    @Suite(.timeLimit(.minutes(30))) struct IsolateTests {
        private let workspace: Workspace

        init() throws { workspace = try Workspace() }

        @Test(arguments: [
            ["resize", "in", "-r", "--width", "40", "-o", "out"], ["compress", "in", "-r", "-q", "50", "-o", "out"],
            ["rotate", "in", "-r", "--angle", "7", "-o", "out", "--format", "png"],
            ["resize", "in", "-r", "--width", "10,20,30", "-o", "out"],
            ["sheet", "in", "-r", "-o", "sheet.png", "--columns", "5"],
        ]) func isolatedCommandsWriteTheSameFiles(arguments: [String]) throws {
            for file in TestFolders.files(below: TestFolders.testImages) {
                try workspace.add("in/\(file.lastPathComponent)", try TestFolders.testImage(file.lastPathComponent))
            }
            let plain = try workspace.run(arguments)
            let expected = try contents()
            try FileManager.default.removeItem(
                atPath: workspace.directory(arguments.contains("out") ? "out" : "sheet.png"))
            let isolated = try workspace.run(arguments + ["--isolate"])
            #expect(isolated.status == plain.status)
            #expect(isolated.errorLines.sorted() == plain.errorLines.sorted())
            let found = try contents()
            #expect(found == expected && expected.count > 40)
        }

        private func contents() throws -> [String: [UInt8]] {
            var contents: [String: [UInt8]] = [:]
            // The manifest contains times.
            for file in try workspace.files() where !file.hasSuffix(".texel-manifest") {
                contents[file] = try workspace.bytes(file)
            }
            return contents
        }

        @Test func informationAndComparison() throws {
            try workspace.add("a.jpg", try TestFolders.testImage("metadata.jpg"))
            try workspace.add("b.png", try TestFolders.testImage("wide-gamut-profile.png"))
            for arguments in [
                ["info", "a.jpg", "b.png"], ["info", "a.jpg", "--json"], ["info", "b.png", "--analyze"],
                ["compare", "a.jpg", "a.jpg"],
            ] {
                let plain = try workspace.run(arguments)
                let isolated = try workspace.run(arguments + ["--isolate"])
                #expect(plain.status == 0 && isolated.status == 0)
                #expect(isolated.text == plain.text)
            }
        }

        /// Damaged files and a limit: errors in children are errors of their files.
        @Test func errorsAreTheSame() throws {
            let whole = try TestFolders.testImage("gray.jpg")
            try workspace.add("in/cut.jpg", whole.prefix(whole.count / 2))
            try workspace.add("in/text.png", "no picture".utf8)
            try workspace.add("in/empty.jpg", [])
            try workspace.add("in/large.jpg", whole)
            let arguments = ["compress", "in", "-r", "-o", "out", "--limit-side", "98"]
            let plain = try workspace.run(arguments)
            let isolated = try workspace.run(arguments + ["--isolate"])
            #expect(plain.status == 1 && isolated.status == 1)
            #expect(isolated.errorLines.sorted() == plain.errorLines.sorted())
            #expect(plain.errorLines.count >= 4)
        }

        /// A worker's children that are killed between two jobs do not affect the next job; a killed worker leaves no
        /// children.
        @Test func childrenOfAWorker() throws {
            try workspace.add("a.jpg", try TestFolders.testImage("gray.jpg"))
            let worker = try WorkerProcess("--isolate", in: workspace)
            func job(_ number: Int) -> JobObject {
                [
                    "id": number, "command": "resize", "input": "a.jpg", "output": "out-\(number).jpg",
                    "width": 20 + number,
                ]
            }
            try worker.send(job(1))
            #expect(try worker.result().status == "written")
            let children = try Self.children(of: worker.process.identifier)
            #expect(!children.isEmpty)
            for child in children { kill(child, SIGKILL) }
            try worker.send(job(2))
            #expect(try worker.result().status == "written")

            let later = try Self.children(of: worker.process.identifier).filter { !children.contains($0) }
            #expect(!later.isEmpty)
            kill(worker.process.identifier, SIGKILL)
            _ = try worker.end()
            // The children exit when their socket is closed.
            while later.contains(where: Self.isAlive) { sched_yield() }
        }

        /// WebP is decoded in children unless the user decides otherwise; JPEG only on request.
        @Test(
            .enabled(if: ImageFormat(rawValue: "webp").capabilities.writes),
            arguments: [
                ("webp", nil, true), ("webp", "--no-isolate", false), ("jpg", nil, false), ("jpg", "--isolate", true),
            ] as [(String, String?, Bool)]) func defaultOfFormats(name: String, flag: String?, isIsolated: Bool) throws
        {
            try workspace.add("a.jpg", try TestFolders.testImage("gray.jpg"))
            #expect(try workspace.run(["compress", "a.jpg", "-o", "a.webp"]).status == 0)
            let worker =
                if let flag { try WorkerProcess(flag, in: workspace) } else { try WorkerProcess(in: workspace) }
            try worker.send([
                "id": 1, "command": "resize", "input": "a.\(name)", "output": "out.\(name)", "width": 20,
            ])
            #expect(try worker.result().status == "written")
            #expect(try Self.children(of: worker.process.identifier).isEmpty == !isIsolated)
            kill(worker.process.identifier, SIGKILL)
            _ = try worker.end()
        }

        private static func status(_ process: pid_t) -> [Substring]? {
            guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let end = text.lastIndex(of: ")")
            else { return nil }
            return text[text.index(after: end)...].split(separator: " ")
        }

        private static func isAlive(_ process: pid_t) -> Bool { status(process).map { $0[0] != "Z" } ?? false }

        private static func children(of parent: pid_t) throws -> [pid_t] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
                .filter { isAlive($0) && status($0)?[1] == "\(parent)" }
        }
    }
#endif
