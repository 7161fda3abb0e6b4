import Foundation
import SystemPackage
import Texel
import TexelFrames

@testable import TexelBatch
@testable import TexelCLI
@testable import TexelPipeline

extension FuzzTarget {
    /// The command line; each line of the input is an argument.
    static let flags = FuzzTarget("flags", maximumLength: 400) { bytes in
        let arguments = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }.filter { !$0.contains("\0") }
        for argument in arguments { readValues(argument) }
        if let answer = HelpRequest.answer(to: arguments) {
            return expect(!answer.text.isEmpty, "help says something")
        }
        do throws(ArgumentFault) {
            let command = try CompressCommand.parsed(Array(arguments.dropFirst()))
            let recipes = RecipeCommand.compress.recipes(
                RecipeOptions(command.encoding, command.size, command.turning, command.changes, command.running.work),
                CompositionImages())
            expect(recipes.count == max(1, command.size.width?.pixels.count ?? 1), "each width has a recipe")
        } catch {
            expect(error.text(for: CompressCommand.self).hasPrefix("Error: "), "a refusal says something")
        }
    }

    /// Recipe files, and the options they contain.
    static let recipe = FuzzTarget("recipe", maximumLength: 1 << 12) { bytes in
        guard let text = String(validating: bytes, as: UTF8.self),
            let document = try? TOMLDocument(text)
        else { return }
        let written = document.text
        guard let copy = try? TOMLDocument(written) else { return expect(false, "what is written can be read") }
        expect(copy.sortedEntries == document.sortedEntries, "a document is what it was")
        expect(Set(copy.tables.keys) == Set(document.tables.keys), "tables are what they were")
        guard let file = MemoryFile.file(bytes), let recipe = try? RecipeFile(path: file.path) else { return }
        let defaults = RecipeOptions(WorkOptions())
        for command in RecipeCommand.allCases {
            guard let settings = try? recipe.settings(for: command) else { continue }
            var options = defaults
            options.complete(with: settings)
            expect(
                Set(RecipeOptions.options.filter { $0.isSet(options) }.map(\.name)).isSubset(
                    of: settings.map(\.option.name))
                    || document.entries.contains { $0.value == .boolean(false) },
                "only what the file sets is set")
            do throws(OptionError) { try options.check() } catch {
                // Ranges have been checked with the file's lines; what is left is a relation of its options.
                expect(!error.text(in: .commandLine).isEmpty, "a refusal says something")
            }
        }
    }

    /// Lines of JSON for a worker.
    static let job = FuzzTarget("job", maximumLength: 1 << 12) { bytes, choices in
        let defaults = JobOptions(WorkOptions())
        var (whole, pieces) = (JobLineSplitter(), JobLineSplitter())
        let lines = whole.add(bytes) + [whole.finish()].compactMap { $0 }
        let size = 1 + choices.index(below: 64)
        let cut =
            stride(from: 0, to: bytes.count, by: size)
            .flatMap { pieces.add(bytes[$0..<min($0 + size, bytes.count)]) } + [pieces.finish()].compactMap { $0 }
        expect(cut.map(\.bytes) == lines.map(\.bytes), "pieces make the same lines")
        expect(cut.map(\.number) == lines.map(\.number), "pieces make the same numbers")
        for line in lines.prefix(8) {
            let job = Job(line, defaults: defaults)
            guard case .failure(let fault) = job.options else { continue }
            expect(!fault.message.isEmpty, "a fault says something")
            let result = JobResult(
                id: job.id, line: line.number, status: .usage,
                content: .fault(fault, subjects: ["input": job.input ?? ""]))
            let object = try? JSONSerialization.jsonObject(with: Data(result.text.utf8)) as? [String: Any]
            expect(object?["line"] as? Int == line.number, "a result is JSON")
            expect(result.text.utf8.count { $0 == UInt8(ascii: "\n") } == 1, "a result is one line")
        }
    }
}

/// Parses the text as the value of every kind of flag.
private func readValues(_ text: String) {
    switch CropArgument(argument: text) {
    case .rectangle(let crop):
        expect(crop.size.isPositive && crop.x >= 0 && crop.y >= 0, "a crop holds pixels")
        let copy = CropArgument(argument: "\(crop.width)x\(crop.height)+\(crop.x)+\(crop.y)")
        if case .rectangle(crop) = copy {} else { expect(false, "a crop is what it was") }
    case .size(let size): expect(size.isPositive, "a crop holds pixels")
    case nil: break
    }
    if let edges = EdgesArgument(argument: text) {
        expect([edges.top, edges.right, edges.bottom, edges.left].allSatisfy { $0 >= 0 }, "edges are not negative")
    }
    // A table of colours would be read from a file.
    for option in ToneOptions.options where option.name != "lut" { _ = try? option.setting(.word(text)) }
    for option in FilterOptions.options { _ = try? option.setting(.word(text)) }
    _ = (
        OffsetArgument(argument: text), BorderArgument(argument: text), RoundArgument(argument: text),
        ShadowArgument(argument: text), ExtendFillArgument(argument: text), TextOutlineArgument(argument: text)
    )
    if let widths = WidthsArgument(argument: text)?.pixels {
        let copy = WidthsArgument(argument: widths.map { "\($0)" }.joined(separator: ","))
        expect(!widths.isEmpty && copy?.pixels == widths, "widths are what they were")
    }
    if let scale = ScaleArgument(argument: text) {
        expect(scale.numerator > 0 && scale.denominator > 0, "a scale is positive")
    }
    if let count = ByteCountArgument(argument: text) {
        expect(count.bytes > 0, "a number of bytes is positive")
        expect(ByteCountArgument(argument: count.description)?.bytes == count.bytes, "a number of bytes stays")
    }
    if let duration = DurationArgument(argument: text)?.duration { expect(duration >= .zero, "time goes forward") }
    if let moment = MomentArgument(argument: text)?.time { expect(moment >= .zero, "a moment comes after the first") }
    if let size = SizeArgument(argument: text)?.size { expect(size.isPositive, "a size holds pixels") }
    if let rate = RateArgument(argument: text)?.rate {
        expect(rate.frames > 0 && rate.seconds > 0 && rate.interval >= .zero, "a rate is positive")
        _ = rate.time(ofFrame: 1 << 20)
    }
    if let names = NumberedPath(text) { _ = names.path(7) }
    if let color = PixelColor(argument: text) {
        let digits = [color.red, color.green, color.blue, color.alpha]
            .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        expect(PixelColor(argument: "#" + digits) == color, "a colour is what it was")
    }
    _ = Shard(argument: text)
    _ = try? OutputArgument.store(text, isForSeveralInputs: true)
    _ = TerminalText.shortened(text, to: 10)
    let isPrintable = Console.printable(text).unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    expect(isPrintable, "what is printed has no control characters")
}

extension TOMLDocument {
    /// All entries, independent of their order.
    fileprivate var sortedEntries: [String] { entries.map { "\($0.table).\($0.key) = \($0.value)" }.sorted() }

    /// The document serialised again.
    fileprivate var text: String {
        func quoted(_ text: String) -> String {
            "\""
                + text.unicodeScalars.map { scalar in
                    let digits = String(scalar.value, radix: 16)
                    return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
                }.joined() + "\""
        }
        func value(_ value: OptionValue) -> String {
            switch value {
            case .word(let text), .text(let text): quoted(text)
            case .integer(let number): "\(number)"
            case .number(let number): "\(number)"
            case .boolean(let isSet): "\(isSet)"
            case .integers(let numbers): "[" + numbers.map { "\($0)" }.joined(separator: ", ") + "]"
            case .other: ""
            }
        }
        var lines = entries.filter { $0.table == "" && tables[""] == nil }
            .map { "\(quoted($0.key)) = \(value($0.value))" }
        for table in tables.keys.sorted() {
            lines.append("[\(quoted(table))]")
            lines += entries.filter { $0.table == table }.map { "\(quoted($0.key)) = \(value($0.value))" }
        }
        return lines.joined(separator: "\n")
    }
}
