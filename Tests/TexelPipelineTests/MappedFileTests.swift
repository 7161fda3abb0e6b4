import Foundation
import PlatformLibc
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelFormats
import TexelJPEG
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// Inputs that are mapped: their memory is released, and a file that becomes shorter is an error.
@Suite(.timeLimit(.minutes(30))) struct MappedFileTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let byteCount = 5 << 20

    private func largeFile(_ name: String = "large") throws -> FilePath {
        FilePath(try directory.add(name, (0..<Self.byteCount).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 9) }))
    }

    private static func map(_ path: FilePath) throws -> MappedFile {
        let descriptor = try FileDescriptor.open(path, .readOnly)
        defer { try? descriptor.close() }
        let count = try #require(FileStatus(descriptor)).byteCount
        return try #require(MappedFile(descriptor, byteCount: count, path: path))
    }

    private static func cut(_ path: FilePath, to count: Int64) throws {
        let descriptor = try FileDescriptor.open(path, .readWrite)
        defer { try? descriptor.close() }
        try descriptor.resize(to: count)
    }

    @Test func sameBytesAfterRelease() throws {
        let path = try largeFile()
        let file = try Self.map(path)
        let bytes = InputBytes(mapping: file, at: file.base, count: Self.byteCount)
        let expected = try InputReader.read(path, limit: .max)
        #expect(bytes.elementsEqual(expected))
        for offset in [0, 1 << 20, 3 << 20, 5 << 20, 100, 4 << 20] { bytes.release(before: offset) }
        #expect(bytes.elementsEqual(expected))
        #expect(bytes.ownedCount == 0 && expected.ownedCount == Self.byteCount)
        #expect(file.failure == nil)
    }

    #if os(Linux)
        /// The bytes of the mapping that take memory, as the system's table of pages says.
        private func residentBytes(of file: MappedFile) throws -> Int {
            let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
            let table = try FileDescriptor.open("/proc/self/pagemap", .readOnly)
            defer { try? table.close() }
            var entries = [UInt64](repeating: 0, count: Self.byteCount / pageSize)
            let offset = Int64(UInt(bitPattern: file.base) / UInt(pageSize) * 8)
            let count = try entries.withUnsafeMutableBytes { try table.read(fromAbsoluteOffset: offset, into: $0) }
            #expect(count == entries.count * 8)
            // Bit 63: the page is present.
            return entries.count { $0 >> 63 == 1 } * pageSize
        }

        @Test func releasedBytesTakeNoMemory() throws {
            let file = try Self.map(try largeFile())
            let bytes = InputBytes(mapping: file, at: file.base, count: Self.byteCount)
            let sum = bytes.reduce(0) { $0 &+ Int($1) }
            #expect(sum > 0)
            #expect(try residentBytes(of: file) == Self.byteCount)
            bytes.release(before: Self.byteCount)
            #expect(try residentBytes(of: file) <= Self.byteCount - 4 << 20)
        }
    #endif

    @Test func missingPagesAreZerosAndAFailure() throws {
        let (path, other) = (try largeFile(), try largeFile("other"))
        let (file, whole) = (try Self.map(path), try Self.map(other))
        try Self.cut(path, to: 100_000)
        let last = file.base.load(fromByteOffset: Self.byteCount - 1, as: UInt8.self)
        #expect(last == 0)
        #expect(file.failure == .shortened(path))
        #expect(whole.base.load(fromByteOffset: 77, as: UInt8.self) == 77)
        #expect(whole.failure == nil)
    }

    /// A page may be missing for another reason than the file's size, such as an error of the device.
    @Test func missingPagesOfAFileOfTheSameSize() throws {
        let path = try largeFile()
        let file = try Self.map(path)
        try Self.cut(path, to: 0)
        #expect(file.base.load(fromByteOffset: Self.byteCount / 2, as: UInt8.self) == 0)
        try Self.cut(path, to: Int64(Self.byteCount))
        #expect(file.failure == .cannotRead(path, .ioError))
    }

    /// The end of the last page reads as zeros without a signal.
    @Test func aFewBytesLess() throws {
        let path = FilePath(try directory.add("odd", [UInt8](repeating: 1, count: 10_000)))
        let file = try Self.map(path)
        #expect(file.failure == nil)
        try Self.cut(path, to: 9_990)
        #expect(file.failure == .shortened(path))
    }

    /// More mappings than there are guards: the others are read.
    @Test func manyAtATime() throws {
        let path = FilePath(try directory.add("small", [1, 2, 3]))
        let all = try (0..<300).map { _ in try InputReader.mapped(path, limit: .max, followsLinks: true) }
        #expect(all.allSatisfy { $0.elementsEqual([1, 2, 3]) })
        #expect(all.contains { $0.ownedCount == 0 })
    }

    @Test func emptyFilesAndLimits() throws {
        let empty = FilePath(try directory.add("empty", []))
        #expect(try InputReader.mapped(empty, limit: .max, followsLinks: true).isEmpty)
        let path = try largeFile()
        #expect(
            throws: TexelError.limitExceeded(.inputBytes, value: Self.byteCount, allowed: 1000)
        ) {
            try InputReader.mapped(path, limit: 1000, followsLinks: true)
        }
    }

    // MARK: Images

    enum Kind: CaseIterable {
        case jpeg, progressive, png

        var encoding: ImageEncoding {
            switch self {
            case .jpeg: .jpeg(JPEGOptions(quality: 100, effort: .fast))
            case .progressive: .jpeg(JPEGOptions(quality: 100, isProgressive: true, effort: .fast))
            case .png: .png(PNGOptions(effort: .fast))
            }
        }
    }

    private func imageFile(_ kind: Kind) throws -> FilePath {
        let image = try PixelBuffer.random(width: 900, height: 700)
        return FilePath(try directory.add("\(kind)", try image.encoded(as: kind.encoding)))
    }

    private func result(of source: FileSource, _ recipe: Recipe, cut: Int64? = nil) async throws -> [UInt8] {
        let pipeline = ImagePipeline(workers: WorkerPool(width: 1, byteBudget: 1 << 30))
        let (request, urgency) = (ImageRequest(source, recipe: recipe), Urgency())
        return try await pipeline.withInput(of: request, urgency) { input async throws(TexelError) -> [UInt8] in
            do { if let cut { try Self.cut(source.path, to: cut) } } catch { throw .unreadable(source.path, .current) }
            let runs = try await pipeline.planFiles(
                request, [recipe], input, urgency, StopToken(), rowCounters: [RowCounter()])
            return try await pipeline.makeFiles(runs, urgency) { _, image throws(TexelError) in
                try image.get().bytes
            }[0]
        }
    }

    private var recipes: [Recipe] {
        var recompressing = Recipe()
        recompressing.output.compresses = true
        var toPNG = Recipe()
        (toPNG.output.format, toPNG.output.effort) = (.png, .fast)
        return [Recipe().resizing(width: 300), recompressing, toPNG]
    }

    @Test(arguments: Kind.allCases) func mappedAndReadImagesAreTheSame(kind: Kind) async throws {
        let path = try imageFile(kind)
        for recipe in recipes {
            let read = try await result(of: FileSource(path), recipe)
            #expect(try await result(of: FileSource(path, isMapped: true), recipe) == read)
        }
    }

    @Test(arguments: Kind.allCases) func filesCutWhileReadMakeNoImage(kind: Kind) async throws {
        for recipe in recipes {
            for cut: Int64 in [0, 5000, 200_000] {
                let path = try imageFile(kind)
                await #expect(throws: TexelError.shortened(path)) {
                    try await result(of: FileSource(path, isMapped: true), recipe, cut: cut)
                }
            }
        }
    }

    // MARK: Other signals

    /// A fault of another mapping still ends the process.
    @Test func otherFaultsArePassedOn() async {
        await #expect(processExitsWith: .signal(SIGBUS)) {
            let directory = try TemporaryDirectory()
            let path = FilePath(try directory.add("cut", [UInt8](repeating: 1, count: 100_000)))
            let file = try MappedFileTests.map(path)
            let descriptor = try FileDescriptor.open(path, .readOnly)
            let sealed = try #require(MappedFile(descriptor, byteCount: 100_000, path: nil))
            try MappedFileTests.cut(path, to: 0)
            precondition(file.base.load(fromByteOffset: 50_000, as: UInt8.self) == 0)
            precondition(sealed.base.load(fromByteOffset: 50_000, as: UInt8.self) == 0)
        }
    }
}
