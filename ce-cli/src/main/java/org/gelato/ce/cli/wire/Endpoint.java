package org.gelato.ce.cli.wire;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Address of a CE.
 *
 * @param host name or address as the user wrote it, in lower case; an IPv6 address in brackets
 * @param port 1 to 65535
 * @param protocol the one that the address names; {@link Protocol#AUTO} when it names none
 */
public record Endpoint(String host, int port, Protocol protocol) {
    /** The port of a CE that names none (docs/developer/protocol/cream2-wire.md section 1). */
    public static final int DEFAULT_PORT = 8443;

    private static final String SCHEME = "https://";
    private static final String HOST = "[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+]";
    private static final Pattern FORM = Pattern.compile("(?<host>" + HOST + ")(?::(?<port>[0-9]{1,5}))?");

    public Endpoint {
        host = host.toLowerCase(Locale.ROOT);
    }

    /** An address that names no protocol. */
    public Endpoint(String host, int port) {
        this(host, port, Protocol.AUTO);
    }

    /**
     * Reads {@code host[:port]}, or the address of one of the CE's services, of which host and port count, and whether it is
     * below {@code /arex} or {@code /ce-cream}.
     *
     * @throws IllegalArgumentException saying what is wrong and what is accepted
     */
    public static Endpoint parse(String text) {
        boolean address = text.startsWith(SCHEME);
        Matcher m = FORM.matcher(address ? authority(text) : text);
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no endpoint: write HOST, HOST:PORT or https://HOST:PORT/...");
        }
        Protocol protocol = address
                ? Protocol.ofPath(
                        text.substring(SCHEME.length() + authority(text).length()))
                : Protocol.AUTO;
        return of(m.group("host"), m.group("port"), protocol);
    }

    /**
     * Reads an address that is to be kept: one whose path, which nothing is made of, would be taken for part of it is refused.
     *
     * @throws IllegalArgumentException saying what is wrong and what is accepted
     */
    public static Endpoint parseWithoutPath(String text) {
        Endpoint parsed = parse(text);
        if (text.startsWith(SCHEME) && parsed.protocol == Protocol.AUTO) {
            String path = text.substring(SCHEME.length() + authority(text).length());
            if (!path.matches("/?")) {
                throw new IllegalArgumentException("'" + text + "' has the path " + path
                        + ", which is no service of a CE: write HOST, HOST:PORT or https://HOST:PORT, and the queue in the key"
                        + " queue");
            }
        }
        return parsed;
    }

    private static String authority(String address) {
        String rest = address.substring(SCHEME.length());
        int slash = rest.indexOf('/');
        return slash < 0 ? rest : rest.substring(0, slash);
    }

    /**
     * An endpoint of its parts.
     *
     * @param port digits, or null for the default
     * @throws IllegalArgumentException when the port is out of range
     */
    static Endpoint of(String host, String port) {
        return of(host, port, Protocol.AUTO);
    }

    static Endpoint of(String host, String port, Protocol protocol) {
        int number = port == null ? DEFAULT_PORT : Integer.parseInt(port);
        if (number < 1 || number > 65_535) {
            throw new IllegalArgumentException("port " + number + " is out of range 1 to 65535");
        }
        return new Endpoint(host, number, protocol);
    }

    /** Pattern of the host part, for names that start with an endpoint. */
    static String hostPattern() {
        return HOST;
    }

    /** The address of something this CE serves; the path starts with a slash. */
    public URI resolve(String path) {
        return URI.create("https://" + this + path);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
