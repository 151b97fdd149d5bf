package org.gelato.ce.cli.wire;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A job as users name it: {@code https://host:port/CREAMnnnnnnnnn} (docs/developer/protocol/cream2-wire.md section 7), or as clients of ARC
 * REST do: {@code https://host:port/arex/rest/1.0/jobs/CREAMnnnnnnnnn}.
 *
 * @param endpoint the CE that has the job
 * @param localId {@code CREAMnnnnnnnnn}
 */
public record JobUrl(Endpoint endpoint, String localId) {
    private static final Pattern LOCAL = Pattern.compile("CREAM[0-9]{9}");
    private static final Pattern FULL = Pattern.compile("https://(?<host>" + Endpoint.hostPattern()
            + ")(?::(?<port>[0-9]{1,5}))?" + "/+(?<arc>arex/rest/1\\.[01]/jobs/)?(?<id>CREAM[0-9]{9})");

    /**
     * Reads a full job id, or a local one where the CE is known.
     *
     * @param known the CE of local ids, or empty to refuse them
     * @throws IllegalArgumentException saying what is accepted
     */
    public static JobUrl parse(String text, Optional<Endpoint> known) {
        Matcher m = FULL.matcher(text);
        if (m.matches()) {
            Protocol protocol = m.group("arc") == null ? Protocol.AUTO : Protocol.ARCREST;
            return new JobUrl(Endpoint.of(m.group("host"), m.group("port"), protocol), m.group("id"));
        }
        if (LOCAL.matcher(text).matches()) {
            return new JobUrl(
                    known.orElseThrow(() -> new IllegalArgumentException(
                            "'" + text + "' doesn't name its CE: give the full job id, or the CE with -e")),
                    text);
        }
        throw new IllegalArgumentException(
                "'" + text + "' is no job id: expected https://HOST:PORT/CREAM and nine digits");
    }

    /** Whether the text has the form of a local id. */
    public static boolean isLocalId(String text) {
        return LOCAL.matcher(text).matches();
    }

    @Override
    public String toString() {
        return "https://" + endpoint + "/" + localId;
    }
}
