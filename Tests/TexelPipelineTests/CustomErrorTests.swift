import Testing

@testable import TexelPipeline

@Suite struct CustomErrorTests {
    private struct Plain: Error { var code: Int }
    private struct Equal: Error, Hashable {
        var code: Int
        static func == (left: Equal, right: Equal) -> Bool { left.code % 10 == right.code % 10 }
        func hash(into hasher: inout Hasher) { hasher.combine(code % 10) }
    }

    @Test func customErrorsCompareByTheirOwnEquality() {
        #expect(CustomError(Plain(code: 1)) == CustomError(Plain(code: 1)))
        #expect(CustomError(Plain(code: 1)) != CustomError(Plain(code: 2)))
        #expect(CustomError(Equal(code: 1)) == CustomError(Equal(code: 11)))
        #expect(CustomError(Equal(code: 1)) != CustomError(Equal(code: 2)))
        #expect(CustomError(Equal(code: 1)) != CustomError(Plain(code: 1)))
        #expect(
            Set([CustomError(Equal(code: 1)), CustomError(Equal(code: 11)), CustomError(Plain(code: 1))]).count == 2)
    }

    @Test func customErrorsKeepTheirDescription() { #expect("\(CustomError(Plain(code: 1)))" == "Plain(code: 1)") }
}
