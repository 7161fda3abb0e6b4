import Foundation
import Texel
import TexelFrames

/// Runs `FrameTimer hand-over [COUNT]` (``HandOver``) or `FrameTimer textures [SECONDS [CLIP]]` (``Textures``).
@main
struct FrameTimer {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        func number(_ standard: Int) -> Int? {
            guard arguments.count > 1 else { return standard }
            return Int(arguments[1]).flatMap { $0 > 0 ? $0 : nil }
        }
        switch arguments.first {
        case "hand-over" where arguments.count <= 2:
            guard let count = number(5000) else { return usage() }
            try HandOver().run(count: count)
        case "textures" where arguments.count <= 3:
            guard let seconds = number(10) else { return usage() }
            let clip = arguments.count == 3 ? FilePath(arguments[2]) : Self.clip
            do throws(TexelError) {
                try Textures(clip: clip).run(seconds: seconds)
            } catch {
                print("\(clip): \(error)")
                exit(1)
            }
        default: usage()
        }
    }

    /// One second of 1080p, made by `make frame-times`.
    private static let clip = FilePath(#filePath).removingLastComponent().appending("../../.cache/clips/1080p-60.y4m")

    private static func usage() {
        print("usage: FrameTimer hand-over [COUNT]\n       FrameTimer textures [SECONDS [CLIP.y4m]]")
    }
}
