/// Something that reads bytes which somebody else has made.
///
/// A target must neither trap nor hang, whatever it gets, and holds what it read against properties that are true of
/// every input.
struct FuzzTarget: Sendable {
    let name: String
    /// The most bytes that make sense.
    let maximumLength: Int
    let run: @Sendable ([UInt8]) -> Void

    /// A target that looks at all bytes.
    init(_ name: String, maximumLength: Int, _ run: @escaping @Sendable ([UInt8]) -> Void) {
        self.name = name
        self.maximumLength = maximumLength
        self.run = run
    }

    /// A target whose last eight bytes say what is done with those before.
    init(
        _ name: String, maximumLength: Int, choosing run: @escaping @Sendable ([UInt8], inout FuzzChoices) -> Void
    ) {
        self.init(name, maximumLength: maximumLength) { bytes in
            var choices = FuzzChoices(bytes.suffix(FuzzChoices.byteCount))
            run(bytes.dropLast(FuzzChoices.byteCount), &choices)
        }
    }

    static let all: [FuzzTarget] = [
        .probe, .png, .apng, .jpeg, .arriving, .exif, .xmp, .icc, .rewriting, .moving, .processing, .flags, .recipe,
        .job, .y4m, .mjpeg, .nut, .manifest, .cache, .answer,
    ]
}

/// Decisions that the fuzzer takes.
struct FuzzChoices {
    static let byteCount = 8
    private var value: UInt64

    init(_ bytes: some Collection<UInt8>) { value = bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// One of so many.
    mutating func index(below count: Int) -> Int {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: UInt64(max(1, count)))
        value = quotient
        return Int(remainder)
    }

    mutating func isSet() -> Bool { index(below: 2) == 1 }

    mutating func one<Value>(of values: [Value]) -> Value { values[index(below: values.count)] }
}

/// Ends the program where a property does not hold: libFuzzer then keeps the input.
func expect(_ isTrue: @autoclosure () throws -> Bool, _ property: @autoclosure () -> String) {
    do {
        if try isTrue() { return }
        fatalError("property: \(property())")
    } catch {
        fatalError("property: \(property()): \(error)")
    }
}

/// Every error says something, in one line.
func expectSentence(_ error: any Error) {
    let text = "\(error)"
    expect(!text.isEmpty && !text.contains("\n"), "an error is a sentence")
}
