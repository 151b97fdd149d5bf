package org.gelato.ce.description;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A file, or a directory for files, that a job fetches or sends itself.
 *
 * @param url with its scheme in lower case and without {@code ?DN=}; ends with a slash for a directory
 * @param subject that its server must have; empty for the one its name implies
 */
public record RemoteFile(String url, String subject) {
    private static final String PLAIN = "-._~/";

    /** Of a URI that a description's rules let pass. */
    public static RemoteFile of(String text) {
        String url = SandboxItem.withoutSubject(text);
        int scheme = Math.max(url.indexOf(':'), 0);
        int subject = text.indexOf("?DN=");
        return new RemoteFile(
                url.substring(0, scheme).toLowerCase(Locale.ROOT) + url.substring(scheme),
                subject < 0 ? "" : text.substring(subject + "?DN=".length()));
    }

    /** Whether it names a server and nothing on it. */
    public boolean isServerAlone() {
        return url.indexOf('/', url.indexOf("://") + "://".length()) < 0;
    }

    /** The same place as a directory. */
    public RemoteFile directory() {
        return url.endsWith("/") ? this : new RemoteFile(url + "/", subject);
    }

    /** The file of a relative path below this directory; the path is written as a URL writes it. */
    public RemoteFile child(String path) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || PLAIN.indexOf(c) >= 0) {
                escaped.append(c);
            } else {
                escaped.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return new RemoteFile(directory().url + escaped, subject);
    }

    /** Whether its server is the host of that name; false for null. */
    public boolean isAt(String host) {
        try {
            return host != null && host.equalsIgnoreCase(new URI(url).getHost());
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
