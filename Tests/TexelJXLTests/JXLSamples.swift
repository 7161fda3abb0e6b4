#if JXL
    import Foundation

    /// Small files that libjxl has made: 9 × 5 pixels whose samples are a function of x, y and the channel.
    enum JXLSamples {
        /// The function of most files: (x × 20 + y × 9 + channel × 31) modulo 256.
        static func rgb8(_ x: Int, _ y: Int, _ channel: Int) -> Int { (x * 20 + y * 9 + channel * 31) % 256 }

        /// Grey of 16 bits: x × 7000 + y × 900.
        static let gray16 = bytes(
            """
            AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAABWanhsY/8KIAAQ4AcoLgQIAgEA+ABLGIsVARLeGDbY\
            aKbYOqfhwdrPWW3kmlH2PHbLUzkrY1WQ6/MUS2kBKKCZr0MKmQsOkFBFWH/V0bgFqIDCEw==
            """)

        /// 10 bits: x × 100 + y × 30 + channel × 7.
        static let rgb10 = bytes(
            """
            /wogABCgSAgCAQCkAEsYm3wsPARIeGaibd6DStMyJkEHoHyQjwz/IL1uNhsAAAAAAAAAAAAA
            """)

        /// Grey and alpha of 8 bits, with the numbers of ``rgb8``.
        static let grayAlpha = bytes(
            """
            /wogABCARXEhCAgQAHAASyg0NC4nTARIeGZkk/EgKRWnk6IFwMhh6j9VAA==
            """)

        /// Floating point: (x - 1) / 6 + y / 16 + channel / 64, which leaves the range 0…1.
        static let float32 = bytes(
            """
            AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAAJanhsbAoAAAG2anhsY/8KIAAQkIMECAIBAIAGSygkxkgTJgLEQniv\
            IhljkGLwTkoVFNqNjo2MisHBKLUxBl+jOXvPAaCqqg6WJ6uqqoNVVRXf4QkAAKiqqlZVlaqqMuVeVVVVVQUAABS64FdV1TxVVVRV\
            bdpTVUVVVaoqAAD8//8BYHmrqqqqKlUVVVVUVVFVtaynqgIAQFVVxTddSFWVqqqoqqKqqm06VRUAAKyq6p2CVVX//1NVRVXV//8X\
            6lRVqaoAAEBVVR70OVZVlfmrqroAAPhoc1VVtKqqVFXVqiqidqyqKgAAzL+qKkAuAgCQqgqqqqiqoqoiVVXlEwAAqqqqgVVVH3JV\
            VUlVUVVFVRUIFVWVqgoAAKqqot92I1VVVVX9/1NVRVVVBJX/P1UVAAACAHBLwarq/z+qqqiq+v/3CB5UVfVBl2NVVb2/qqoEAAC/\
            c1dVNauqSlVVraqa6JGqqgIAgP+rqpp1raoqVVWqqqiqoqpas5+qCgAA//9/QaqqF0lVVVlVUVVFVZXc9KoqVRUAAP7/X4BUVRrF\
            qqr6/09VFVVV/v8RK6mqAAAQAACpquAg/v9BAQI=
            """)

        /// Red, green, blue and alpha with the numbers of ``rgb8``; the colours are premultiplied.
        static let premultiplied = bytes(
            """
            /wogABCAARAUFwIICBAAAAFLKBR4JCQCxIAfAzFGiVUMvpRR5AGGXva/ANBWGy/trS4yjX6eULW4z79Pk9cN/Nff7tD21ef/+axD\
            wgcAyuAX
            """)

        /// ``rgb8`` in Display P3.
        static let displayP3 = bytes(
            """
            /wogABCAgExuBAgCAQCwAEsoNDKOCSdMoRo1Y4wxkpFYI8QYPDkGE3CAoR/4DIBH/1X/9IHvYA8w5t8D
            """)

        /// ``rgb8`` in BT.2020 with PQ.
        static let pq = bytes(
            """
            /wogABAIICCPHnE4AAAAAAQIAgEAsABLKDQyjgknTKEaNWOMMZKRWCPEGDw5BhNwgKEf+AyAR/9V//SB72APMObfAw==
            """)

        /// ``rgb8`` in BT.2020 with HLG.
        static let hlg = bytes(
            """
            /wogABAIICDPQKDHAAAAABAIAgEAsABLKDQyjgknTKEaNWOMMZKRWCPEGDw5BhNwgKEf+AyAR/9V//SB72APMObfAw==
            """)

        /// ``rgb8`` in BT.2020 with PQ, stored with loss.
        static let pqXYB = bytes(
            """
            /wogABCAhDx6BAASiACUAkdIqAEAUKEyyrjBy7meLz90WEzbuM7QVtsWliSKjGOTdAKHJLGa2xVjwMIA2mDMHOab8jCh8Z0PW1JV\
            kaiQAhtct6p0lKJOYlRkZLx4F+9iZJRgyoRipHOwjsTq8L/v/kumfQw1AQ5I1scP6zU2NlRUUS5kep8rRMM6QS4PhIVwFKVMTGFU\
            QHAyYMTr6rvQTJEmdwRLRN9NcTSjL840D/Th/OAqCg==
            """)

        /// ``rgb8`` in Display P3, stored with loss.
        static let p3XYB = bytes(
            """
            /wogABCAhExuBAASiAC8Ab/KKAEAUKEyyrjBy7meLz90WEzbuM7QVtsWliSKjGOTdAKHJLEOOG8CgQAEAefMC0/eTHn3ILBMhRTI\
            BVA2MkZRMUaRjJExRsbIx1hEgNbh/ZmNHgS2JJvtvQKpE0hsLJBjg/AYRzA4dkaNZgqwFA==
            """)

        /// ``rgb8`` with the gamma 2.
        static let gamma = bytes(
            """
            /wogABCAgAq0xBQBCAIBALAASyg0Mo4JJ0yhGjVjjDGSkVgjxBg8OQYTcIChH/gMgEf/Vf/0ge9gDzDm3wM=
            """)

        /// ``rgb8`` in linear light.
        static let linear = bytes(
            """
            /wogABCAgKJFCAIBALAASyg0Mo4JJ0yhGjVjjDGSkVgjxBg8OQYTcIChH/gMgEf/Vf/0ge9gDzDm3wM=
            """)

        /// ``rgb8`` with a white point of its own.
        static let customWhite = bytes(
            """
            /wogABCAACHgkwRel7gRCAIBALAASyg0Mo4JJ0yhGjVjjDGSkVgjxBg8OQYTcIChH/gMgEf/Vf/0ge9gDzDm3wM=
            """)

        /// ``rgb8``, progressive.
        static let progressive = bytes(
            """
            /wogABCAhOJCABKIAgBYAV3lEgAAFSqjjBu8nOv58kOHxbSN6wxttW1hSaLIODZJJ3BIEmuA8yYhADkOOGdePL57tH8AolBJIiUi\
            t72qJESE5u1/bCwQCO1gdwAAEOM5igkwAKAC
            """)

        private static func bytes(_ text: String) -> [UInt8] { Array(Data(base64Encoded: text) ?? Data()) }
    }
#endif
