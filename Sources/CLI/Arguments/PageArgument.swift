import Texel

/// The argument of `--page`, which counts from 1.
enum PageArgument {
    /// - Throws: if the page is less than 1.
    static func check(_ page: Int?) throws(OptionError) {
        guard let page, page < 1 else { return }
        throw OptionError("\(option: "page") \(page) is not at least 1")
    }
}
