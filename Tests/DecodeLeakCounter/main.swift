// Decodes 10,000 files, sound ones and damaged ones, and tells how many bytes more are allocated afterwards: a codec
// that forgets a few bytes of each file, or of each that it refuses, would take all memory of a server in time. A
// program of its own, because tests that run at the same time allocate too.
//
// Usage: DecodeLeakCounter FOLDER

import CAllocationCount
import Foundation
import TexelCodecs
import TexelCore
import TexelFormats
import TexelPixels

let decodeCount = 10_000
/// Files that take no more than a moment each.
let largest = 12_000

/// The file, and two kinds of damage to it.
func variants(_ bytes: [UInt8]) -> [[UInt8]] {
    var damaged = bytes
    for place in stride(from: 40, to: bytes.count, by: 97) { damaged[place] ^= 0x55 }
    return [bytes, Array(bytes.prefix(bytes.count * 2 / 3)), damaged]
}

/// Whether the file could be decoded.
func decode(_ bytes: [UInt8], _ strictness: Strictness) -> Bool {
    var options = DecodeOptions()
    options.policy.strictness = strictness
    do throws(TexelError) {
        let decoded = try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored(options)
        _ = try? decoded.image.convertedToSRGB()
        return true
    } catch {
        return false
    }
}

let folder = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? "TestImages")
let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    .sorted { $0.path < $1.path }
    .filter { ["jpg", "png"].contains($0.pathExtension) }
    .map { Array(try Data(contentsOf: $0)) }
    .filter { $0.count <= largest }
    .flatMap(variants)

/// - Returns: how many files could be decoded.
func work(_ files: [[UInt8]], _ count: Int) -> Int {
    (0..<count).count { index in
        let strictness = Strictness.allCases[index / files.count % Strictness.allCases.count]
        return decode(files[index % files.count], strictness)
    }
}

// What is made once stays: tables, and the blocks that are kept for the next image.
_ = work(files, files.count * Strictness.allCases.count)
let before = allocated_bytes()
let decoded = work(files, decodeCount)
let growth = allocated_bytes() - before
print("\(decoded) files decoded, \(decodeCount - decoded) refused: \(growth) bytes more are allocated")
if before < 0 {
    print("the bytes cannot be counted on this system")
} else if !(1..<decodeCount).contains(decoded) || growth > decodeCount {
    exit(1)
}
