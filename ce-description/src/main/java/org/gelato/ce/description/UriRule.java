package org.gelato.ce.description;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;

/** Which URIs a description may name (docs/developer/protocol/jdl.md section 2, URI rule). */
public final class UriRule {
    private static final Set<String> SCHEMES = Set.of("gsiftp", "file", "http", "https");

    private UriRule() {}

    /**
     * For what is reached over the network from a worker node.
     *
     * @param schemes of them; each with a server
     * @param shown how an error calls them
     */
    public static URI check(String attribute, String text, Set<String> schemes, String shown)
            throws DescriptionException {
        URI uri = parsed(attribute, text, schemes);
        if (!schemes.contains(scheme(uri))) {
            throw new DescriptionException(attribute, "wrong protocol (just " + shown + " URIs are supported)");
        }
        if (uri.getHost() == null) {
            throw new DescriptionException(attribute, "the URI \"" + SafeText.of(text) + "\" names no host");
        }
        return uri;
    }

    /** @return the URI without {@code ?DN=} */
    public static URI check(String attribute, String text) throws DescriptionException {
        return parsed(attribute, text, SCHEMES);
    }

    private static URI parsed(String attribute, String text, Set<String> more) throws DescriptionException {
        URI uri;
        try {
            uri = new URI(SandboxItem.withoutSubject(text));
        } catch (URISyntaxException e) {
            throw new DescriptionException(attribute, "Illegal character for the URI: " + SafeText.of(text));
        }
        if (uri.getScheme() == null || (!SCHEMES.contains(scheme(uri)) && !more.contains(scheme(uri)))) {
            throw new DescriptionException(
                    attribute,
                    "the URI \"" + SafeText.of(text)
                            + "\" doesn't present an allowed scheme (gsiftp, file, http, https)");
        }
        return uri;
    }

    /** The scheme in lower case. */
    static String scheme(URI uri) {
        return uri.getScheme().toLowerCase(Locale.ROOT);
    }
}
