package import TexelCore
package import TexelPixels

/// An operation on an image's pixels, as a recipe holds it: `.crop(rectangle)`, `.resize(options)` and so on.
///
/// Each operation is described in one file: its parameters, and the steps that carry it out.
public struct PixelOperation: Sendable {
    /// The operation with its parameters.
    package let value: any OperationDescription

    package init(_ description: any OperationDescription) { value = description }
}

/// The parameters of an operation, and how it is carried out.
///
/// The keys of cached results are digests of the encoded parameters, so everything on which the result depends must be
/// encoded.
package protocol OperationDescription: Sendable, Hashable, Codable {
    /// Identifies the operation in files, in messages and in the keys of cached results.
    static var name: String { get }

    /// The options that make the operation; none by default.
    static var options: OperationOptions { get }

    /// The section of the options, which decides when the operation runs.
    static var section: OperationSection { get }

    /// The steps for an image of one size; none if nothing changes.
    ///
    /// - Parameter background: the colour of uncovered pixels.
    /// - Throws: errors of the parameters, if they do not fit the size.
    func steps(for size: PixelSize, background: PixelColor) throws(TexelError) -> [any RowStep]

    /// Whether the operation can uncover pixels, which get the background.
    var usesBackground: Bool { get }

    /// Warnings of every result, such as characters of a text that no font has; none by default.
    var warnings: [String] { get }
}

extension OperationDescription {
    package static var options: OperationOptions { .none }
    package static var section: OperationSection { .filters }
    package var warnings: [String] { [] }
    package var usesBackground: Bool { false }
}

extension PixelOperation: Hashable {
    public static func == (a: PixelOperation, b: PixelOperation) -> Bool {
        func equals<Description: OperationDescription>(_ description: Description) -> Bool {
            description == b.value as? Description
        }
        return equals(a.value)
    }

    public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}
