import TexelCodecs
import TexelCore

/// The images of a file: its directories without reduced copies and masks of other images.
struct TIFFPages: Sendable {
    let input: TIFFInput
    /// The directory of the first page.
    let first: TIFFFileDirectory
    /// Whether the file is known to have no other directories.
    let isAlone: Bool

    /// Finds the first page; waits for its directory only.
    ///
    /// - Throws: `truncated`, `damaged`, `unsupported`, `limitExceeded`, `stopped`.
    init(_ bytes: InputBytes, limits: Limits, stop: StopToken?) throws(TexelError) {
        let input = try TIFFInput(bytes, limits: limits, stop: stop)
        self.input = input
        guard let start = try input.directory(at: input.firstDirectory, stop) else {
            // A directory that is not there was cut off, or the offset is wrong; both leave no row.
            throw .truncated(rowsRead: 0, rows: 0)
        }
        isAlone = start.next == nil && start.hasLink
        var found: TIFFFileDirectory?
        try Self.forEach(from: start, in: input, stop) { directory throws(TexelError) in
            if try Self.isPage(directory, in: input, stop) { found = directory }
            return found == nil
        }
        if start[TIFFTag.dngVersion] != nil || (found == nil && start[TIFFTag.subDirectories] != nil) {
            throw .unsupported("a camera raw image")
        }
        // A file whose only image claims to be reduced has no better one.
        first = found ?? start
    }

    /// Calls `body` with the directories from `start` on, each once, until it returns false.
    private static func forEach(
        from start: TIFFFileDirectory, in input: TIFFInput, _ stop: StopToken?,
        _ body: (TIFFFileDirectory) throws(TexelError) -> Bool
    ) throws(TexelError) {
        var directory: TIFFFileDirectory? = start
        var visited: Set<Int> = []
        while let current = directory, visited.insert(current.offset).inserted {
            guard visited.count <= input.limits.frames else {
                throw .limitExceeded(.frames, value: visited.count, allowed: input.limits.frames)
            }
            guard try body(current) else { return }
            guard let next = current.next else { return }
            directory = try input.directory(at: next, stop)
        }
    }

    /// Whether a directory describes an image of its own: not a reduced copy, nor a mask (TIFF 6.0, NewSubfileType).
    private static func isPage(
        _ directory: TIFFFileDirectory, in input: TIFFInput, _ stop: StopToken?
    ) throws(TexelError) -> Bool {
        if let kind = try input.integer(TIFFTag.newSubfileType, in: directory, stop) { return kind & 0b101 == 0 }
        // The older field: 2 is a reduced copy.
        return try input.integer(TIFFTag.subfileType, in: directory, stop) != 2
    }

    /// Returns the directories of all pages; waits for the whole file. Directories after one that is not inside the
    /// file are not found.
    ///
    /// - Throws: `limitExceeded`, `stopped`.
    func directories(_ stop: StopToken?) throws(TexelError) -> [TIFFFileDirectory] {
        if isAlone { return [first] }
        var result: [TIFFFileDirectory] = []
        try forEachPage(stop) { page in
            result.append(page)
            return true
        }
        return result
    }

    /// Returns the number of pages; waits for the whole file.
    ///
    /// - Throws: `limitExceeded`, `stopped`.
    func count(_ stop: StopToken?) throws(TexelError) -> Int {
        if isAlone { return 1 }
        var count = 0
        try forEachPage(stop) { _ in
            count += 1
            return true
        }
        return count
    }

    /// Returns the directory of page `index`, from 0; waits for the bytes up to it.
    ///
    /// - Throws: `missingPage`, `limitExceeded`, `stopped`.
    func directory(of index: Int, _ stop: StopToken?) throws(TexelError) -> TIFFFileDirectory {
        if index == 0 { return first }
        var (count, found) = (0, TIFFFileDirectory?.none)
        try forEachPage(stop) { page in
            if count == index { found = page }
            count += 1
            return found == nil
        }
        guard let found else { throw .missingPage(index, count: count) }
        return found
    }

    private func forEachPage(
        _ stop: StopToken?, _ body: (TIFFFileDirectory) -> Bool
    ) throws(TexelError) {
        try Self.forEach(from: first, in: input, stop) { directory throws(TexelError) in
            // The first page may be one that claims to be reduced.
            if directory.offset != first.offset {
                guard try Self.isPage(directory, in: input, stop) else { return true }
            }
            return body(directory)
        }
    }
}
