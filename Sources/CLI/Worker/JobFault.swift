/// The reason why a job was refused or failed, as its result says it.
struct JobFault: Error {
    let message: String

    init(_ message: String) { self.message = message }

    init(_ error: OptionError) { message = error.text(in: .job) }
}
