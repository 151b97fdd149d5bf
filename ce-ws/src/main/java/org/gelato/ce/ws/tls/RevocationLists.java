package org.gelato.ce.ws.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.security.auth.x500.X500Principal;
import org.gelato.ce.core.identity.DnForms;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When the CRL of each CA ends. The library that validates chains refuses every certificate of a CA whose CRL has ended and
 * says that its signature is invalid; this reports what really happened. One thread reads, any thread may call.
 */
final class RevocationLists {
    private static final Logger log = LoggerFactory.getLogger(RevocationLists.class);

    /** One version of a CA's CRL. */
    private record Version(X500Principal ca, Instant end) {}

    private final Path site;
    private final Clock clock;
    /** Guarded by itself, with changes of {@link #ends}. */
    private final Set<Version> reported = new HashSet<>();

    private volatile Map<X500Principal, Instant> ends = Map.of();

    /** @param site directory the site keeps its CRLs in, for texts */
    RevocationLists(Path site, Clock clock) {
        this.site = site;
        this.clock = clock;
    }

    /** Reads all {@code <hash>.r<n>} of a directory of readable files. A CA may have several; the one that ends last counts. */
    void read(Path directory) {
        Map<X500Principal, Instant> found = new HashMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "????????.r*")) {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Path file : files) {
                try (InputStream in = Files.newInputStream(file)) {
                    X509CRL crl = (X509CRL) factory.generateCRL(in);
                    // Without an end it holds for ever.
                    Instant end = crl.getNextUpdate() == null
                            ? Instant.MAX
                            : crl.getNextUpdate().toInstant();
                    found.merge(crl.getIssuerX500Principal(), end, (a, b) -> a.isAfter(b) ? a : b);
                } catch (IOException | CRLException e) {
                    log.warn("{}: it is not known when this CRL ends: {}", file, e.getMessage());
                }
            }
        } catch (IOException | CertificateException e) {
            log.error("it is not known when the CRLs of {} end: {}", site, e.getMessage());
            return;
        }
        synchronized (reported) {
            ends = Map.copyOf(found);
            reported.removeIf(version -> !version.end().equals(found.get(version.ca())));
        }
    }

    /** End of each CA's CRL by the CA's name in slash form; one that never ends is left out. */
    Map<String, Instant> ends() {
        Map<String, Instant> named = new TreeMap<>();
        ends.forEach((ca, end) -> {
            if (!end.equals(Instant.MAX)) {
                named.put(name(ca), end);
            }
        });
        return named;
    }

    /** Logs each CRL that has ended, once. */
    void report() {
        ends.forEach((ca, end) -> {
            if (hasPassed(end)) {
                report(ca, end);
            }
        });
    }

    /** Why no certificate of one of the chain's CAs is accepted; empty while their CRLs are valid. */
    Optional<String> ended(X509Certificate[] chain) {
        Map<X500Principal, Instant> now = ends;
        for (X509Certificate c : chain) {
            X500Principal ca = c.getIssuerX500Principal();
            Instant end = now.get(ca);
            if (end != null && hasPassed(end)) {
                report(ca, end);
                return Optional.of(text(ca, end));
            }
        }
        return Optional.empty();
    }

    private boolean hasPassed(Instant end) {
        return !clock.instant().isBefore(end);
    }

    private static String text(X500Principal ca, Instant end) {
        return "the CRL of " + name(ca) + " ended at " + end
                + ", so that none of this CA's certificates is accepted until the CE has a newer one";
    }

    private void report(X500Principal ca, Instant end) {
        synchronized (reported) {
            // Another CRL may have been read since the caller saw this one.
            if (!end.equals(ends.get(ca)) || !reported.add(new Version(ca, end))) {
                return;
            }
        }
        log.error("{}; renew it in {} (fetch-crl)", text(ca, end), site);
    }

    private static String name(X500Principal ca) {
        return DnForms.slash(DnForms.rfc2253(ca));
    }
}
