import TestSupport
import Testing
import Texel

/// Images at URLs.
@Suite struct AddressTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    #if HTTP
        /// A server with one image, one page, and nothing else.
        private func server() throws -> LoopbackServer {
            let image = try Sample.jpeg()
            return try LoopbackServer { request, connection in
                switch request.target {
                case "/a/photo.jpg?size=large", "/a/photo.jpg", "/b/photo.jpg", "/":
                    connection.answer(image, fields: "Content-Type: image/jpeg\r\n")
                case "/moved.png": connection.write("HTTP/1.1 301 X\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")
                case "/page": connection.answer(Array("<html>Not here".utf8), fields: "Content-Type: text/html\r\n")
                case "/stalls":
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n123")
                    connection.waitUntilClosed()
                default: connection.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                }
            }
        }

        @Test func imagesAtAddressesAreResized() throws {
            let server = try server()
            let url = server.url("/a/photo.jpg?size=large")
            let outcome = try workspace.texel("resize", url, "--width", "12", "--json")
            #expect(outcome.status == 0, "\(outcome.errors)")
            let result = try #require(try ResultObject.all(in: outcome).first)
            #expect(result.input == url)
            #expect(result.output == "photo-texel.jpg")
            #expect(result.inputBytes == (try Sample.jpeg().count))
            #expect(try workspace.image("photo-texel.jpg").size == PixelSize(width: 12, height: 8))
            #expect(server.requests.first?.fields["user-agent"]?.hasPrefix("texel/") == true)
        }

        @Test func namesComeFromAddresses() throws {
            let server = try server()
            // Equal names, a redirect whose extension is wrong, no name at all.
            let urls = ["/a/photo.jpg", "/b/photo.jpg", "/moved.png", "/"].map { server.url($0) }
            let outcome = try workspace.run(["resize"] + urls + ["--width", "12", "-o", "out"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(
                try workspace.files() == ["out/moved.jpg", "out/photo.jpg", "out/photo.jpg.jpg", "out/picture.jpg"])
        }

        @Test func othersGoOn() throws {
            let server = try server()
            try workspace.add("local.jpg", try Sample.jpeg())
            let outcome = try workspace.run(
                ["compress", "local.jpg", server.url("/gone.jpg"), server.url("/page"), server.url("/"), "-o", "out"])
            #expect(outcome.status == 1)
            #expect(try workspace.files() == ["local.jpg", "out/.texel-manifest", "out/local.jpg", "out/picture.jpg"])
            #expect(outcome.errors.contains("texel: \(server.url("/gone.jpg")): the server answered with status 404"))
            #expect(outcome.errors.contains("texel: \(server.url("/page")): the server sent text/html"))
        }

        @Test func faultsHaveTheirStatus() throws {
            let server = try server()
            let closed = try LoopbackSocket()
            for (url, status, words) in [
                (server.url("/gone.jpg"), 66, "status 404"), (server.url("/page"), 65, "text/html"),
                ("http://127.0.0.1:\(closed.port)/a.jpg", 66, "Connection refused"),
            ] as [(String, Int32, String)] {
                try workspace.expectFailure("resize", url, "--width", "9", status: status, naming: url, saying: words)
            }
            let url = server.url("/stalls")
            try workspace.expectFailure(
                "resize", url, "--width", "9", "--timeout", "200ms", status: 69, naming: url, saying: "--timeout")
            let photo = server.url("/a/photo.jpg")
            try workspace.expectFailure(
                "resize", photo, "--width", "9", "--limit-input", "100", status: 69, naming: photo,
                saying: "--limit-input")
        }

        @Test func infoReadsAddresses() throws {
            let server = try server()
            let outcome = try workspace.texel("info", server.url("/a/photo.jpg"), "--json")
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text.contains(server.url("/a/photo.jpg")) && outcome.text.contains("\"width\":48"))
            let url = server.url("/gone.jpg")
            try workspace.expectFailure("info", url, status: 66, naming: url, saying: "status 404")
        }

        @Test func unsuitableAddressesAreRefused() throws {
            let url = try server().url()
            try workspace.expectUsageError("compress", url, "--in-place", saying: "use -o")
            try workspace.expectUsageError("compress", "ftp://h/a.jpg", saying: "cannot load ftp://h/a.jpg")
            try workspace.expectUsageError("info", "http://user:secret@h/a.jpg", saying: "header")
        }
    #else
        @Test func sayWhatIsMissing() throws {
            for command in [["compress"], ["resize", "--width", "9"], ["rotate", "--angle", "90"], ["info"]] {
                let outcome = try workspace.run(command + ["https://example.org/a.jpg"])
                #expect(outcome.status == 64)
                #expect(outcome.errors.contains("cannot load https://example.org/a.jpg; build with"))
                #expect(outcome.errors.contains("--traits HTTP"))
            }
        }
    #endif
}
