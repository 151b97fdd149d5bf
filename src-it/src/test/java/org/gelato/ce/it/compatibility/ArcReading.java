package org.gelato.ce.it.compatibility;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads delegationProxyInfo with no more than ARC understands (docs/developer/protocol/cream2-wire.md section 8). */
final class ArcReading {
    private static final Pattern DATE =
            Pattern.compile("([0-9]{1,2})/([0-9]{1,2})/([0-9]{2})[ T]+([0-9]{1,2}):([0-9]{2}) (AM|PM) \\(GMT\\)");

    private ArcReading() {}

    /** The value of a name: the text is cut at semicolons, and each piece at its first equals sign. */
    static String value(String info, String name) {
        for (String piece : info.split(";")) {
            int equals = piece.indexOf('=');
            if (equals > 0
                    && piece.substring(0, equals).replace("[", "").strip().equals(name)) {
                return piece.substring(equals + 1).strip().replaceAll("^\"|\"$", "");
            }
        }
        throw new AssertionError("no " + name + " in " + info);
    }

    /** When the proxy ends, to the minute. */
    static Instant end(String info) {
        Matcher date = DATE.matcher(value(info, "valid to"));
        if (!date.matches()) {
            throw new AssertionError("ARC does not understand " + value(info, "valid to"));
        }
        int hour = Integer.parseInt(date.group(4)) % 12 + (date.group(6).equals("PM") ? 12 : 0);
        return LocalDateTime.of(
                        2000 + Integer.parseInt(date.group(3)),
                        Integer.parseInt(date.group(1)),
                        Integer.parseInt(date.group(2)),
                        hour,
                        Integer.parseInt(date.group(5)))
                .toInstant(ZoneOffset.UTC);
    }
}
