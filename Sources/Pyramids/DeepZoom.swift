/// The Deep Zoom format (Microsoft, "Deep Zoom File Format Overview" and "Deep Zoom Schema Reference").
enum DeepZoom {
    /// The number of a level in the names of folders: 0 is the level of one pixel.
    static func number(ofLevel level: Int, in geometry: PyramidGeometry) -> Int { geometry.levels.count - 1 - level }

    /// The contents of the `.dzi` file.
    static func description(of geometry: PyramidGeometry, fileExtension: String) -> String {
        let size = geometry.levels[0]
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format="\(fileExtension)" \
            Overlap="\(geometry.overlap)" TileSize="\(geometry.tileSize)">
              <Size Width="\(size.width)" Height="\(size.height)"/>
            </Image>

            """
    }
}
