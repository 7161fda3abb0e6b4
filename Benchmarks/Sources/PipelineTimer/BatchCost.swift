import BareRoute
import Foundation
import Texel

/// Measures what the program's batch mode adds to the bare route, including the writing of files, and what the progress
/// bar adds to the batch.
struct BatchCost {
    private let files: [FilePath]
    private let program: URL

    init(_ photographs: Photographs, program: String) {
        files = photographs.files
        self.program = URL(filePath: program)
    }

    func run(_ report: Report) async throws {
        let recipe = Recipe().resizing(width: 1280, height: 1280).encoding(as: .jpeg, quality: 80, effort: .fast)
        let bare = try await Comparison(count: files.count, rounds: 8) {
            [files, folder = try TemporaryFolder()] index in
            let result = try BareRoute.run(files[index], recipe)
            try Self.write(result.bytes, to: folder.url.appending(path: "\(index).jpg"))
        } pipeline: {
            try batch("--progress", "none")
        }
        report.line("\(files.count) photographs: bare \(bare.bare.text) each, a batch \(bare.pipeline.text)")
        tell("time added by a batch", bare, target: 3, report)

        // Both sides run whole batches, so there is one item.
        let bar = try await Comparison(count: 1, rounds: 16) { _ in
            try batch("--progress", "none")
        } pipeline: {
            try batch("--progress", "bar")
        }
        tell("time added by the bar", bar, target: 1, report)
    }

    /// Writes a file with fsync and rename, as the program does.
    private static func write(_ bytes: [UInt8], to file: URL) throws {
        let unfinished = file.appendingPathExtension("tmp")
        try Data(bytes).write(to: unfinished)
        let handle = try FileHandle(forUpdating: unfinished)
        try handle.synchronize()
        try handle.close()
        guard rename(unfinished.path, file.path) == 0 else { throw POSIXError(.EIO) }
    }

    private func tell(_ what: String, _ comparison: Comparison, target: Double, _ report: Report) {
        let added = (comparison.ratio - 1) * 100
        report.figure(
            what, added.formatted(.number.precision(.fractionLength(1))) + " %",
            target: target.formatted() + " %", isMet: added < target)
    }

    /// Runs the program with a terminal as its output.
    private func batch(_ arguments: String...) throws {
        let folder = try TemporaryFolder()
        let terminal = try Terminal()
        let process = Process()
        process.executableURL = program
        process.arguments =
            ["resize"] + files.map(\.string)
            + ["--width", "1280", "--height", "1280", "-q", "80", "-o", folder.url.path] + arguments
        process.standardOutput = terminal.programSide
        process.standardError = terminal.programSide
        try process.run()
        let read = terminal.readAll()
        process.waitUntilExit()
        guard process.terminationStatus == 0, read > 0 else { throw CocoaError(.executableLoad) }
    }
}

/// A pseudoterminal whose output is discarded.
private struct Terminal {
    let programSide: FileHandle
    private let side: FileHandle

    /// Linux's TIOCSPTLCK and TIOCGPTN, which Swift does not import.
    private static let (unlock, number): (UInt, UInt) = (0x4004_5431, 0x8004_5430)

    init() throws {
        side = FileHandle(fileDescriptor: open("/dev/ptmx", O_RDWR | O_NOCTTY), closeOnDealloc: true)
        var (isLocked, number): (CInt, CInt) = (0, 0)
        guard ioctl(side.fileDescriptor, Self.unlock, &isLocked) == 0,
            ioctl(side.fileDescriptor, Self.number, &number) == 0,
            case let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY), other >= 0
        else { throw POSIXError(.ENXIO) }
        programSide = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    }

    /// Reads until the program has ended.
    ///
    /// - Returns: The number of bytes that it wrote.
    func readAll() -> Int {
        try? programSide.close()
        var (buffer, total) = ([UInt8](repeating: 0, count: 1 << 16), 0)
        // Reading fails once the other side is closed.
        while case let count = read(side.fileDescriptor, &buffer, buffer.count), count > 0 { total += count }
        return total
    }
}
