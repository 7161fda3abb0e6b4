/// `FrameTimer hand-over [COUNT]`: see the subcommand.
@main
struct FrameTimer {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "hand-over" where arguments.count <= 2:
            let count = arguments.count == 2 ? Int(arguments[1]) : 5000
            guard let count, count > 0 else { return usage() }
            try HandOver().run(count: count)
        default: usage()
        }
    }

    private static func usage() { print("usage: FrameTimer hand-over [COUNT]") }
}
