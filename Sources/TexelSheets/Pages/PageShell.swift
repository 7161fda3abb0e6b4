import CSodium

/// What every page has around its content: nothing of it comes from outside, and nothing else may run.
enum PageShell {
    /// What the shared script filters by.
    static let filterBox = """
        <input type="search" id="filter" placeholder="Filter by name" aria-label="Filter by name" \
        autocomplete="off">
        <span id="count" class="faint" role="status"></span>
        """

    /// - Parameters:
    ///   - title: any text.
    ///   - style: CSS of ours, after the shared one.
    ///   - script: JavaScript of ours, run when the content is there.
    ///   - content: HTML.
    static func page(title: String, style: String, script: String, content: [String]) -> [UInt8] {
        let (style, script) = ("\n\(PageStyle.text)\(style)", "\n\(PageScript.text)\(script)")
        // Style and script are named by their digests: whatever else got into the page would not be obeyed.
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

    /// As Content Security Policy names an inline block (W3C CSP 3, section 2.3.1).
    private static func digest(of text: String) -> String {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        let bytes = Array(text.utf8)
        _ = crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
        return "sha256-\(Base64.encoded(digest))"
    }
}
