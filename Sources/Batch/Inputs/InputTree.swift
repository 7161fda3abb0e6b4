public import TexelCore
import TexelPipeline

/// A tree of inputs, such as a folder, the files that a pattern matches, or a single input.
///
/// ``InputExpansion`` makes one list of the trees of a call.
public protocol InputTree: Sendable {
    /// Whether the number of inputs is unknown until they are found, so that results are named as for several inputs
    /// even if there is one. The default is `true`.
    var isOpenEnded: Bool { get }

    /// Finds the inputs. Blocks the calling thread.
    ///
    /// - Parameter body: called for each entry, the inputs in the order in which they are processed.
    func visit(_ body: (InputEntry) -> Void)
}

extension InputTree {
    public var isOpenEnded: Bool { true }
}

/// An entry of an ``InputTree``.
public enum InputEntry: Sendable {
    /// An input. ``InputItem/relativePath`` is its path in the tree.
    case input(InputItem)
    /// A file that is not an image that Texel reads.
    case other
    /// A file or folder that cannot be read, or a folder without images.
    case failure(TexelError)
}

extension InputItem: InputTree {
    /// `false`: an item is one input.
    public var isOpenEnded: Bool { false }
    /// Visits the item itself.
    public func visit(_ body: (InputEntry) -> Void) { body(.input(self)) }
}
