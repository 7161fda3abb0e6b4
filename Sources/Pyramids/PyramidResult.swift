public import SystemPackage
import TexelBatch
public import TexelCodecs
public import TexelCore
import TexelPipeline
public import TexelPixels

/// The result of tiling one image.
public struct PyramidResult: Sendable {
    /// The path of the input.
    public var input: FilePath
    /// The name of the input for people: its path or its address.
    public var name: String
    /// The file that describes the pyramid: the `.dzi` file or `info.json`.
    public var output: FilePath
    /// The size of the input in bytes.
    public var inputBytes = 0
    /// The size of all files of the pyramid in bytes.
    public var outputBytes = 0
    /// The size of the image in pixels, as displayed.
    public var size: PixelSize?
    /// The format of the tiles.
    public var format: ImageFormat?
    /// The number of levels.
    public var levelCount = 0
    /// The number of tiles of all levels.
    public var tileCount = 0
    /// The time from reading to the last file.
    public var duration = Duration.zero
    /// The tolerated faults and the losses, one sentence each.
    public var warnings: [String] = []
    /// The error; `nil` if the pyramid was written.
    public var error: TexelError?

    init(_ item: InputItem, output: FilePath) {
        (input, name, self.output) = (item.path, item.name, output)
    }

    /// Whether the work was cancelled, which is not an error of the image.
    public var isCancelled: Bool { error == .stopped(.cancelled) }
}
