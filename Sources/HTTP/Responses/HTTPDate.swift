#if HTTP
    /// Parses HTTP dates.
    enum HTTPDate {
        /// Parses a date in one of the three formats of RFC 9110, section 5.6.7, to seconds since 1970.
        static func seconds(_ text: String) -> Int? {
            let parts = text.split { " ,-:".contains($0) }
            guard parts.count >= 7 else { return nil }
            // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT; Sun Nov  6 08:49:37 1994.
            let isNamedFirst = Int(parts[1]) == nil
            let (dayText, monthText) = isNamedFirst ? (parts[2], parts[1]) : (parts[1], parts[2])
            let (yearText, time) = isNamedFirst ? (parts[6], parts[3...5]) : (parts[3], parts[4...6])
            let clock = time.compactMap { Int($0) }
            guard let month = months.firstIndex(of: String(monthText)), let day = Int(dayText),
                var year = Int(yearText),
                clock.count == 3, (1...31).contains(day), (0...9999).contains(year), (0...23).contains(clock[0]),
                (0...59).contains(clock[1]), (0...60).contains(clock[2])
            else { return nil }
            // Two-digit years: below 70 is 20xx, else 19xx.
            if yearText.count == 2 { year += year < 70 ? 2000 : 1900 }
            return days(year: year, month: month + 1, day: day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
        }

        private static let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]

        /// Days since 1970 in the Gregorian calendar. Counts years from March, so that the leap day is the last day of
        /// a year.
        private static func days(year: Int, month: Int, day: Int) -> Int {
            let year = month > 2 ? year : year - 1
            let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
            let leapDays = year / 4 - year / 100 + year / 400
            // 1 March of year 0 is 719,468 days before 1970.
            return year * 365 + leapDays + dayOfYear - 719_468
        }
    }
#endif
