import Texel

func ownCalls(_ photo: FilePath, _ target: FilePath) async throws -> [[UInt8]] {
    let turned = Recipe()
        .resizing(minimumWidth: 64, minimumHeight: 48)
        .rotating(by: 90)
        .encoding(as: .jpeg, quality: 80)
        .keepingMetadata(.all)

    let small = Recipe()
        .resizing(minimumWidth: 1920, minimumHeight: 1080)
        .encoding(as: .jpeg, quality: 80)
    var options = ProcessingOptions()
    options.overwrites = true
    let file = try await Texel.process(photo, to: target, with: small, options: options)
    print("\(target): \(file.inputBytes) → \(file.outputBytes) bytes")

    let half = Recipe()
        .appending(.resize(ResizeOptions(ResizeRule(.scale(numerator: 50, denominator: 100), enlarges: true))))
        .encoding(as: .jpeg, quality: 70)
        .keepingMetadata(.all)

    let picked = Recipe()
        .resizing(width: 100, height: 100)
        .encoding(as: .jpeg, quality: 80)
        .keepingMetadata(.all)

    var files: [[UInt8]] = []
    for recipe in [turned, half, picked] {
        files.append(try await ImagePipeline.shared.encodedImage(for: ImageRequest(photo, recipe: recipe)).bytes)
    }
    return files
}
