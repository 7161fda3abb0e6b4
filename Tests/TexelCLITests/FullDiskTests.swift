#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Texel

    /// A disk that becomes full in the middle of a batch: a real file system, small, which only this test sees.
    @Suite struct FullDiskTests {
        /// Whether this user may mount a private file system.
        private static let mayMount: Bool = {
            let directory = try? TemporaryDirectory()
            let command = "mount -t tmpfs -o size=64k none \"$1\""
            return (try? inNamespace(command, directory?.path ?? "/nowhere")) != nil
        }()

        private static func inNamespace(_ script: String, _ arguments: String...) throws -> String {
            let unshare = ["--map-root-user", "--mount", "sh", "-c", script, "sh"]
            return String(decoding: try Program.run(Program.find("unshare"), unshare + arguments), as: UTF8.self)
        }

        @Test(.enabled(if: mayMount)) func aBatchGoesOnWhenThereIsRoom() throws {
            let workspace = try Workspace()
            let image = try PixelBuffer.noise(PixelSize(width: 64, height: 48), alphaMode: .opaque)
            let bytes = try image.encoded(as: .jpeg(JPEGOptions(quality: 95)))
            for index in 0..<14 { try workspace.add("in/\(100 + index).jpg", bytes) }
            // The disk disappears with the test's mount namespace, so its files are copied out.
            let script = """
                cd "$1" && mkdir out && mount -t tmpfs -o size=32k none out || exit 1
                "$2" compress in -r -q 80 --effort fast -o out --json > first.json 2> first.txt; echo $?
                cp -r out first
                mount -o remount,size=4m out
                "$2" compress in -r -q 80 --effort fast -o out --json --resume > second.json 2> second.txt; echo $?
                cp -r out second
                """
            let codes = try Self.inNamespace(script, workspace.directory.path, RunningProgram.texel)
            #expect(codes == "1\n0\n")

            let first = try results("first.json", workspace)
            let written = first.filter { $0.status == "written" }
            #expect(first.count == 14 && !written.isEmpty && written.count < 14)
            let errors = String(decoding: try workspace.bytes("first.txt"), as: UTF8.self)
            #expect(errors == "", "\(errors)")
            #expect(first.allSatisfy { $0.error?.contains("No space left") ?? ($0.status == "written") })
            // Files are complete or absent; apart from the hidden manifest there are no others.
            let files = try workspace.files().filter { $0.hasPrefix("first/") && $0 != "first/.texel-manifest" }
            #expect(files.count == written.count)
            for file in files { #expect(try workspace.image(file).size == image.size) }

            let second = try results("second.json", workspace)
            let warning = String(decoding: try workspace.bytes("second.txt"), as: UTF8.self)
            #expect(second.allSatisfy { $0.status == "written" }, "\(warning)")
            #expect(try workspace.files().count { $0.hasPrefix("second/") && $0.hasSuffix(".jpg") } == 14)
        }

        private func results(_ name: String, _ workspace: Workspace) throws -> [ResultObject] {
            try String(decoding: try workspace.bytes(name), as: UTF8.self).split(separator: "\n").map {
                try JSONDecoder().decode(ResultObject.self, from: Data($0.utf8))
            }
        }
    }
#endif
