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
package protocol OperationDescription: Sendable, Hashable, Codable {
    /// Identifies the operation in files, in messages and in the digests of cached results.
    static var name: String { get }

    /// The steps for an image of one size; none if nothing changes.
    ///
    /// - Parameter background: the colour of uncovered pixels.
    /// - Throws: errors of the parameters, if they do not fit the size.
    func steps(for size: PixelSize, background: PixelColor) throws(PixelBufferError) -> [any RowStep]

    /// Whether the operation can uncover pixels, which get the background.
    var usesBackground: Bool { get }

    /// Writes the parameters, each in the same form on every machine.
    func write(to writer: inout FieldWriter)

    /// What every result must report, such as characters of a text that no font has; none by default.
    var warnings: [String] { get }
}

extension OperationDescription {
    package var warnings: [String] { [] }
}

extension OperationDescription {
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

extension FieldWriter {
    package mutating func append(_ operation: PixelOperation) {
        append(type(of: operation.value).name)
        operation.value.write(to: &self)
    }
}
