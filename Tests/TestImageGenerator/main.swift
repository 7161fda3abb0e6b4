import Foundation
import TestImageWriting

// swift run TestImageGenerator TestImages

guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("usage: TestImageGenerator OUTDIR\n".utf8))
    exit(64)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
var total = 0
for image in try TestImage.all() {
    try Data(image.bytes).write(to: folder.appendingPathComponent(image.name))
    total += image.bytes.count
}
print("\(total) bytes in \(folder.path)")
