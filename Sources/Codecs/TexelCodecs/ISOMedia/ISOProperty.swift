import TexelCore
package import TexelPixels

/// A property of items or of the samples of a track (ISO/IEC 23008-12, 6.5; ISO/IEC 14496-12, 12.1).
package struct ISOProperty: Sendable {
    package let type: BoxType
    package let box: ISOBox
    package let value: Value

    package enum Value: Sendable, Hashable {
        /// `ispe`: the size before cropping, rotation and mirroring.
        case size(PixelSize)
        /// `pixi`: the bits of each channel.
        case bitDepths([Int])
        /// `colr` with code points: primaries, transfer and matrix of ITU-T H.273.
        case codePoints(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool)
        /// `colr` with an ICC profile, in these bytes.
        case profile(Range<Int>)
        /// `irot`: quarter turns counter-clockwise.
        case rotation(Int)
        /// `imir`: false exchanges top and bottom, true exchanges left and right.
        case mirror(exchangesColumns: Bool)
        /// `clap`.
        case cleanAperture(CleanAperture)
        /// `auxC`, `auxi`: the meaning of an auxiliary image.
        case auxiliaryType(String)
        /// `lsel`: the layer of a layered image.
        case layer(Int)
        /// Another property; its content is in ``ISOProperty/box``.
        case other
    }
}

/// The part of an image that is displayed: `clap` (ISO/IEC 14496-12, 12.1.4).
package struct CleanAperture: Sendable, Hashable {
    package struct Fraction: Sendable, Hashable {
        package var numerator: Int
        package var denominator: Int
    }

    package var width: Fraction
    package var height: Fraction
    /// The offset of the centre from the image's centre.
    package var horizontalOffset: Fraction
    package var verticalOffset: Fraction

    /// Returns the rectangle; `nil` if it is not whole pixels inside the image.
    package func rectangle(in size: PixelSize) -> PixelRectangle? {
        guard let (x, width) = Self.span(width, horizontalOffset, in: size.width),
            let (y, height) = Self.span(height, verticalOffset, in: size.height)
        else { return nil }
        let rectangle = PixelRectangle(x: x, y: y, width: width, height: height)
        return rectangle.isInside(size) ? rectangle : nil
    }

    /// The first pixel is (side − length) / 2 + offset. All numbers have 32 bits, so products do not overflow.
    private static func span(_ length: Fraction, _ offset: Fraction, in side: Int) -> (start: Int, count: Int)? {
        guard length.denominator > 0, offset.denominator > 0, length.numerator > 0,
            length.numerator % length.denominator == 0
        else { return nil }
        let count = length.numerator / length.denominator
        guard count <= side, side <= 1 << 31 else { return nil }
        let doubled = 2 * offset.numerator + (side - count) * offset.denominator
        guard doubled % (2 * offset.denominator) == 0 else { return nil }
        return (doubled / (2 * offset.denominator), count)
    }
}

extension ISOParser {
    /// Reads a property in a box that has arrived.
    func property(_ box: ISOBox) throws(TexelError) -> ISOProperty {
        ISOProperty(type: box.type, box: box, value: try propertyValue(box))
    }

    private func propertyValue(_ box: ISOBox) throws(TexelError) -> ISOProperty.Value {
        var reader = reader(box.payload)
        switch box.type {
        case "ispe":
            _ = try reader.versionAndFlags()
            return .size(PixelSize(width: try reader.unsigned(4), height: try reader.unsigned(4)))
        case "pixi":
            _ = try reader.versionAndFlags()
            let count = try reader.unsigned(1)
            var depths: [Int] = []
            for _ in 0..<count { depths.append(try reader.unsigned(1)) }
            return .bitDepths(depths)
        case "colr": return try color(&reader)
        case "irot": return .rotation(try reader.unsigned(1) & 3)
        case "imir": return .mirror(exchangesColumns: try reader.unsigned(1) & 1 == 1)
        case "clap":
            func fraction(isSigned: Bool) throws(TexelError) -> CleanAperture.Fraction {
                CleanAperture.Fraction(
                    numerator: isSigned ? try reader.signed32() : try reader.unsigned(4),
                    denominator: try reader.unsigned(4))
            }
            return .cleanAperture(
                CleanAperture(
                    width: try fraction(isSigned: false), height: try fraction(isSigned: false),
                    horizontalOffset: try fraction(isSigned: true), verticalOffset: try fraction(isSigned: true)))
        case "auxC", "auxi":
            _ = try reader.versionAndFlags()
            return .auxiliaryType(reader.text())
        case "lsel": return .layer(try reader.unsigned(2))
        default: return .other
        }
    }

    private func color(_ reader: inout ISOReader) throws(TexelError) -> ISOProperty.Value {
        switch try reader.type() {
        case "nclx":
            return .codePoints(
                primaries: try reader.unsigned(2), transfer: try reader.unsigned(2), matrix: try reader.unsigned(2),
                isFullRange: try reader.unsigned(1) & 0x80 != 0)
        // QuickTime's form has no range, which is then narrow.
        case "nclc":
            return .codePoints(
                primaries: try reader.unsigned(2), transfer: try reader.unsigned(2), matrix: try reader.unsigned(2),
                isFullRange: false)
        case "prof", "rICC":
            guard reader.count <= limits.metadataBytes else {
                throw .limitExceeded(.metadataBytes, value: reader.count, allowed: limits.metadataBytes)
            }
            return .profile(reader.position..<reader.end)
        default: return .other
        }
    }
}
