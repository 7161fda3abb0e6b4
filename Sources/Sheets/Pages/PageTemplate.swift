import CSodium

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The HTML around the content of every page. Its content security policy allows no external resources and no other
/// scripts.
enum PageTemplate {
    /// The input of the shared filter script.
    static let filterBox = """
        <input type="search" id="filter" placeholder="Filter by name" aria-label="Filter by name" \
        autocomplete="off">
        <span id="count" class="faint" role="status"></span>
        """

    /// Assembles a page.
    ///
    /// - Parameters:
    ///   - title: The title as plain text.
    ///   - style: CSS, inserted after the shared style.
    ///   - script: JavaScript, run after the content is loaded.
    ///   - content: Parts of the HTML body.
    /// - Returns: The file in UTF-8.
    static func page(title: String, style: String, script: String, content: [String]) -> [UInt8] {
        let (style, script) = ("\n\(PageResource.pageStyle)\(style)", "\n\(PageResource.pageScript)\(script)")
        // Style and script are allowed by their hashes, so injected ones are not run.
        let policy =
            "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data: file: 'self'; "
            + "style-src '\(digest(of: style))'; script-src '\(digest(of: script))'"
        var page: [UInt8] = []
        page +=
            """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="generator" content="texel">
            <title>\(HTMLText.visible(title))</title>
            <style>\(style)</style>
            </head>
            <body>

            """.utf8
        for part in content { page += part.utf8 }
        page += "<script>\(script)</script>\n</body>\n</html>\n".utf8
        return page
    }

    /// The hash of an inline block as in W3C Content Security Policy 3, section 2.3.1.
    private static func digest(of text: String) -> String {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        let bytes = Array(text.utf8)
        _ = crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
        return "sha256-\(Data(digest).base64EncodedString())"
    }
}
