import Foundation
import TestImageWriting
import TestSupport
import Testing
import TexelPixels

@testable import TexelCodecs

@Suite struct TestImagesTests {
    @Test func digestsAreSHA256() {
        #expect(sha256([]) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            sha256(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8))
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }

    /// The committed files have the pixels and the metadata that the generator creates now. The bytes may differ,
    /// because zlib versions compress differently.
    @Test func committedFilesAreWhatTheGeneratorMakes() throws {
        let images = try TestImage.all()
        let names = TestFolders.files(below: TestFolders.testImages).map(\.lastPathComponent)
        #expect(names == images.map(\.name).sorted())
        for image in images {
            let made = try image.bytes.source()
            let committed = try TestFolders.testImage(image.name).source()
            var (info, expected) = (committed.info, made.info)
            if case .iccProfile(let profile) = info.colorSpace, case .iccProfile(let other) = expected.colorSpace {
                // Another version of Little CMS may write a different profile with the same meaning.
                #expect(profile.colorModel == other.colorModel)
                (info.colorSpace, expected.colorSpace) = (.sRGB, .sRGB)
            }
            #expect(info == expected, "\(image.name)")
            expectPixelsEqual(
                try committed.decodedAsStored().image.convertedToSRGB(),
                try made.decodedAsStored().image.convertedToSRGB(),
                image.name)
        }
        #expect(images.reduce(0) { $0 + $1.bytes.count } < 700_000)
    }

    @Test func theGeneratorIsDeterministic() throws {
        let (first, second) = (try TestImage.all(), try TestImage.all())
        #expect(first.map(\.bytes) == second.map(\.bytes))
    }
}
