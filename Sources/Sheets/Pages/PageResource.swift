/// The files of the folder `Resources`, which the build embeds in the module as bytes.
enum PageResource {
    /// CSS shared by all pages, with a light and a dark theme.
    static let pageStyle = text(PackageResources.page_css)
    /// JavaScript shared by all pages: a filter box that updates while the user types.
    static let pageScript = text(PackageResources.page_js)

    /// CSS of the gallery. `GalleryPage` replaces the variables of the sizes.
    static let galleryStyle = text(PackageResources.gallery_css)
    /// JavaScript of the gallery: the filter, keyboard navigation and the full-window view.
    static let galleryScript = text(PackageResources.gallery_js)
    /// HTML of the gallery's full-window view.
    static let galleryDialog = text(PackageResources.gallery_dialog_html)

    /// CSS of the report.
    static let reportStyle = text(PackageResources.report_css)
    /// JavaScript of the report: sorting, filtering, and comparison sliders that are created when they scroll into
    /// view.
    static let reportScript = text(PackageResources.report_js)

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
