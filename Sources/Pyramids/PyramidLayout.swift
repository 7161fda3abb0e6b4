import SystemPackage
import TexelCodecs
import TexelCore
import TexelPipeline
import TexelPixels

/// How the files of a pyramid are named and described.
public enum PyramidLayout: String, Sendable, Hashable, CaseIterable {
    /// Microsoft's Deep Zoom format: `NAME.dzi` and `NAME_files/LEVEL/COLUMN_ROW.EXT`.
    case dzi
    /// The IIIF Image API 3.0 at compliance level 0, as files: `NAME/info.json` and
    /// `NAME/X,Y,W,H/W,H/0/default.EXT`.
    case iiif

    /// The tile size and overlap that viewers expect: 254 and 1, so that most tiles have 256 pixels a side, or 512
    /// without overlap.
    public var defaultTiles: (size: Int, overlap: Int) {
        switch self {
        case .dzi: (254, 1)
        case .iiif: (512, 0)
        }
    }

    /// Whether tiles can overlap.
    public var allowsOverlap: Bool { self == .dzi }

    /// Where the levels end.
    var depth: PyramidGeometry.Depth {
        switch self {
        case .dzi: .onePixel
        case .iiif: .oneTile
        }
    }

    /// The folder of the tiles.
    ///
    /// - Parameter path: the path of the pyramid, without any extension of its files.
    func folder(of path: FilePath) -> FilePath {
        switch self {
        case .dzi: FilePath(bytes: path.bytes + Array("_files".utf8))
        case .iiif: path
        }
    }

    /// The file that describes the pyramid.
    ///
    /// - Parameter path: the path of the pyramid, without any extension of its files.
    func descriptor(of path: FilePath) -> FilePath {
        switch self {
        case .dzi: FilePath(bytes: path.bytes + Array(".dzi".utf8))
        case .iiif: path.appending("info.json")
        }
    }

    /// The paths of a tile below the folder: more than one if viewers may ask for it in several ways.
    func names(column: Int, row: Int, level: Int, in geometry: PyramidGeometry, fileExtension: String) -> [String] {
        switch self {
        case .dzi:
            ["\(DeepZoom.number(ofLevel: level, in: geometry))/\(column)_\(row).\(fileExtension)"]
        case .iiif:
            IIIFImage.requests(column: column, row: row, level: level, in: geometry).map {
                "\($0)/0/default.\(fileExtension)"
            }
        }
    }

    /// The contents of the descriptor.
    ///
    /// - Parameters:
    ///   - geometry: the levels and tiles.
    ///   - fileExtension: that of the tiles.
    ///   - identifier: the URI of the image, for IIIF.
    func description(of geometry: PyramidGeometry, fileExtension: String, identifier: String) -> [UInt8] {
        switch self {
        case .dzi: Array(DeepZoom.description(of: geometry, fileExtension: fileExtension).utf8)
        case .iiif: IIIFImage.information(of: geometry, fileExtension: fileExtension, identifier: identifier)
        }
    }

    /// Whether a folder holds a pyramid of this layout, so that it may be replaced as a whole. An empty one does.
    ///
    /// - Throws: `missing`, `cannotRead`.
    func isPyramid(_ folder: FilePath) throws(TexelError) -> Bool {
        let names = try DirectoryEntry.names(in: folder).filter { ![".", ".."].contains($0) }
        if names.isEmpty { return true }
        switch self {
        // Other programs store a file of properties there.
        case .dzi: return names.allSatisfy { Int($0) != nil || $0 == "vips-properties.xml" }
        case .iiif: return names.contains("info.json")
        }
    }
}
