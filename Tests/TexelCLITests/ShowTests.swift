import Foundation
import PlatformLibc
import TestSupport
import Testing
import Texel

/// `texel show`: the bytes sent to a terminal, decoded again, and the queries.
@Suite struct ShowTests {
    private let workspace: Workspace
    /// Overrides what the environment of the tests says about a terminal.
    private let plain = ["TERM": "xterm-256color", "COLORTERM": "truecolor", "TMUX": ""]

    init() throws { workspace = try Workspace() }

    private func output(_ arguments: String...) throws -> [UInt8] {
        let outcome = try workspace.run(["show"] + arguments, environment: plain)
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
        return outcome.output
    }

    private func addFourPixels() throws {
        let image = try PixelBuffer(
            width: 2, height: 2, pixels: [0xFFFF_0000, 0xFF00_00FF, 0xFF00_FF00, 0xFFFF_FFFF], alphaMode: .opaque)
        try workspace.add("four.png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
    }

    private func rows(_ image: PixelBuffer) -> [[UInt32]] {
        let pixels = image.pixels
        return (0..<image.height).map { Array(pixels[($0 * image.width)..<(($0 + 1) * image.width)]) }
    }

    // MARK: Bytes

    @Test func bytesOfBlocks() throws {
        try addFourPixels()
        let expected =
            "\u{1B}[38;2;255;0;0m\u{1B}[48;2;0;255;0m▀\u{1B}[38;2;0;0;255m\u{1B}[48;2;255;255;255m▀\u{1B}[0m\n"
        #expect(try output("four.png") == Array(expected.utf8))
        let outcome = try workspace.texel(
            "show", "four.png", environment: ["COLORTERM": "", "TERM": "xterm-256color"])
        #expect(outcome.text == "\u{1B}[38;5;196m\u{1B}[48;5;46m▀\u{1B}[38;5;21m\u{1B}[48;5;231m▀\u{1B}[0m\n")
    }

    @Test func bytesOfSixels() throws {
        try addFourPixels()
        let expected =
            "\u{1B}P0;1q\"1;1;2;2#0;2;0;0;100#1;2;0;100;0#2;2;100;0;0#3;2;100;100;100"
            + "#0?@$#1A$#2@$#3?A\u{1B}\\\n"
        #expect(try output("four.png", "--protocol", "sixel") == Array(expected.utf8))
    }

    @Test func bytesOfKitty() throws {
        try addFourPixels()
        let (keys, file) = try TerminalImage.kitty(output("four.png", "--protocol", "kitty"))
        #expect(keys == "a=T,f=100,q=2,m=0")
        #expect(try rows(decoded(file).image) == [[0xFFFF_0000, 0xFF00_00FF], [0xFF00_FF00, 0xFFFF_FFFF]])
    }

    // MARK: Images

    @Test(arguments: [(1, 1), (7, 5), (64, 33), (13, 12)])
    func everyPixelOfOddSizesIsRestored(width: Int, height: Int) throws {
        let image = try PixelBuffer.noise(PixelSize(width: width, height: height), alphaMode: .opaque)
        try workspace.add("a.png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
        #expect(try TerminalImage.blocks(output("a.png")) == rows(image))
        let (_, file) = try TerminalImage.kitty(output("a.png", "--protocol", "kitty"))
        #expect(try rows(decoded(file).image) == rows(image))
    }

    /// With few enough colours, all are restored except for rounding to a hundred levels.
    @Test func sixelsOfFewColors() throws {
        let size = PixelSize(width: 61, height: 47)
        let palette = (0..<200).map { 0xFF00_0000 | UInt32($0) &* 0x01_9E37 & 0xFF_FFFF }
        let pixels = (0..<(size.width * size.height)).map { palette[$0 * $0 % 200] }
        let image = try PixelBuffer(width: size.width, height: size.height, pixels: pixels, alphaMode: .opaque)
        try workspace.add("a.png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
        let shown = try TerminalImage.sixels(output("a.png", "--protocol", "sixel"))
        #expect(largestDifference(shown, rows(image)) <= 2)
    }

    /// With too many colours, the average difference is small.
    @Test func sixelsOfManyColors() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 200, height: 150))
        try workspace.add("a.png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
        let shown = try TerminalImage.sixels(output("a.png", "--protocol", "sixel"))
        for shift in [0, 8, 16] as [UInt32] {
            func mean(_ colors: [UInt32?]) -> Double {
                colors.reduce(0) { $0 + Double(($1 ?? 0) >> shift & 255) } / Double(colors.count)
            }
            #expect(abs(mean(shown.flatMap { $0 }) - mean(image.pixels)) < 1.5)
        }
        #expect(largestDifference(shown, rows(image)) < 64)
    }

    private func largestDifference(_ shown: [[UInt32?]], _ expected: [[UInt32]]) -> Int {
        guard shown.map(\.count) == expected.map(\.count) else { return .max }
        return zip(shown.joined(), expected.joined()).map { shown, expected in
            guard let shown else { return .max }
            return [0, 8, 16].map { abs(Int(shown >> $0 & 255) - Int(expected >> $0 & 255)) }.max() ?? 0
        }.max() ?? 0
    }

    @Test func transparencyShowsSquaresOrTheBackground() throws {
        let image = try PixelBuffer(
            width: 16, height: 2, pixels: Array(repeating: 0x0012_3456, count: 32), alphaMode: .straight)
        try workspace.add("a.png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
        let squares = try TerminalImage.blocks(output("a.png"))
        #expect(Set(squares.joined()) == [0xFF66_6666, 0xFF99_9999])
        let red = try TerminalImage.blocks(output("a.png", "--background", "red"))
        #expect(Set(red.joined()) == [0xFFFF_0000])
    }

    @Test func imagesFitTheTerminal() throws {
        try workspace.add("wide.png", try Sample.png(PixelSize(width: 300, height: 150)))
        func size(_ arguments: String...) throws -> [Int] {
            let rows = try TerminalImage.blocks(
                workspace.run(["show", "wide.png"] + arguments, environment: plain).output)
            return [rows.first?.count ?? 0, rows.count]
        }
        #expect(try size() == [80, 40])
        #expect(try size("--columns", "30") == [30, 15])
        #expect(try size("--rows", "5") == [20, 10])
        let sixels = try TerminalImage.sixels(output("wide.png", "--protocol", "sixel", "--columns", "12"))
        // Ten pixels per character if the size is unknown.
        #expect(sixels.count == 60 && sixels.first?.count == 120)
    }

    @Test func severalAndFaults() throws {
        try addFourPixels()
        try workspace.add("bad.png", "no picture".utf8)
        let outcome = try workspace.run(["show", "four.png", "bad.png", "none.png"], environment: plain)
        #expect(outcome.status == 1 && outcome.text.hasPrefix("four.png\n\u{1B}[38;2;"))
        #expect(outcome.errors.contains("texel: bad.png: ") && outcome.errors.contains("texel: none.png: "))
        try workspace.expectFailure("show", "bad.png", status: 65, naming: "bad.png", saying: "not a PNG")
        try workspace.expectUsageError("show", "four.png", "--columns", "0", saying: "--columns 0")
        try workspace.expectUsageError("show", "four.png", "--protocol", "ascii", saying: "--protocol")
    }

    // MARK: Terminals

    private static let attributes = "\u{1B}[?62;22c"
    private static let withSixel = "\u{1B}[?62;4;22c"
    private static let withKitty = "\u{1B}_Gi=31;OK\u{1B}\\"

    private static let terminals: [(answer: String, drawing: String)] = [
        (withKitty + "\u{1B}[6;20;10t" + withSixel, "\u{1B}_Ga=T"),
        (withSixel, "\u{1B}P0;1q"),
        (attributes, "▀"),
        ("typed" + withKitty + "\u{1B}[A" + attributes, "\u{1B}_Ga=T"),
        ("\u{1B}_Gi=31;ENOTSUP:no\u{1B}\\" + withSixel, "\u{1B}P0;1q"),
        ("nothing of use", "▀"),
    ]

    @Test(arguments: terminals)
    func whatTheTerminalCan(answer: String, drawing: String) throws {
        try addFourPixels()
        let outcome = try PseudoTerminal.run(["show", "four.png"], in: workspace, answer: answer)
        #expect(outcome.status == 0 && outcome.isRestored)
        let drawings = ["\u{1B}_Ga=T", "\u{1B}P0;1q", "▀"].filter { outcome.text.contains($0) }
        #expect(drawings == [drawing])
        // The terminal's answers were not echoed.
        #expect(!outcome.text.contains("^["))
    }

    /// A terminal that does not answer gets half blocks.
    @Test func silentTerminalsGetHalfBlocks() throws {
        try addFourPixels()
        let outcome = try PseudoTerminal.run(["show", "four.png"], in: workspace)
        #expect(outcome.status == 0 && outcome.isRestored && outcome.text.contains("▀"))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func signalsWhileItWaits(signal: Int32) throws {
        try addFourPixels()
        let outcome = try PseudoTerminal.run(["show", "four.png"], in: workspace, signal: signal)
        #expect(outcome.status == 130 && outcome.isRestored && !outcome.text.contains("▀"))
    }

    /// tmux would interpret the kitty query as a title.
    @Test func tmuxGetsNoKittyQuery() throws {
        try addFourPixels()
        let outcome = try PseudoTerminal.run(
            ["show", "four.png"], in: workspace, answer: Self.withSixel, environment: ["TMUX": "/tmp/x,1,0"])
        #expect(!outcome.text.contains("\u{1B}_G") && outcome.text.contains("\u{1B}P0;1q"))
    }

    @Test func sizeOfTheWindow() throws {
        try workspace.add("wide.png", try Sample.png(PixelSize(width: 600, height: 150)))
        func width(pixels: (UInt16, UInt16), _ answer: String) throws -> Int {
            let outcome = try PseudoTerminal.run(
                ["show", "wide.png"], in: workspace, pixels: pixels, answer: answer + Self.withSixel)
            let text = try #require(outcome.text.range(of: "\u{1B}P0;1q\"1;1;"))
            return Int(outcome.text[text.upperBound...].prefix { $0.isNumber }) ?? 0
        }
        // 40 columns: eight pixels each according to the kernel, twelve according to the terminal, ten by default.
        #expect(try width(pixels: (320, 320), "") == 320)
        #expect(try width(pixels: (0, 0), "\u{1B}[6;24;12t") == 480)
        #expect(try width(pixels: (0, 0), "") == 400)
        let blocks = try PseudoTerminal.run(["show", "wide.png"], in: workspace, answer: Self.attributes)
        #expect(blocks.text.split(separator: "\r\n").last?.count { $0 == "▀" } == 40)
    }

    /// A real multiplexer displays the blocks as they were sent.
    @Test(.enabled(if: Program.find("tmux") != nil && Program.find("bash") != nil)) func drawnByTmux() throws {
        let image = try PixelBuffer.noise(PixelSize(width: 20, height: 12), alphaMode: .opaque)
        try workspace.add("a.png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
        let tmux = Program.find("tmux")
        let common = ["-S", workspace.directory("socket"), "-f", "/dev/null"]
        let command =
            "cd '\(workspace.directory.path)' && export COLORTERM=truecolor; '\(RunningProgram.texel)' show a.png; "
            + "tmux -S '\(workspace.directory("socket"))' wait-for -S shown; cat"
        // The server stays running: it must not keep the pipes of other tests open, nor inherit ignored signals.
        let closing =
            "for f in /proc/self/fd/*; do n=${f##*/}; [ $n -gt 2 ] && eval \"exec $n>&-\"; done; "
            + "exec env --default-signal \"$@\""
        try Program.run(
            Program.find("bash"),
            ["-c", closing, "bash", "tmux"] + common + ["new-session", "-d", "-x", "60", "-y", "30", command])
        defer { _ = try? Program.run(tmux, common + ["kill-server"]) }
        try Program.run(tmux, common + ["wait-for", "shown"])
        let drawn = try Program.run(tmux, common + ["capture-pane", "-p", "-e"])
        let lines = drawn.split(separator: UInt8(ascii: "\n")).filter { !$0.isEmpty }
        // tmux emits colours and resets differently.
        let text = lines.map { line in
            ["39", "49", "0"].reduce(String(decoding: line, as: UTF8.self)) {
                $0.replacingOccurrences(of: "\u{1B}[\($1)m", with: "")
            }
        }
        #expect(try TerminalImage.blocks(Array(text.joined(separator: "\n").utf8)) == rows(image))
    }

    // MARK: Differences

    @Test func showComparesSideBySide() throws {
        let image = try PixelBuffer.smooth(PixelSize(width: 60, height: 40))
        try workspace.add("a.png", try image.encoded(as: .png(PNGOptions(effort: .fast))))
        try workspace.add("b.jpg", try image.encoded(as: .jpeg(JPEGOptions(quality: 10))))
        let outcome = try workspace.run(
            ["compare", "a.png", "b.jpg", "--show", "--columns", "62"], environment: plain)
        #expect(outcome.status == 0)
        var lines = outcome.lines
        #expect(lines.removeFirst() == "a.png" + String(repeating: " ", count: 16) + "b.jpg                difference")
        #expect(lines.removeLast().hasPrefix("PSNR"))
        let shown = try TerminalImage.blocks(Array(lines.joined(separator: "\n").utf8))
        // Three of 20 × 13, with a column between them.
        #expect(shown.allSatisfy { $0.count == 62 } && shown.count == 13)
        let small = try image.resized(to: PixelSize(width: 20, height: 13))
        #expect(shown.map { Array($0[..<20]) } == rows(small))
        #expect(shown.allSatisfy { $0[20] == 0xFF00_0000 && $0[41] == 0xFF00_0000 })
        try workspace.expectUsageError("compare", "a.png", "b.jpg", "--show", "--json", saying: "--show and --json")
    }
}
