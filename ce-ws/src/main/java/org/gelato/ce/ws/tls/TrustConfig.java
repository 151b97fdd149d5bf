package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.fault.Messages;

/**
 * The CE's trust anchors.
 *
 * @param caDir trust anchors in OpenSSL layout: {@code <hash>.0}, {@code .r0}, {@code .signing_policy}, {@code .namespaces}
 * @param vomsDir {@code <vo>/<host>.lsc} files or certificates of VOMS servers
 * @param crlMode {@code IF_VALID}: a CRL is obeyed when there is a valid one; {@code REQUIRE}: without one no caller is
 *     accepted; {@code IGNORE}
 * @param refresh how often both directories are read again, 1 second to 1 day
 * @param signingPolicy whether a CA without a signing policy or namespaces file may sign any name
 * @param keyUsage whether key usage and purposes of users' certificates count
 */
public record TrustConfig(
        Path caDir,
        Path vomsDir,
        CrlCheckingMode crlMode,
        Duration refresh,
        SigningPolicy signingPolicy,
        KeyUsage keyUsage) {
    /** What a CA may sign that has no policy file. */
    public enum SigningPolicy {
        /** Nothing, a CA below another one too: what Globus does. */
        REQUIRE,
        /** A CA without signing policy may sign any name. */
        IF_PRESENT
    }

    /** Whether a user's certificate must be one for TLS clients, where it says what it is for. */
    public enum KeyUsage {
        /** As OpenSSL does, and what is built on it. */
        CHECK,
        IGNORE
    }

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})\\s*(ms|s|m|h|d)");
    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    /** With the strict form of what may be relaxed. */
    public TrustConfig(Path caDir, Path vomsDir, CrlCheckingMode crlMode, Duration refresh) {
        this(caDir, vomsDir, crlMode, refresh, SigningPolicy.REQUIRE, KeyUsage.CHECK);
    }

    /** @throws IllegalArgumentException naming the key and the value */
    public TrustConfig {
        readableDirectory("gelato.tls.ca-directory", caDir);
        try (DirectoryStream<Path> anchors = Files.newDirectoryStream(caDir, "????????.[0-9]")) {
            if (!anchors.iterator().hasNext()) {
                throw new IllegalArgumentException("gelato.tls.ca-directory: " + caDir
                        + " holds no CA certificate named <hash>.0, so no caller could be accepted");
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "gelato.tls.ca-directory: " + caDir + " can't be listed: " + Messages.of(e), e);
        }
        readableDirectory("gelato.tls.voms-directory", vomsDir);
        if (refresh.compareTo(Duration.ofSeconds(1)) < 0 || refresh.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(
                    "gelato.tls.refresh: " + Messages.span(refresh) + " is not between 1 second and 1 day");
        }
    }

    /**
     * Reads the keys {@code ca-directory}, {@code voms-directory}, {@code crl}, {@code refresh}, {@code signing-policy} and {@code
     * key-usage}. The first three also have the older names {@code ca-dir}, {@code voms-dir} and {@code crl-mode}.
     *
     * @param values text of a key, null when it is not set
     * @throws IllegalArgumentException naming the key, the value and what is accepted
     */
    public static TrustConfig parse(Function<String, String> values) {
        return new TrustConfig(
                path(values, "ca-directory", or(values.apply("ca-dir"), "/etc/grid-security/certificates")),
                path(values, "voms-directory", or(values.apply("voms-dir"), "/etc/grid-security/vomsdir")),
                choice(
                        "crl",
                        or(values.apply("crl"), or(values.apply("crl-mode"), "if-valid")),
                        CrlCheckingMode.values()),
                duration(or(values.apply("refresh"), "10m")),
                choice("signing-policy", or(values.apply("signing-policy"), "require"), SigningPolicy.values()),
                choice("key-usage", or(values.apply("key-usage"), "check"), KeyUsage.values()));
    }

    static Path path(Function<String, String> values, String key, String otherwise) {
        return Path.of(or(values.apply(key), otherwise));
    }

    private static void readableDirectory(String key, Path directory) {
        if (!Files.isDirectory(directory) || !Files.isReadable(directory)) {
            throw new IllegalArgumentException(key + ": " + directory + " is not a readable directory");
        }
    }

    private static <E extends Enum<E>> E choice(String key, String text, E[] all) {
        for (E one : all) {
            if (word(one).equals(text.toLowerCase(Locale.ROOT).replace('_', '-'))) {
                return one;
            }
        }
        throw new IllegalArgumentException("gelato.tls." + key + ": " + text + " is not one of "
                + Arrays.stream(all).map(TrustConfig::word).collect(Collectors.joining(", ")));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Duration duration(String text) {
        Matcher m = DURATION.matcher(text.strip());
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "gelato.tls.refresh: " + text + " is not a number with a unit ms, s, m, h or d");
        }
        return UNITS.get(m.group(2)).multipliedBy(Long.parseLong(m.group(1)));
    }

    private static String or(String text, String otherwise) {
        return text == null || text.isBlank() ? otherwise : text;
    }
}
