import Texel

/// The result of one line of a worker's input: the object that `--json` prints, and which job it belongs to.
struct JobResult: Encodable, Sendable {
    enum Content: Sendable {
        case image(FileResult)
        case information(InfoReport)
        case unreadable(InfoFailure)
        case comparison(ComparisonReport)
        /// The error of a job without a report, and the inputs that it named.
        case fault(JobFault, subjects: [String: String])
    }

    let id: JobIdentifier?
    let line: Int
    let status: ExitStatus
    let content: Content

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: FieldName.self)
        if let id { try object.encode(id, forKey: FieldName("id")) }
        try object.encode(line, forKey: FieldName("line"))
        try object.encode(status.rawValue, forKey: FieldName("code"))
        switch content {
        case .image(let result): try JSONReport(result).encode(to: encoder)
        case .information(let report): try report.encode(to: encoder)
        case .unreadable(let failure): try failure.encode(to: encoder)
        case .comparison(let report):
            try report.encode(to: encoder)
            try object.encode("done", forKey: FieldName("status"))
        case .fault(let fault, let subjects):
            for (name, value) in subjects { try object.encode(value, forKey: FieldName(name)) }
            try object.encode("failed", forKey: FieldName("status"))
            try object.encode(fault.message, forKey: FieldName("error"))
        }
    }

    /// The result as a line of JSON, with the newline.
    var text: String { JSONLine.text(of: self) + "\n" }
}
