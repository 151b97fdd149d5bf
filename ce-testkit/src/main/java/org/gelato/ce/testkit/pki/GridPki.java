package org.gelato.ce.testkit.pki;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x509.GeneralName;

/**
 * A grid in a directory: a root CA and a CA below it, each with signing policy and CRL, the CE's host certificate, a VOMS issuer with its {@code .lsc},
 * users and their proxies; and what a test needs to be refused: a CA nobody trusts, a VOMS issuer nobody knows, a user
 * outside the CA's namespace, revocation. The same directory opened again gives the same grid as long as everything is
 * valid for another day; else it is made anew. For one process at a time; calls from several threads are serialised.
 */
public final class GridPki {
    /** The VO of the demo and the tests. */
    public static final String VO = "dteam";

    private static final String VOMS_HOST = "voms.gelato.test";
    private static final Duration WORTH_KEEPING = Duration.ofDays(1);
    private static final String MARKER = "made-by-gelato";
    private static final String ROOT = "root-ca";
    private static final String AUTHORITY = "/DC=test/DC=gelato/CN=Gelato Test CA";
    private static final String AUTHORITIES = "/DC=test/DC=gelato/CN=*";
    private static final String OWN_NAMESPACE = "/DC=test/DC=gelato/*";

    private final Path directory;
    private final Clock clock;
    private final CertificateAuthority root;
    private final CertificateAuthority authority;
    private final CertificateAuthority stranger;
    private final VomsIssuer voms;
    private final VomsIssuer impostor;
    private final TrustAnchorFiles rootAnchors;
    private final TrustAnchorFiles anchors;
    private KeyPair proxyKeys;
    private KeyPair memberKeys;

    private GridPki(Path directory, Clock clock) {
        this.directory = directory;
        this.clock = clock;
        root = root(ROOT, "Gelato Test Root CA");
        authority = new CertificateAuthority(kept("ca", () -> root.issue(CertificateForm.authority(AUTHORITY))), clock);
        stranger = root("stranger", "Gelato Stranger CA");
        voms = new VomsIssuer(kept("voms", () -> issueHost(VOMS_HOST, Set.of(VOMS_HOST))), VO, VOMS_HOST);
        impostor = new VomsIssuer(
                kept("impostor", () -> issueHost("impostor.gelato.test", Set.of("impostor.gelato.test"))),
                VO,
                VOMS_HOST);
        rootAnchors = new TrustAnchorFiles(certificates(), root.credential().certificate());
        anchors = new TrustAnchorFiles(certificates(), authority.credential().certificate());
    }

    /**
     * Opens the grid in a directory, making it when the directory is absent, empty, or holds one that ends within a day.
     *
     * @param hostName common name of the CE's host certificate
     * @param otherNames further host names or addresses it is valid for, beside {@code localhost} and 127.0.0.1
     * @throws IllegalArgumentException when the directory holds something else
     */
    public static GridPki open(Path directory, String hostName, String... otherNames) {
        return open(directory, Clock.systemUTC(), hostName, otherNames);
    }

    public static GridPki open(Path directory, Clock clock, String hostName, String... otherNames) {
        try {
            Files.createDirectories(directory);
            Path marker = directory.resolve(MARKER);
            if (!Files.exists(marker) && !isEmpty(directory)) {
                throw new IllegalArgumentException(directory + " is not empty and holds no grid made here before");
            }
            if (!allValid(directory, clock)) {
                clear(directory);
            }
            Files.writeString(marker, "Everything in this directory is made anew when it ends.\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        GridPki pki = new GridPki(directory, clock);
        Set<String> names = new LinkedHashSet<>(List.of(hostName, "localhost", "127.0.0.1"));
        names.addAll(List.of(otherNames));
        pki.writeSite(hostName, names);
        return pki;
    }

    /** The directory of trust anchors (X509_CERT_DIR). */
    public Path certificates() {
        return directory.resolve("certificates");
    }

    /** The directory of {@code .lsc} files (X509_VOMS_DIR). */
    public Path vomsdir() {
        return directory.resolve("vomsdir");
    }

    public Path hostCertificate() {
        return directory.resolve("hostcert.pem");
    }

    /** The host's key, unencrypted, with mode 0600. */
    public Path hostKey() {
        return directory.resolve("hostkey.pem");
    }

    /** The host's certificate and key. */
    public GridCredential host() {
        return GridCredential.parse(PemFile.read(hostCertificate()) + PemFile.read(hostKey()));
    }

    /** The CA that signs people and hosts: one below the root, as authorities of grids are. */
    public X509Certificate authorityCertificate() {
        return authority.credential().certificate();
    }

    /** It and its root in one file, for clients that know no directory of trust anchors. */
    public Path writeAuthorities(Path file) {
        PemFile.writePublic(
                file,
                PemFile.encode(List.of(authorityCertificate(), root.credential().certificate())));
        return file;
    }

    /** Any certificate of {@link #authorityCertificate}, not kept. */
    public GridCredential issue(CertificateForm form, KeyPair keys) {
        return authority.issue(form, keys);
    }

    /**
     * A further CA below the root that everybody trusts, with a CRL, and a certificate of it.
     *
     * @param policy what its signing policy lets it sign, in slash form; null for no signing policy
     */
    public synchronized GridCredential issueBelow(
            CertificateForm further, String policy, CertificateForm form, KeyPair keys) {
        CertificateAuthority below = new CertificateAuthority(root.issue(further), clock);
        TrustAnchorFiles files =
                new TrustAnchorFiles(certificates(), below.credential().certificate());
        files.writeAnchor(policy);
        files.writeRevocationList(below.revocationList(Set.of()));
        return below.issue(form, keys);
    }

    /** A further CA below the root that everybody trusts, for users of its own; not kept. */
    public FurtherAuthority further(String commonName) {
        CertificateAuthority below = new CertificateAuthority(
                root.issue(CertificateForm.authority("/DC=test/DC=gelato/CN=" + commonName)), clock);
        return new FurtherAuthority(
                below, new TrustAnchorFiles(certificates(), below.credential().certificate()));
    }

    /** A user {@code CN=name,O=People,DC=gelato,DC=test}; the same one for the same name. */
    public GridCredential user(String name) {
        return kept("user-" + fileName(name), () -> authority.issue(person("test", "gelato", name)));
    }

    /**
     * A user of the same form as {@link #user}, one of very many: not kept on disk, and all of them share a key pair, as making
     * one takes a tenth of a second. A CE tells users apart by their names alone.
     */
    public GridCredential member(String name) {
        return authority.issue(person("test", "gelato", name), memberKeys());
    }

    private synchronized KeyPair memberKeys() {
        if (memberKeys == null) {
            memberKeys = CertificateAuthority.newKeys();
        }
        return memberKeys;
    }

    /** A user of the same form as {@link #user} with an RSA key of so many bits; not kept. */
    public GridCredential user(String name, int bits) {
        return authority.issue(person("test", "gelato", name), CertificateAuthority.newKeys(bits));
    }

    /** A further VO of the host that speaks for {@link #VO}, known by an {@code .lsc} file from now on. */
    public VomsIssuer vo(String name) {
        return vo(name, voms.credential());
    }

    /** A further VO of a host with this certificate, known by an {@code .lsc} file from now on. */
    public VomsIssuer vo(String name, GridCredential server) {
        VomsIssuer issuer = new VomsIssuer(server, name, VOMS_HOST);
        issuer.writeLsc(vomsdir());
        return issuer;
    }

    /** A user signed by the trusted CA, though its signing policy does not cover the name. */
    public GridCredential outsider(String name) {
        return kept("outsider-" + fileName(name), () -> authority.issue(person("test", "elsewhere", name)));
    }

    /** A user of the same form as {@link #user}, signed by a CA nobody trusts. */
    public GridCredential stranger(String name) {
        return kept("stranger-" + fileName(name), () -> stranger.issue(person("test", "gelato", name)));
    }

    /** A certificate of the authority that nobody trusts. */
    public GridCredential stranger(CertificateForm form) {
        return stranger.issue(form);
    }

    /** The VOMS issuer that has an {@code .lsc} file. */
    public VomsIssuer voms() {
        return voms;
    }

    /** Says it is {@link #voms}, has a valid certificate, and is not the one the {@code .lsc} file names. */
    public VomsIssuer impostor() {
        return impostor;
    }

    /** Starts a proxy of a user. Proxies of one grid share a key pair, as making one takes a tenth of a second. */
    public synchronized ProxyBuilder proxy(GridCredential user) {
        if (proxyKeys == null) {
            proxyKeys = CertificateAuthority.newKeys();
        }
        return new ProxyBuilder(user, proxyKeys, voms, clock);
    }

    /** What a broken client signs in a delegation: named as a proxy of an issuer, and none, as it lacks proxyCertInfo. */
    public List<X509Certificate> signedBelow(GridCredential issuer, KeyPair keys) {
        String dn = PlainName.slash(issuer.certificate().getSubjectX500Principal());
        CertificateForm form = CertificateForm.host(dn + "/CN=123456789").policies();
        List<X509Certificate> chain = new ArrayList<>(
                new CertificateAuthority(issuer, clock).issue(form, keys).chain());
        chain.addAll(issuer.chain());
        return chain;
    }

    /** Puts a user's certificate on the CRL, beside all that are on it. */
    public synchronized void revoke(GridCredential user) {
        Set<BigInteger> serials = revoked();
        serials.add(user.chain().get(user.chain().size() - 1).getSerialNumber());
        anchors.writeRevocationList(authority.revocationList(serials));
    }

    /** Gives the CA's CRL another end, for instance one that has passed; who was revoked stays so. */
    public synchronized void endRevocationList(Instant end) {
        anchors.writeRevocationList(authority.revocationList(revoked(), end));
    }

    private void writeSite(String hostName, Set<String> names) {
        rootAnchors.writeAnchor(AUTHORITIES);
        rootAnchors.writeRevocationList(root.revocationList(Set.of()));
        anchors.writeAnchor(OWN_NAMESPACE);
        anchors.writeRevocationList(authority.revocationList(revoked()));
        voms.writeLsc(vomsdir());
        GridCredential host = kept("host-" + fileName(String.join(" ", names)), () -> issueHost(hostName, names));
        PemFile.writePublic(hostCertificate(), host.chainPem());
        PemFile.writePrivate(hostKey(), PemFile.encode(List.of(host.key())));
    }

    private Set<BigInteger> revoked() {
        Set<BigInteger> serials = new HashSet<>();
        if (!Files.exists(anchors.revocationList())) {
            return serials;
        }
        try (InputStream in = Files.newInputStream(anchors.revocationList())) {
            X509CRL crl = (X509CRL) CertificateFactory.getInstance("X.509").generateCRL(in);
            Set<? extends X509CRLEntry> entries = crl.getRevokedCertificates();
            if (entries != null) {
                entries.forEach(e -> serials.add(e.getSerialNumber()));
            }
            return serials;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(anchors.revocationList() + ": " + e.getMessage(), e);
        }
    }

    private GridCredential issueHost(String hostName, Set<String> names) {
        CertificateForm form = CertificateForm.host("/DC=test/DC=gelato/O=Hosts/CN=" + hostName);
        for (String name : names) {
            form.name(isAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName, name);
        }
        return authority.issue(form);
    }

    private CertificateAuthority root(String name, String commonName) {
        CertificateForm form = CertificateForm.authority("/DC=test/DC=gelato/CN=" + commonName);
        return new CertificateAuthority(
                kept(name, () -> CertificateAuthority.create(form, clock).credential()), clock);
    }

    private synchronized GridCredential kept(String name, Supplier<GridCredential> make) {
        Path file = credentials(directory).resolve(name + ".pem");
        if (Files.exists(file)) {
            return GridCredential.read(file);
        }
        GridCredential made = make.get();
        made.write(file);
        return made;
    }

    private static CertificateForm person(String outer, String inner, String name) {
        return CertificateForm.person("/DC=" + outer + "/DC=" + inner + "/O=People/CN=" + name);
    }

    private static Path credentials(Path directory) {
        return directory.resolve("credentials");
    }

    private static String fileName(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-") + "-"
                + Integer.toHexString(name.hashCode());
    }

    private static boolean isAddress(String name) {
        if (!name.matches("[0-9.]+") && name.indexOf(':') < 0) {
            return false;
        }
        try {
            return InetAddress.getByName(name) != null;
        } catch (IOException e) {
            throw new IllegalArgumentException("not an address: " + name, e);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }

    private static boolean allValid(Path directory, Clock clock) throws IOException {
        if (!Files.isDirectory(credentials(directory))) {
            return true;
        }
        if (!Files.exists(credentials(directory).resolve(ROOT + ".pem"))) {
            // Made before there was a CA below another one.
            return false;
        }
        try (Stream<Path> files = Files.list(credentials(directory))) {
            return files.filter(f -> f.toString().endsWith(".pem"))
                    .map(GridCredential::read)
                    .allMatch(c -> clock.instant()
                            .plus(WORTH_KEEPING)
                            .isBefore(c.certificate().getNotAfter().toInstant()));
        } catch (IllegalArgumentException unreadable) {
            return false;
        }
    }

    private static void clear(Path directory) throws IOException {
        for (String part : List.of("credentials", "certificates", "vomsdir")) {
            Path tree = directory.resolve(part);
            if (Files.exists(tree)) {
                try (Stream<Path> all = Files.walk(tree)) {
                    for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
                        Files.delete(p);
                    }
                }
            }
        }
    }
}
