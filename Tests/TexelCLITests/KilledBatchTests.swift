import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// Batches that are killed at random moments: every output is absent or complete, every input is untouched, and
/// missing outputs can be made afterwards.
///
/// `make test-kills COUNT=1000` runs it with the release build for any number of rounds.
@Suite struct KilledBatchTests {
    private enum Kind: CaseIterable {
        case intoNewFolder, overExistingFiles, inPlace
    }

    private let workspace: Workspace
    private let inputs: [String: [UInt8]]
    private let count: Int
    private let program: String

    init() throws {
        let environment = ProcessInfo.processInfo.environment
        count = environment["TEXEL_KILLS"].flatMap { Int($0) } ?? 21
        program = environment["TEXEL_PROGRAM"] ?? RunningProgram.texel
        workspace = try Workspace()
        var inputs: [String: [UInt8]] = [:]
        for name in [
            "photograph.jpg", "shapes-alpha.png", "progressive.jpg", "gray-16-bit.png", "orientation-6.jpg",
            "size-65x33.png", "subsampling-420.jpg", "wide-gamut-profile.png",
        ] {
            inputs["deep/\(name)"] = try TestFolders.testImage(name)
        }
        let noise = try PixelBuffer.noise(PixelSize(width: 500, height: 375), alphaMode: .opaque)
        inputs["a.jpg"] = try noise.encoded(as: .jpeg(JPEGOptions(quality: 95)))
        inputs["z.png"] = try noise.encoded(as: .png(PNGOptions(effort: .fast)))
        self.inputs = inputs
    }

    private func arguments(_ kind: Kind) -> [String] {
        // The outputs keep most of their pixels, so that writing takes a while too.
        let common = ["resize", "in", "-r", "--scale", "90%", "--effort", "fast", "--json"]
        return switch kind {
        case .intoNewFolder: common + ["-o", "out"]
        case .overExistingFiles: common + ["-o", "out", "--overwrite"]
        case .inPlace: common + ["--in-place"]
        }
    }

    private func process(_ arguments: [String]) throws -> RunningProgram {
        try RunningProgram(arguments, in: workspace.directory.path, program: program)
    }

    /// Restores the state before a batch.
    private func prepare(_ kind: Kind, _ old: [String: [UInt8]]) throws {
        for folder in ["in", "out"] { try? FileManager.default.removeItem(atPath: workspace.directory(folder)) }
        for (name, bytes) in inputs { try workspace.add("in/\(name)", bytes) }
        if kind == .overExistingFiles { for (name, bytes) in old { try workspace.add("out/\(name)", bytes) } }
    }

    private func contents(below folder: String) throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for (name, bytes) in try workspace.directory.contents() where name.hasPrefix("\(folder)/") {
            contents[String(name.dropFirst(folder.count + 1))] = bytes
        }
        return contents
    }

    private func times() throws -> [String: Date?] {
        var times: [String: Date?] = [:]
        for name in inputs.keys {
            let attributes = try FileManager.default.attributesOfItem(atPath: workspace.directory("in/\(name)"))
            times[name] = attributes[.modificationDate] as? Date
        }
        return times
    }

    /// Whether the file system supports unnamed files.
    private var makesUnnamedFiles: Bool {
        #if os(Linux)
            let descriptor = open(workspace.directory.path, 0o20_000_000 | O_DIRECTORY | O_WRONLY, 0o600)
            return descriptor >= 0 && close(descriptor) == 0
        #else
            return false
        #endif
    }

    private static func isTemporary(_ name: String) -> Bool {
        let name = name.split(separator: "/").last ?? ""
        return name.hasPrefix(".") && name.contains(".texel-") && name != ".texel-manifest"
    }

    @Test func killedAtAnyMoment() throws {
        var generator = SeededGenerator(seed: UInt64(count))
        // The outputs of an undisturbed batch, the bytes it reads and writes, and the files that existed before.
        var whole: [Kind: [String: [UInt8]]] = [:]
        var transfer: [Kind: Int] = [:]
        let old = inputs.mapValues { Array("old ".utf8) + $0 }
        for kind in Kind.allCases {
            try prepare(kind, old)
            let process = try process(arguments(kind))
            for _ in inputs { _ = try process.readLine() }
            transfer[kind] = process.transferredByteCount
            let outcome = try process.wait()
            #expect(outcome.status == 0, "\(outcome.errors)")
            whole[kind] = try contents(below: kind == .inPlace ? "in" : "out")
            #expect(whole[kind]?.count == inputs.count)
        }

        var (killed, absent, former, done, leftovers, resumed) = (0, 0, 0, 0, 0, 0)
        var round = 0
        while killed < count, round < 10 * count {
            round += 1
            let kind = Kind.allCases[round % Kind.allCases.count]
            let results = try #require(whole[kind])
            try prepare(kind, old)
            let before = try times()
            let process = try process(arguments(kind))
            // At any point, or in the middle of the work, after some results.
            var (start, length) = (0, transfer[kind] ?? 0)
            if round % 2 == 0 {
                for _ in 0..<Int.random(in: 1..<inputs.count, using: &generator) { _ = try process.readLine() }
                (start, length) = (process.transferredByteCount ?? 0, length / inputs.count)
            }
            let point = start + Int.random(in: 0...length, using: &generator)
            while process.isRunning, let count = process.transferredByteCount, count < point { sched_yield() }
            process.send(SIGKILL)
            if try process.wait().status == -SIGKILL { killed += 1 }

            var found = try contents(below: kind == .inPlace ? "in" : "out")
            // Without a manifest, either nothing was begun or everything was done.
            let isInterrupted = found.removeValue(forKey: ".texel-manifest") != nil
            if kind == .intoNewFolder, !isInterrupted { #expect(found.isEmpty || found == results, "round \(round)") }
            let temporaries = found.keys.filter(Self.isTemporary)
            leftovers += temporaries.count
            // Only a file that replaces another one has a temporary name for a moment.
            if makesUnnamedFiles, kind == .intoNewFolder { #expect(temporaries.isEmpty) }
            for name in temporaries { found[name] = nil }
            for (name, result) in results {
                let others = kind == .inPlace ? inputs[name] : kind == .overExistingFiles ? old[name] : nil
                let bytes = found.removeValue(forKey: name)
                #expect(bytes == result || bytes == others, "round \(round): \(name) is no whole file")
                if bytes == result { done += 1 } else if bytes == nil { absent += 1 } else { former += 1 }
            }
            #expect(found.isEmpty, "round \(round): \(found.keys)")
            if kind != .inPlace {
                #expect(try contents(below: "in") == inputs)
                #expect(try times() == before)
            }
            guard kind == .intoNewFolder, isInterrupted else { continue }
            resumed += 1
            let outcome = try self.process(arguments(kind) + ["--resume"]).wait()
            #expect(outcome.status == 0, "round \(round): \(outcome.errors)")
            var all = try contents(below: "out")
            #expect(all.removeValue(forKey: ".texel-manifest") != nil)
            // Hidden files of the killed batch are gone, too.
            #expect(all == results, "round \(round)")
        }
        print(
            """
            \(round) batches, \(killed) of them killed before they ended: \(done) outputs are whole, \(absent) absent, \
            \(former) as they were; \(leftovers) temporary files are left; \(resumed) were resumed
            """)
        #expect(killed == count)
    }
}
