import Texel

#if HTTP
    import TexelHTTP
#endif

extension Addresses {
    #if HTTP
        /// Makes the items of the URLs among the arguments.
        ///
        /// - Parameter timeout: the time limit for each URL, if there is one.
        /// - Throws: for a URL that cannot be loaded.
        static func items(_ arguments: [String], timeout: Duration?) throws(OptionError) -> [String: InputItem] {
            let addresses = arguments.filter(isAddress)
            if addresses.isEmpty { return [:] }
            var configuration = HTTPConfiguration()
            configuration.userAgent = VersionReport.version.replacing(" ", with: "/")
            if let timeout {
                configuration.idleTimeout = timeout
                configuration.totalTimeout = timeout
            }
            let loader = HTTPLoader(configuration)
            var items: [String: InputItem] = [:]
            for address in addresses {
                do throws(TexelError) {
                    let source = try loader.source(for: address)
                    items[address] = InputItem(source, fileName: source.address.fileName)
                } catch {
                    throw OptionError("\(error)")
                }
            }
            return items
        }
    #else
        /// Throws if there is a URL: this build cannot load any.
        static func items(_ arguments: [String], timeout: Duration?) throws(OptionError) -> [String: InputItem] {
            guard let address = arguments.first(where: isAddress) else { return [:] }
            throw OptionError(
                "This build cannot load \(address); build with 'swift build --traits HTTP --product texel'")
        }
    #endif
}
