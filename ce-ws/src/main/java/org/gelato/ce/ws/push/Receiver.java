package org.gelato.ce.ws.push;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.gelato.ce.core.base.Key;

/**
 * A configured receiver of all events.
 *
 * @param name under which its cursor is kept: another name begins anew
 * @param url {@code https} only
 * @param secretFile its first line is the key of the signatures, at least 16 characters
 */
public record Receiver(@Key String name, @Key URI url, @Key Path secretFile) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** @throws IllegalArgumentException with what is wrong */
    public Receiver {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("name is not 1 to 64 letters, digits, dots, dashes and underscores");
        }
        if (!"https".equals(url.getScheme()) || url.getHost() == null) {
            throw new IllegalArgumentException("url is not https://HOST[:PORT]/PATH");
        }
        if (url.getUserInfo() != null || url.getFragment() != null) {
            throw new IllegalArgumentException("url has a user or a fragment: the signature proves who sends");
        }
    }

    /**
     * Reads the secret, as each delivery does.
     *
     * @throws IOException when the file has no usable secret; its text never contains it
     */
    public void checkSecret() throws IOException {
        Signature.secret(secretFile);
    }
}
