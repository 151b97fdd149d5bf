package org.gelato.ce.ws.tls.directory;

import eu.emi.security.authn.x509.impl.CertificateUtils;
import eu.emi.security.authn.x509.impl.CertificateUtils.Encoding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.gelato.ce.core.fault.Messages;
import org.italiangrid.voms.store.LSCInfo;
import org.italiangrid.voms.store.VOMSTrustStore;
import org.italiangrid.voms.store.VOMSTrustStoreStatusListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The VOMS servers a site trusts. Readers never wait for the disk: {@link #reload} reads everything aside and then
 * replaces the whole. Of a file that can't be read the last valid version stays in force, and no other file is touched by it. (The
 * library's own store trusts no server at all when it can't read one file.)
 */
public final class VomsDirectory implements VOMSTrustStore {
    private static final Logger log = LoggerFactory.getLogger(VomsDirectory.class);

    /** What the files say, by their names in the directory; an {@link LscFile} or the certificate of a server. */
    private record Servers(Map<Path, LscFile> described, Map<Path, X509Certificate> certificates) {}

    private final Path directory;
    private final Path shown;
    private volatile Servers current = new Servers(Map.of(), Map.of());
    private Set<String> failures = Set.of();

    /**
     * @param directory of files that were found usable
     * @param shown the site's name of the directory, for the log
     */
    public VomsDirectory(Path directory, Path shown) {
        this.directory = directory;
        this.shown = shown;
        reload();
    }

    /** Reads the directory again. Called at start and then by one thread. Returns whether all could be read. */
    public boolean reload() {
        Servers before = current;
        Servers now = new Servers(new HashMap<>(), new HashMap<>());
        Set<String> failed = new HashSet<>();
        try (Stream<Path> files = Files.find(directory, 2, (f, attributes) -> attributes.isRegularFile())) {
            for (Path file : files.toList()) {
                read(file, before, now, failed);
            }
            current = now;
        } catch (IOException | RuntimeException e) {
            failed.add(shown + ": " + Messages.of(e));
        }
        failed.stream()
                .filter(why -> !failures.contains(why))
                .forEach(why -> log.error("gelato.tls.voms-directory: {}; what was read last stays in force", why));
        failures = failed;
        return failed.isEmpty();
    }

    private void read(Path file, Servers before, Servers now, Set<String> failed) {
        Path relative = directory.relativize(file);
        try (InputStream in = Files.newInputStream(file)) {
            if (relative.toString().endsWith(LscFile.ENDING)) {
                now.described.put(relative, LscFile.read(relative, file));
            } else {
                now.certificates.put(relative, CertificateUtils.loadCertificate(in, Encoding.PEM));
            }
        } catch (IOException | RuntimeException e) {
            failed.add(shown.resolve(relative) + ": " + Messages.of(e));
            now.described.computeIfAbsent(relative, before.described::get);
            now.certificates.computeIfAbsent(relative, before.certificates::get);
        }
    }

    /** Whether some server may speak for a VO: a description of it, or a certificate that is for all VOs or lies with it. */
    public boolean knows(String vo) {
        Servers now = current;
        return Stream.concat(now.described.keySet().stream(), now.certificates.keySet().stream())
                .anyMatch(file -> file.getNameCount() == 1 || file.startsWith(vo));
    }

    @Override
    public LscFile getLSC(String vo, String host) {
        return current.described.values().stream()
                .filter(one -> one.getVOName().equals(vo) && one.getHostname().equals(host))
                .findFirst()
                .orElse(null);
    }

    @Override
    public X509Certificate getAACertificateBySubject(X500Principal subject) {
        return current.certificates.values().stream()
                .filter(one -> one.getSubjectX500Principal().equals(subject))
                .findFirst()
                .orElse(null);
    }

    @Override
    public List<X509Certificate> getLocalAACertificates() {
        return List.copyOf(current.certificates.values());
    }

    @Override
    public Map<String, Set<LSCInfo>> getAllLSCInfo() {
        return current.described.values().stream()
                .collect(Collectors.groupingBy(LscFile::getVOName, Collectors.mapping(one -> one, Collectors.toSet())));
    }

    @Override
    public List<String> getLocalTrustedDirectories() {
        return List.of(directory.toString());
    }

    @Override
    public void loadTrustInformation() {
        reload();
    }

    @Override
    public void setStatusListener(VOMSTrustStoreStatusListener listener) {
        throw new UnsupportedOperationException("the trust store is replaced as a whole, it has no listeners");
    }
}
