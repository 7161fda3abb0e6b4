import TexelFlutter

func pluginCalls(_ photo: FilePath, _ target: FilePath) async throws -> [[UInt8]] {
    let turned = try await FlutterImageCompress.compressWithFile(
        photo, minWidth: 64, minHeight: 48, quality: 80, rotate: 90, keepExif: true)

    let file = try await FlutterImageCompress.compressAndGetFile(photo, target, quality: 80)
    print("\(file.path): \(file.result.inputBytes) → \(file.result.outputBytes) bytes")

    let half = try await FlutterNativeImage.compressImage(photo, percentage: 50)
    let properties = try await FlutterNativeImage.getImageProperties(photo)
    print("\(properties.displayedWidth)×\(properties.displayedHeight), \(properties.orientation)")

    let picked = try await ImagePicker.pickImage(photo, maxWidth: 100, maxHeight: 100, imageQuality: 80)
    return [turned.bytes, half.bytes, picked.bytes]
}
