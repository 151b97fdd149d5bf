package org.gelato.ce.ws.tls;

import eu.emi.security.authn.x509.CrlCheckingMode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The CE's trust anchors.
 *
 * @param caDir trust anchors in OpenSSL layout: {@code <hash>.0}, {@code .r0}, {@code .signing_policy}, {@code .namespaces}
 * @param vomsDir {@code <vo>/<host>.lsc} files or certificates of VOMS servers
 * @param crlMode {@code IF_VALID}: a CRL is obeyed when there is a valid one; {@code REQUIRE}: without one no caller is
 *     accepted; {@code IGNORE}
 * @param refresh how often both directories are read again, 1 second to 1 day
 */
public record TrustConfig(Path caDir, Path vomsDir, CrlCheckingMode crlMode, Duration refresh) {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})\\s*(ms|s|m|h|d)");
    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));

    /** @throws IllegalArgumentException naming the key and the value */
    public TrustConfig {
        readableDirectory("tls.ca-dir", caDir);
        try (DirectoryStream<Path> anchors = Files.newDirectoryStream(caDir, "????????.[0-9]")) {
            if (!anchors.iterator().hasNext()) {
                throw new IllegalArgumentException("tls.ca-dir: " + caDir
                        + " holds no CA certificate named <hash>.0, so no caller could be accepted");
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("tls.ca-dir: " + caDir + " can't be listed: " + e.getMessage(), e);
        }
        readableDirectory("tls.voms-dir", vomsDir);
        if (refresh.compareTo(Duration.ofSeconds(1)) < 0 || refresh.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("tls.refresh: " + refresh + " is not between 1 second and 1 day");
        }
    }

    /**
     * Reads the keys {@code ca-dir}, {@code voms-dir}, {@code crl-mode} and {@code refresh}.
     *
     * @param values text of a key, null when it is not set
     * @throws IllegalArgumentException naming the key, the value and what is accepted
     */
    public static TrustConfig parse(Function<String, String> values) {
        return new TrustConfig(
                path(values, "ca-dir", "/etc/grid-security/certificates"),
                path(values, "voms-dir", "/etc/grid-security/vomsdir"),
                crlMode(or(values.apply("crl-mode"), "if-valid")),
                duration(or(values.apply("refresh"), "10m")));
    }

    static Path path(Function<String, String> values, String key, String otherwise) {
        return Path.of(or(values.apply(key), otherwise));
    }

    private static void readableDirectory(String key, Path directory) {
        if (!Files.isDirectory(directory) || !Files.isReadable(directory)) {
            throw new IllegalArgumentException(key + ": " + directory + " is not a readable directory");
        }
    }

    private static CrlCheckingMode crlMode(String text) {
        return switch (text.toLowerCase(Locale.ROOT).replace('_', '-')) {
            case "if-valid" -> CrlCheckingMode.IF_VALID;
            case "require" -> CrlCheckingMode.REQUIRE;
            case "ignore" -> CrlCheckingMode.IGNORE;
            default ->
                throw new IllegalArgumentException(
                        "tls.crl-mode: " + text + " is not one of if-valid, require, ignore");
        };
    }

    private static Duration duration(String text) {
        Matcher m = DURATION.matcher(text.strip());
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "tls.refresh: " + text + " is not a number with a unit ms, s, m, h or d");
        }
        return UNITS.get(m.group(2)).multipliedBy(Long.parseLong(m.group(1)));
    }

    private static String or(String text, String otherwise) {
        return text == null || text.isBlank() ? otherwise : text;
    }
}
