/// A fuzz target: code that reads untrusted bytes.
///
/// A target must neither trap nor hang on any input. It checks what it read against properties that hold for every
/// input.
struct FuzzTarget: Sendable {
    let name: String
    /// The largest useful input in bytes.
    let maximumLength: Int
    let run: @Sendable ([UInt8]) -> Void

    /// Creates a target that passes on all bytes.
    init(_ name: String, maximumLength: Int, _ run: @escaping @Sendable ([UInt8]) -> Void) {
        self.name = name
        self.maximumLength = maximumLength
        self.run = run
    }

    /// Creates a target that uses the last eight bytes to choose options, and passes on the rest.
    init(
        _ name: String, maximumLength: Int, choosing run: @escaping @Sendable ([UInt8], inout FuzzChoices) -> Void
    ) {
        self.init(name, maximumLength: maximumLength) { bytes in
            var choices = FuzzChoices(bytes.suffix(FuzzChoices.byteCount))
            run(bytes.dropLast(FuzzChoices.byteCount), &choices)
        }
    }

    static let all: [FuzzTarget] = [
        .probe, .png, .apng, .jpeg, .jpegScan, .gif, .pnm, .bmp, .qoi, .webp, .avif, .heic, .boxes, .jxl, .tiff,
        .arriving, .exif, .xmp, .icc, .rewriting, .moving, .processing, .flags, .recipe, .job, .y4m, .mjpeg, .video,
        .manifest, .cache, .answer,
    ]
}

/// Options chosen by the fuzzer's input.
struct FuzzChoices {
    static let byteCount = 8
    private var value: UInt64

    init(_ bytes: some Collection<UInt8>) { value = bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// A number below `count`.
    mutating func index(below count: Int) -> Int {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: UInt64(max(1, count)))
        value = quotient
        return Int(remainder)
    }

    mutating func isSet() -> Bool { index(below: 2) == 1 }

    mutating func one<Value>(of values: [Value]) -> Value { values[index(below: values.count)] }
}

/// Ends the process if a property does not hold, so that libFuzzer saves the input.
func expect(_ isTrue: @autoclosure () throws -> Bool, _ property: @autoclosure () -> String) {
    do {
        if try isTrue() { return }
        fatalError("property: \(property())")
    } catch {
        fatalError("property: \(property()): \(error)")
    }
}

/// Checks that an error's description is a single non-empty line.
func expectSentence(_ error: any Error) {
    let text = "\(error)"
    expect(!text.isEmpty && !text.contains("\n"), "an error is a sentence")
}
