import TexelCodecs
import TexelCore
import TexelPixels

/// The configuration of an HEVC image: the `hvcC` property (ISO/IEC 14496-15, 8.3.2).
struct HEVCConfiguration: Sendable {
    /// The parameter sets: NAL units with their lengths in four bytes before them.
    let units: [UInt8]
    /// The general profile.
    let profile: Int
    /// The number of bytes of the lengths before NAL units in the data.
    let lengthSize: Int
    let parameters: HEVCSequenceParameters

    /// - Throws: `damaged` for a property that is too short, has another version, or has no sequence parameters.
    init(_ property: ISOProperty, in file: InputBytes, _ limits: Limits) throws(TexelError) {
        let payload = property.box.payload
        guard payload.count <= limits.metadataBytes else {
            throw .limitExceeded(.metadataBytes, value: payload.count, allowed: limits.metadataBytes)
        }
        var reader = ISOReader(file, payload, .heic)
        let version = try reader.unsigned(1)
        guard version == 1 else { throw .heic(.invalidValue(version, of: "version of the box hvcC")) }
        profile = try reader.unsigned(1) & 31
        try reader.skip(19)
        lengthSize = try reader.unsigned(1) & 3 + 1
        guard lengthSize != 3 else { throw .heic(.invalidValue(3, of: "size of lengths in the box hvcC")) }
        var (found, units): (HEVCSequenceParameters?, [UInt8]) = (nil, [])
        for _ in 0..<(try reader.unsigned(1)) {
            let type = try reader.unsigned(1) & 63
            for _ in 0..<(try reader.unsigned(2)) {
                let count = try reader.unsigned(2)
                let start = reader.position
                try reader.skip(count)
                HEVCUnit.append(file[start..<(start + count)], to: &units)
                guard type == HEVCUnit.sequenceParameters else { continue }
                guard let parameters = HEVCSequenceParameters(unit: file[start..<(start + count)]) else {
                    throw .heic(.corrupt("the sequence parameters are damaged"))
                }
                // libde265 uses the last of those with the same identifier.
                guard found.map({ $0 == parameters }) ?? true else {
                    throw .unsupported("a HEIC image with several sequence parameter sets")
                }
                found = parameters
            }
        }
        guard let found else { throw .heic(.missing("sequence parameters")) }
        (self.units, parameters) = (units, found)
    }

    /// The profile in the specification's words (ITU-T H.265, annex A).
    var profileName: String {
        switch profile {
        case 1: "Main profile"
        case 2: "Main 10 profile"
        case 3: "Main Still Picture profile"
        case 4: "format range extensions profile"
        case 9: "screen content coding extensions profile"
        default: "profile \(profile)"
        }
    }

    /// The subsampling in J:a:b notation; `nil` without chroma.
    var chromaSubsampling: String? { [nil, "4:2:0", "4:2:2", "4:4:4"][parameters.chromaFormat] }
}

/// HEVC's NAL units.
enum HEVCUnit {
    // Types (ITU-T H.265, table 7-1).
    static let sequenceParameters = 33
    /// The types of slices are below.
    static let sliceLimit = 32

    /// Appends a unit with its length in four bytes before it.
    static func append(_ unit: some Collection<UInt8>, to units: inout [UInt8]) {
        units += [UInt8](bigEndian: unit.count, count: 4)
        units += unit
    }
}
