public import SystemPackage
import TexelCodecs
public import TexelCore
import TexelPipeline

/// Standard output, which takes one result.
public struct StandardOutputStore: OutputStore, Hashable {
    /// Makes a store for standard output.
    public init() {}

    public var isStandardOutput: Bool { true }

    public func names(of items: [InputItem], by naming: OutputNaming) -> [OutputName] {
        items.map { _ in .standardOutput }
    }

    public func claim(_ name: FilePath, for request: OutputRequest) throws(TexelError) -> (any UnfinishedOutput)? {
        StandardOutput()
    }
}

extension OutputStore where Self == StandardOutputStore {
    /// Standard output.
    public static var standardOutput: StandardOutputStore { StandardOutputStore() }
}

/// A result that is written to standard output.
struct StandardOutput: UnfinishedOutput {
    func commit(
        _ image: EncodedImage, stop: StopToken, willAppear: () -> Void
    ) throws(TexelError) -> EncodedImage {
        do throws(DirectOutput.Failure) {
            try DirectOutput(.standardOutput, stop: stop).write(image.bytes)
            return image
        } catch {
            throw .cannotWrite("-", error.errno)
        }
    }
}
