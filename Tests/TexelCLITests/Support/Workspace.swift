import Foundation
import TestSupport
import Testing
import Texel

/// A new directory in which `texel` runs.
struct Workspace {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Runs the program in the directory and waits for its end.
    @discardableResult
    func texel(
        _ arguments: String..., input: [UInt8] = [], environment: [String: String] = [:]
    ) throws -> RunningProgram.Outcome {
        try run(arguments, input: input, environment: environment)
    }

    func run(
        _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
    ) throws -> RunningProgram.Outcome {
        try RunningProgram(arguments, in: directory.path, input: input, environment: environment).wait()
    }

    func add(_ name: String, _ bytes: some Sequence<UInt8>) throws { try directory.add(name, bytes) }
    func bytes(_ name: String) throws -> [UInt8] { try directory.bytes(name) }
    func files() throws -> [String] { try directory.files() }

    /// The decoded pixels of a file, as stored; fails on any damage.
    func image(_ name: String) throws -> PixelBuffer { try decoded(try bytes(name)).image }

    func info(_ name: String) throws -> ImageInfo { try CodecRegistry.shared.open(InputBytes(try bytes(name))).info }

    /// The output of `texel info --json` for a file.
    func report(_ name: String) throws -> InfoObject {
        let outcome = try texel("info", "--json", name)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(InfoObject.self, from: Data(outcome.output))
    }

    /// Runs a call that must fail with this status and one line on standard error that names the file, without output
    /// and without changing any file.
    func expectFailure(
        _ arguments: String..., status: Int32, naming name: String, saying words: String, input: [UInt8] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try directory.contents()
        let outcome = try run(arguments, input: input)
        #expect(outcome.status == status, "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.text == "", sourceLocation: sourceLocation)
        #expect(outcome.errorLines.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.errors.hasPrefix("texel: \(name): "), "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.errors.contains(words), "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(try directory.contents() == before, sourceLocation: sourceLocation)
    }

    /// Runs a call that the argument parser must refuse.
    func expectUsageError(
        _ arguments: String..., saying words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try directory.contents()
        let outcome = try run(arguments)
        #expect(outcome.status == 64, "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.text == "", sourceLocation: sourceLocation)
        #expect(outcome.errorLines.first?.hasPrefix("Error: ") ?? false, sourceLocation: sourceLocation)
        #expect(outcome.errors.contains(words), "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(try directory.contents() == before, sourceLocation: sourceLocation)
    }
}

/// The keys of `texel info --json` that tests use.
struct InfoObject: Decodable {
    struct Density: Decodable {
        var x: Double
        var y: Double
        var unit: String
    }

    struct Exif: Decodable {
        var make: String?
        var date: String?
        var hasGPS: Bool
    }

    struct Animation: Decodable {
        var durationSeconds: Double
        var delaysSeconds: [Double]
        var plays: Int
    }

    var input: String
    var inputBytes: Int
    var format: String
    var width: Int
    var height: Int
    var displayWidth: Int
    var displayHeight: Int
    var orientation: Int
    var colorModel: String
    var bitDepth: Int
    var hasAlpha: Bool
    var progressive: Bool
    var subsampling: String?
    var frames: Int
    var animation: Animation?
    var colorSpace: String
    var iccBytes: Int?
    var density: Density?
    var exif: Exif?
    var hasXMP: Bool
    var comments: [String]

    var size: String { "\(width)x\(height)" }
}

/// One line of `--json`.
struct ResultObject: Decodable {
    var input: String
    var output: String?
    var inputBytes: Int
    var outputBytes: Int
    var width: Int?
    var height: Int?
    var format: String?
    var route: String?
    var status: String
    var error: String?
    var milliseconds: Double
    var warnings: [String]

    static func all(in outcome: RunningProgram.Outcome) throws -> [ResultObject] {
        try outcome.lines.map { try JSONDecoder().decode(ResultObject.self, from: Data($0.utf8)) }
    }
}

/// One line of `--progress json`.
struct EventObject: Decodable {
    var event: String
    var input: String?
    var done: Int
    var total: Int
    var inputBytes: Int
    var outputBytes: Int
    var status: String?
    var output: String?
    var error: String?
    var written: Int?
    var skipped: Int?
    var failed: Int?
    var cancelled: Int?

    init(_ line: String) throws {
        self = try JSONDecoder().decode(EventObject.self, from: Data(line.utf8))
    }
}

/// Decodes bytes; any damage is an error.
func decoded(_ bytes: [UInt8]) throws -> DecodedImage {
    var options = DecodeOptions()
    options.policy.strictness = .warning
    return try CodecRegistry.shared.open(InputBytes(bytes)).decodedAsStored(options)
}

/// The images that most tests use.
enum Sample {
    static let size = PixelSize(width: 48, height: 32)

    static func jpeg(
        _ size: PixelSize = size, quality: Int = 90, isProgressive: Bool = false,
        metadata: WrittenMetadata = WrittenMetadata()
    ) throws -> [UInt8] {
        let subsampling: ChromaSubsampling = quality < 90 ? .yuv420 : .yuv444
        return try PixelBuffer.smooth(size).encoded(
            as: .jpeg(JPEGOptions(quality: quality, subsampling: subsampling, isProgressive: isProgressive)),
            metadata: metadata)
    }

    static func png(_ size: PixelSize = size, metadata: WrittenMetadata = WrittenMetadata()) throws -> [UInt8] {
        try PixelBuffer.smooth(size).encoded(as: .png(PNGOptions(effort: .fast)), metadata: metadata)
    }

    /// Noise, half of it translucent.
    static func translucentPNG(_ size: PixelSize = size) throws -> [UInt8] {
        try PixelBuffer.noise(size).encoded(as: .png(PNGOptions(effort: .fast)))
    }

    /// An EXIF block with an orientation, a camera, a date and a position.
    static func exif(orientation: UInt16) -> [UInt8] {
        var builder = EXIFBuilder(byteOrder: .littleEndian)
        builder.add(EXIFTag.make, .ascii("Texel Works"), to: \.image)
        builder.add(EXIFTag.orientation, .short([orientation]), to: \.image)
        builder.add(EXIFTag.dateTimeOriginal, .ascii("2024:01:02 03:04:05"), to: \.exif)
        builder.add(EXIFTag.gpsLatitude, .rational([48, 1, 51, 1, 0, 1]), to: \.gps)
        return builder.block()
    }
}
