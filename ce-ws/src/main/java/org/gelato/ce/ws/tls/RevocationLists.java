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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.security.auth.x500.X500Principal;
import org.gelato.ce.core.identity.DnForms;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When the CRL of each CA ends, and which CRLs are there and can't be used. The library that validates chains refuses every
 * certificate of a CA whose CRL has ended and says that its signature is invalid; this reports what really happened. A CRL
 * that can't be used is none to the library, which would let in those it names. One thread reads, any thread may call.
 */
final class RevocationLists {
    private static final Logger log = LoggerFactory.getLogger(RevocationLists.class);

    private final Path site;
    private final Clock clock;
    private volatile Map<X500Principal, Instant> ends = Map.of();
    /** By the hash in their names. */
    private volatile Map<String, String> unusable = Map.of();
    /** Of those in force, by the hash in their names: ones that the library does not look at, or that could not be read. */
    private Map<String, String> notRead = Map.of();

    private boolean incomplete;

    private Map<Path, String> leftOut = Map.of();

    /** @param site directory the site keeps its CRLs in, for texts */
    RevocationLists(Path site, Clock clock) {
        this.site = site;
        this.clock = clock;
    }

    /**
     * Takes over which CRLs of the site's directory can't be used, and have no older version in force.
     *
     * @param files any files, with the reason
     * @return whether other ones can't be used than before
     */
    boolean leaveOut(Map<Path, String> files) {
        Map<Path, String> lists = new HashMap<>(files);
        lists.keySet().removeIf(file -> !TrustFileChecks.isRevocationList(file));
        if (lists.equals(leftOut)) {
            return false;
        }
        leftOut = lists;
        join();
        return true;
    }

    private void join() {
        Map<String, String> all = new HashMap<>(notRead);
        leftOut.forEach((file, why) -> all.put(TrustFileChecks.hash(file), cannotBeUsed(file, why)));
        unusable = Map.copyOf(all);
    }

    private static String cannotBeUsed(Path file, String why) {
        return "the CRL " + file + " can't be used: " + why;
    }

    /** Whether some could not be read at the last reading, which may succeed at the next one. */
    boolean incomplete() {
        return incomplete;
    }

    /**
     * Reads all {@code <hash>.r<n>} of a directory of usable files. A CA may have several; the one that ends last counts.
     *
     * @return the CAs that have one
     */
    Set<X500Principal> read(Path directory) {
        Map<X500Principal, Instant> found = new HashMap<>();
        Map<String, String> others = new HashMap<>();
        boolean failed = false;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "????????.r*")) {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Path file : files) {
                try (InputStream in = Files.newInputStream(file)) {
                    X509CRL crl = (X509CRL) factory.generateCRL(in);
                    X500Principal ca = crl.getIssuerX500Principal();
                    if (!TrustFileChecks.hash(file).equals(TrustFileChecks.hash(ca))) {
                        others.put(
                                TrustFileChecks.hash(file),
                                cannotBeUsed(
                                        site.resolve(file.getFileName()),
                                        "it belongs into " + TrustFileChecks.hash(ca) + ".r0"));
                        continue;
                    }
                    found.merge(ca, crl.getNextUpdate().toInstant(), (a, b) -> a.isAfter(b) ? a : b);
                } catch (IOException | CRLException e) {
                    log.warn("{}: it is not known when this CRL ends, it is read again: {}", file, e.getMessage());
                    failed = true;
                    others.put(
                            TrustFileChecks.hash(file),
                            cannotBeUsed(site.resolve(file.getFileName()), String.valueOf(e.getMessage())));
                }
            }
        } catch (IOException | CertificateException e) {
            log.error("it is not known when the CRLs of {} end: {}", site, e.getMessage());
            incomplete = true;
            return ends.keySet();
        }
        incomplete = failed;
        notRead = others;
        join();
        ends = Map.copyOf(found);
        return ends.keySet();
    }

    /** End of each CA's CRL by the CA's name in slash form. */
    Map<String, Instant> ends() {
        Map<String, Instant> named = new TreeMap<>();
        ends.forEach((ca, end) -> named.put(name(ca), end));
        return named;
    }

    /** Why no certificate of one of the chain's CAs is accepted, though the library may accept it; empty when there is no reason. */
    Optional<String> unusable(Iterable<X509Certificate> chain) {
        for (X509Certificate c : chain) {
            X500Principal ca = c.getIssuerX500Principal();
            Optional<String> why = unusable(ca);
            if (why.isPresent()) {
                return Optional.of(why.get() + "; no certificate of " + name(ca)
                        + " is accepted until this file can be used or is removed");
            }
        }
        return Optional.empty();
    }

    private Optional<String> unusable(X500Principal ca) {
        Map<String, String> now = unusable;
        if (now.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> own = Optional.ofNullable(now.get(TrustFileChecks.hash(ca)));
        // Where fetch-crl writes both, the other one says the same.
        return own.isPresent() || ends.containsKey(ca)
                ? own
                : Optional.ofNullable(now.get(TrustFileChecks.oldHash(ca)));
    }

    /** Why no certificate of one of the chain's CAs is accepted; empty while their CRLs are valid. */
    Optional<String> ended(X509Certificate[] chain) {
        Map<X500Principal, Instant> now = ends;
        for (X509Certificate c : chain) {
            X500Principal ca = c.getIssuerX500Principal();
            Instant end = now.get(ca);
            if (end != null && hasPassed(end)) {
                return Optional.of(text(ca, end));
            }
        }
        return Optional.empty();
    }

    /** When the first CRL of the CAs of some certificates ends; {@link Instant#MAX} for never. */
    Instant nextEnd(Iterable<X509Certificate> certificates) {
        Map<X500Principal, Instant> now = ends;
        Instant first = Instant.MAX;
        for (X509Certificate c : certificates) {
            Instant end = now.getOrDefault(c.getIssuerX500Principal(), Instant.MAX);
            first = end.isBefore(first) ? end : first;
        }
        return first;
    }

    private boolean hasPassed(Instant end) {
        return !clock.instant().isBefore(end);
    }

    private static String text(X500Principal ca, Instant end) {
        return "the CRL of " + name(ca) + " ended at " + end
                + ", so that none of this CA's certificates is accepted until the CE has a newer one";
    }

    private static String name(X500Principal ca) {
        return DnForms.slash(DnForms.rfc2253(ca));
    }
}
