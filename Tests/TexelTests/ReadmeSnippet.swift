import Texel

func makeSmaller(_ photo: FilePath, in folder: FilePath) async throws {
    try await Texel.compress(photo, to: folder.appending("small.jpg"))

    let recipe = Recipe()
        .resizing(width: 640, height: 640, fit: .cover)
        .rotating(by: 90)
        .encoding(as: .png)
        .keepingMetadata(.privacy)
    let result = try await Texel.process(photo, to: folder.appending("square.png"), with: recipe)
    print("\(result.inputBytes) → \(result.outputBytes) bytes")

    var image = try await PixelBuffer(contentsOf: photo)
    image[0, 0] = 0xFFFF_0000
    let pixels: [UInt32] = image.pixels
    let thumbnail = try image.resized(to: PixelSize(width: 64, height: 48))
    try await thumbnail.write(to: folder.appending("thumbnail.png"))
    print("\(pixels.count) pixels, the first is red")
}
