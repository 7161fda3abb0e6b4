import Foundation
import SystemPackage
import TestSupport
import Testing
import TexelCodecs
import TexelCore
import TexelPNG
import TexelPixels

@testable import TexelPipeline

/// Files and folders that change, vanish or block: each request ends, and others are not affected.
@Suite(.timeLimit(.minutes(30))) struct FileFaultTests {
    private let bytes: [UInt8]

    init() throws {
        bytes = try PixelBuffer.smooth(PixelSize(width: 160, height: 120)).encoded(as: .png(PNGOptions(effort: .fast)))
    }

    /// A pipe without a writer delays no other request, and reading it ends when it is cancelled.
    @Test func aPipeThatNobodyWritesInto() async throws {
        let folder = try TemporaryDirectory()
        let pipeline = ImagePipeline.remembersNothing()
        let file = FilePath(try folder.add("a.png", bytes))
        let pipes = try (0..<5).map { index in
            let path = folder("pipe\(index)")
            try #require(mkfifo(path, 0o600) == 0)
            return FilePath(path)
        }
        let tasks = pipes.map { pipeline.imageTask(for: ImageRequest($0)) }
        #expect(try await pipeline.image(for: ImageRequest(file)).width == 160)
        for task in tasks.dropFirst() { task.cancel() }
        for task in tasks.dropFirst() {
            await #expect(throws: TexelError.stopped(.cancelled)) { try await task.value }
        }
        // One pipe gets a writer.
        var writer: FileDescriptor?
        while writer == nil {
            writer = try? FileDescriptor.open(pipes[0], .writeOnly, options: [.closeOnExec, .nonBlocking])
            await Task.yield()
        }
        try writer?.writeAll(bytes)
        try writer?.close()
        #expect(try await tasks[0].value.width == 160)
        await until { pipeline.isIdle }
    }

    @Test func filesThatChangeOrVanish() async throws {
        let folder = try TemporaryDirectory()
        let pipeline = ImagePipeline.remembersNothing { $0.memoryCacheLimit = 1 << 20 }
        let file = FilePath(try folder.add("a.png", bytes))
        #expect(try await pipeline.image(for: ImageRequest(file)).width == 160)
        let other = try PixelBuffer.smooth(PixelSize(width: 7, height: 9)).encoded(as: .png(PNGOptions(effort: .fast)))
        try folder.add("a.png", other)
        #expect(try await pipeline.image(for: ImageRequest(file)).width == 7)
        // The file changes between opening and reading: nothing is cached under its old version.
        let large = try PixelBuffer.noise(PixelSize(width: 200, height: 200), alphaMode: .opaque)
        try folder.add("a.png", try large.encoded(as: .png(PNGOptions(effort: .fast))))
        let opened = try await FileSource(file).open(limits: Limits())
        try folder.add("a.png", bytes)
        guard case .read(let read) = opened.content else { throw TexelError.stopped(.cancelled) }
        let (found, version) = try read()
        #expect(Array(found) == bytes && opened.version != nil && version == nil)
        try FileManager.default.removeItem(atPath: file.string)
        await #expect(throws: TexelError.missingFile(file)) { try await pipeline.image(for: ImageRequest(file)) }
        await until { pipeline.isIdle }
    }

    /// Results are delivered even if the disk cache fails, and the error is reported.
    @Test func aCacheThatCannotBeWritten() async throws {
        let folder = try TemporaryDirectory()
        try folder.add("file", [1])
        let told = Counter()
        let pipeline = ImagePipeline.remembersNothing {
            $0.diskCache = DiskCache(directory: FilePath(folder("file/cache")), sizeLimit: 1 << 20)
            $0.onDiskCacheError = { _ in told.add() }
        }
        for index in 0..<5 {
            #expect(
                try await pipeline.image(for: ImageRequest(CountedSource(name: "\(index)", bytes: bytes))).width == 160)
        }
        #expect(told.value == 5)
    }

    @Test func aCacheFolderThatIsDeletedMeanwhile() async throws {
        let folder = try TemporaryDirectory()
        let pipeline = ImagePipeline.remembersNothing {
            $0.diskCache = DiskCache(directory: FilePath(folder("cache")), sizeLimit: 8 << 20)
        }
        let isOver = Counter()
        let deleting = Task.detached {
            while isOver.value == 0 {
                try? FileManager.default.removeItem(atPath: folder("cache"))
                await Task.yield()
            }
        }
        let tasks = (0..<100).map {
            pipeline.encodedImageTask(
                for: ImageRequest(
                    CountedSource(name: "\($0 % 10)", bytes: bytes), recipe: Recipe().resizing(width: 10 + $0 % 30)))
        }
        for (index, task) in tasks.enumerated() { #expect(try await task.value.size.width == 10 + index % 30) }
        isOver.add()
        await deleting.value
    }
}
