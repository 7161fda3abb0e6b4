import Texel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A job parsed from one line of a worker's input.
struct Job: Sendable {
    /// Copied to the result.
    var id: JobIdentifier?
    /// The job's input as named, for the result; also set if the job was refused.
    var input: String?
    /// The options of the job, or the fault for which it was refused.
    var options: Result<JobOptions, JobFault>

    /// - Parameter defaults: the options of fields that are missing.
    init(_ line: JobLine, defaults: JobOptions) {
        if line.isTooLong {
            self.init(refused: "the line is longer than \(JobLine.maximumLength >> 20) MiB")
            return
        }
        // The JSON decoder would guess another encoding, or ignore NUL bytes.
        guard String(validating: line.bytes, as: UTF8.self) != nil, !line.bytes.contains(0) else {
            self.init(refused: "the line is not UTF-8")
            return
        }
        do {
            self = try JSONDecoder().decode(Job.self, from: Data(line.bytes), configuration: defaults)
        } catch DecodingError.typeMismatch {
            self.init(refused: "the line is not a JSON object")
        } catch {
            self.init(refused: "the line is not JSON")
        }
    }

    private init(refused message: String) { options = .failure(JobFault(message)) }
}

/// The sender's identifier of a job: a string or an integer.
enum JobIdentifier: Sendable, Codable {
    case text(String)
    case number(Int)

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self = .text(text)
        } else {
            self = .number(try value.decode(Int.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .text(let text): try value.encode(text)
        case .number(let number): try value.encode(number)
        }
    }
}

extension Job: DecodableWithConfiguration {
    init(from decoder: any Decoder, configuration defaults: JobOptions) throws {
        let object = try decoder.container(keyedBy: FieldName.self)
        id = try? object.decode(JobIdentifier.self, forKey: FieldName("id"))
        input = try? object.decode(String.self, forKey: FieldName("input"))
        do throws(JobFault) {
            options = .success(try Self.options(object, defaults, hasIdentifier: id != nil))
        } catch {
            options = .failure(error)
        }
    }

    private static func options(
        _ object: KeyedDecodingContainer<FieldName>, _ defaults: JobOptions, hasIdentifier: Bool
    ) throws(JobFault) -> JobOptions {
        // Null fields count as missing, because many programs write them for missing values.
        let names = object.allKeys.filter { (try? object.decodeNil(forKey: $0)) != true }.map(\.stringValue).sorted()
        var options = defaults
        if names.contains("id"), !hasIdentifier { throw JobFault("id is not a string or an integer") }
        do throws(OptionError) {
            if names.contains("command") {
                try JobCommand.choice.setting(value("command", in: object)).apply(to: &options)
            }
            let fields = options.command.fields
            for name in names where name != "id" && name != "command" {
                guard let field = fields[name] else {
                    throw OptionError("unknown field \(name.prefix(40)) for \(options.command.rawValue)")
                }
                try field.setting(value(name, in: object)).apply(to: &options)
            }
            try Option.checkProperties(of: fields.named(names))
            try options.check()
        } catch {
            throw JobFault(error)
        }
        return options
    }

    private static func value(_ name: String, in object: KeyedDecodingContainer<FieldName>) -> OptionValue {
        (try? object.decode(OptionValue.self, forKey: FieldName(name))) ?? .other
    }
}

extension JobOptions {
    /// Runs the checks that the commands make before they start.
    fileprivate mutating func check() throws(OptionError) {
        switch command {
        case .compare:
            try require(original, "original")
            try require(candidate, "candidate")
        case .info, .compress, .resize, .rotate:
            files.inputs = [try require(input, "input")]
        }
        // Standard input and output are the worker's own.
        if let output = files.output, files.isStandardOutput {
            throw OptionError(
                """
                \(option: "output") cannot be \(output), because results go to standard output; name a file or a folder
                """)
        }
        if recipe.size.hasSeveralWidths {
            throw OptionError("\(option: "width") is not an integer; a job has one result")
        }
        try command.recipe?.check(files, recipe, given: recipe.given)
        if let heatmap { try ComparisonRun.check(heatmap: heatmap) }
    }

    @discardableResult
    private func require(_ path: String?, _ name: OptionName) throws(OptionError) -> String {
        guard let path else { throw OptionError("the field \(option: name) is missing") }
        if path.isEmpty { throw OptionError("\(option: name) is empty") }
        if path == "-" {
            throw OptionError(
                "\(option: name) cannot be -, because jobs come from standard input; name a file")
        }
        return path
    }
}
