package org.gelato.ce.ws.tls.directory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.gelato.ce.core.identity.DnForms;
import org.italiangrid.voms.store.LSCInfo;
import org.italiangrid.voms.store.impl.LSCFile;

/**
 * A VOMS server that a site trusts, by the names in its certificate and those above: {@code <vo>/<host>.lsc}. Several chains may be
 * named, and any of them counts, as in VOMS's own library; the one used here reads the first alone.
 */
public final class LscFile implements LSCInfo {
    static final String ENDING = ".lsc";
    private static final String NEXT_CHAIN = "NEXT CHAIN";

    private final String vo;
    private final String host;
    private final List<LSCFile> chains = new ArrayList<>();

    private LscFile(String vo, String host) {
        this.vo = vo;
        this.host = host;
    }

    /**
     * Reads a file.
     *
     * @param relative to the directory of VOMS servers: {@code <vo>/<host>.lsc}
     * @throws IOException when it can't be read, or holds a line that is no DN, no chain, or a DN without its issuer's
     */
    public static LscFile read(Path relative, Path file) throws IOException {
        String name = relative.getFileName().toString();
        LscFile read = new LscFile(relative.getName(0).toString(), name.substring(0, name.length() - ENDING.length()));
        List<String> chain = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            number++;
            String text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            if (text.contains(NEXT_CHAIN)) {
                read.add(chain);
                chain = new ArrayList<>();
            } else if (DnForms.looksLikeSlash(text)) {
                DnForms.comparable(text);
                chain.add(text);
            } else {
                throw new IOException("line " + number + " is no DN in slash form");
            }
        }
        read.add(chain);
        if (read.chains.isEmpty()) {
            throw new IOException("names no issuer");
        }
        return read;
    }

    private void add(List<String> chain) throws IOException {
        if (chain.size() % 2 != 0) {
            throw new IOException("odd number of DNs: after that of each certificate there must be that of its issuer");
        }
        if (!chain.isEmpty()) {
            LSCFile one = new LSCFile();
            one.setVo(vo);
            one.setHostname(host);
            one.setCertificateChainDescription(chain);
            chains.add(one);
        }
    }

    /** The names of the servers' certificates, one per chain. */
    public List<String> servers() {
        return chains.stream()
                .map(chain -> chain.getCertificateChainDescription().get(0))
                .toList();
    }

    /** Whether a chain has the server's host in the place of its issuer alone: its lines are the wrong way round. */
    public boolean isReversed() {
        return chains.stream()
                .map(LSCFile::getCertificateChainDescription)
                .anyMatch(names -> !isOfHost(names.get(0)) && isOfHost(names.get(1)));
    }

    private boolean isOfHost(String dn) {
        return dn.toLowerCase(Locale.ROOT).contains(host.toLowerCase(Locale.ROOT));
    }

    @Override
    public boolean matches(X509Certificate[] certificates) {
        return chains.stream().anyMatch(chain -> chain.matches(certificates));
    }

    @Override
    public List<String> getCertificateChainDescription() {
        return chains.get(0).getCertificateChainDescription();
    }

    @Override
    public String getVOName() {
        return vo;
    }

    @Override
    public String getHostname() {
        return host;
    }

    @Override
    public String getFilename() {
        return vo + "/" + host + ENDING;
    }

    @Override
    public void setFilename(String filename) {
        throw new UnsupportedOperationException("the name of the file follows from VO and host");
    }
}
