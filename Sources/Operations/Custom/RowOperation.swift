public import TexelPixels

/// An operation of your own, which computes an image row by row.
///
///     struct Vignette: RowOperation {
///         var strength = 0.5
///
///         func render(row y: Int, of source: ImageRows, into pixels: inout MutableSpan<UInt32>) {
///             for x in pixels.indices { pixels[x] = darkened(source[x, y], atX: x, y: y, of: source.size) }
///         }
///     }
///
///     let recipe = Recipe().resizing(width: 1280).appending(Vignette(strength: 0.7))
///
/// It works in every place where recipes do: on files, in an image pipeline, on frames. The keys of
/// cached results are made of the name and the encoded parameters, so everything on which the result depends must be
/// encoded; the synthesized conformance to `Codable` does that. Rows are computed on several threads, while others are
/// decoded, and not at all once the work is cancelled. A pixel of the result must depend only on the parameters and the
/// source.
///
/// Recipes that are read from files or messages know the operation once it was registered with
/// ``PixelOperation/register(_:)``. A program that then calls `Program.main()` of the module TexelCLI has the flags
/// that the operation declares.
public protocol RowOperation: Sendable, Hashable, Codable {
    /// Identifies the operation in files, in messages and in the keys of cached results; by default the name of the
    /// type with its module. Change it when the same parameters begin to give another result.
    static var name: String { get }

    /// The options of the program that make the operation; none by default. Operations of your own run after Texel's
    /// filters, in the order of registration.
    ///
    ///     static var options: OperationOptions {
    ///         .number("vignette", in: 0...1, help: "Darken the corners, 0 to 1.") { strength in
    ///             PixelOperation(Vignette(strength: strength))
    ///         }
    ///     }
    static var options: OperationOptions { get }

    /// How many rows above and below a row of the source are needed for the same row of the result; `nil` for all rows.
    /// By default 0, and `nil` if the size changes.
    var rowsAround: Int? { get }

    /// Whether the result of an opaque image may be transparent. By default not: then alpha is made 255.
    var addsAlpha: Bool { get }

    /// Returns the size of the result for a source of this size; by default the same.
    func outputSize(of source: PixelSize) -> PixelSize

    /// Computes a row of the result.
    ///
    /// - Parameters:
    ///   - y: the row, from 0 at the top.
    ///   - source: the rows of the source that ``rowsAround`` names. Pixels are 0xAARRGGBB with straight alpha.
    ///   - pixels: one pixel for each column of the result. Their values are undefined before.
    func render(row y: Int, of source: ImageRows, into pixels: inout MutableSpan<UInt32>)
}

extension RowOperation {
    public static var name: String { String(reflecting: Self.self) }

    public static var options: OperationOptions { .none }

    public var rowsAround: Int? { 0 }

    public var addsAlpha: Bool { false }

    public func outputSize(of source: PixelSize) -> PixelSize { source }
}

extension PixelOperation {
    /// Uses an operation of your own.
    public init(_ operation: some RowOperation) { self.init(CustomOperation(operation)) }

    /// Makes an operation of your own known to recipes that are read from files and messages.
    public static func register(_ type: (some RowOperation).Type) {
        func register<Operation: RowOperation>(_ type: Operation.Type) {
            OperationRegistry.shared.register(CustomOperation<Operation>.self)
        }
        register(type)
    }
}
