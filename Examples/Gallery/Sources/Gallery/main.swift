// A table of thumbnails, six rows of which are in sight. A flick scrolls to its end; then somebody pages back.

import Foundation
import Texel

let folder = FilePath(CommandLine.arguments.dropFirst().first ?? "TestImages")
let files = try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted().map(folder.appending)
let rows = files.map { ImageRequest($0, recipe: Recipe().resizing(width: 96, height: 96)) }

let pipeline = ImagePipeline()
let prefetching = Prefetching(pipeline)
let cells = (0..<min(6, rows.count)).map { _ in ImageSlot(pipeline) }
var inSight = 0..<0
var asked = 0

/// A row that comes into sight takes a cell from one that has left, and so drops what that one still waits for.
func scroll(to top: Int) {
    let rowsBefore = inSight
    inSight = top..<top + cells.count
    for row in inSight where !rowsBefore.contains(row) {
        cells[row % cells.count].show(rows[row])
        asked += 1
    }
    // The page above is likely to come next.
    prefetching.stopAll()
    prefetching.start(rows[max(0, top - cells.count)..<top])
}

/// Prints what the cells show, once nothing in sight is on its way; then somebody looks at it.
func draw() async throws {
    for row in inSight {
        for await content in cells[row % cells.count].contents {
            switch content {
            case .empty, .loading, .preview: continue
            case .image(let image): print("\(rows[row].source.name)  \(image.size)")
            case .failed(let error): print("\(rows[row].source.name)  \(error)")
            }
            break
        }
    }
    let (decoded, found) = (pipeline.statistics.decodes, pipeline.statistics.memoryCache?.hits ?? 0)
    print("— asked for \(asked) images so far, decoded \(decoded), found \(found) in memory\n")
    try await Task.sleep(for: .milliseconds(500))
}

for top in 0...rows.count - cells.count { scroll(to: top) }
try await draw()
scroll(to: max(0, inSight.lowerBound - cells.count))
try await draw()
