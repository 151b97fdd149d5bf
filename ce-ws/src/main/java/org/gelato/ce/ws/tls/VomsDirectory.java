package org.gelato.ce.ws.tls;

import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.gelato.ce.core.text.Words;
import org.italiangrid.voms.VOMSError;
import org.italiangrid.voms.store.LSCInfo;
import org.italiangrid.voms.store.VOMSTrustStore;
import org.italiangrid.voms.store.VOMSTrustStoreStatusListener;
import org.italiangrid.voms.store.impl.DefaultVOMSTrustStore;
import org.italiangrid.voms.util.NullListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The VOMS servers a site trusts. Readers never wait for the disk: {@link #reload} reads everything aside and then
 * replaces the whole; a directory that can't be read leaves the last valid content in force. (The library's own updating
 * store empties itself while it loads and stops for ever at the first unreadable file.)
 */
final class VomsDirectory implements VOMSTrustStore {
    private static final Logger log = LoggerFactory.getLogger(VomsDirectory.class);

    private final Path directory;
    private final Path shown;
    private volatile VOMSTrustStore current;
    private String lastFailure;

    /** @param shown the site's name of the directory, for the log */
    VomsDirectory(Path directory, Path shown) {
        this.directory = directory;
        this.shown = shown;
        reload();
    }

    /** Reads the directory again. Called at start and then by one thread. */
    void reload() {
        try {
            current = new DefaultVOMSTrustStore(List.of(directory.toString()), NullListener.INSTANCE);
            lastFailure = null;
        } catch (VOMSError e) {
            if (!Words.of(e).equals(lastFailure)) {
                lastFailure = Words.of(e);
                log.error(
                        "gelato.tls.voms-directory {}: {}; {}",
                        shown,
                        lastFailure,
                        current == null ? "no VOMS attributes will be accepted" : "what was read last stays in force");
            }
        }
    }

    @Override
    public LSCInfo getLSC(String vo, String host) {
        VOMSTrustStore store = current;
        // The library fails on a VO it has no directory of.
        return store == null || !store.getAllLSCInfo().containsKey(vo) ? null : store.getLSC(vo, host);
    }

    @Override
    public X509Certificate getAACertificateBySubject(X500Principal subject) {
        VOMSTrustStore store = current;
        return store == null ? null : store.getAACertificateBySubject(subject);
    }

    @Override
    public List<X509Certificate> getLocalAACertificates() {
        VOMSTrustStore store = current;
        return store == null ? List.of() : store.getLocalAACertificates();
    }

    @Override
    public Map<String, Set<LSCInfo>> getAllLSCInfo() {
        VOMSTrustStore store = current;
        return store == null ? Map.of() : store.getAllLSCInfo();
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
