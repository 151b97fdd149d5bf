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
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.GeneralName;

/**
 * A grid in a directory: a CA with signing policy and CRL, the CE's host certificate, a VOMS issuer with its {@code .lsc},
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
    private static final String OWN_NAMESPACE = "/DC=test/DC=gelato/*";

    private final Path directory;
    private final Clock clock;
    private final CertificateAuthority authority;
    private final CertificateAuthority stranger;
    private final VomsIssuer voms;
    private final VomsIssuer impostor;
    private final TrustAnchorFiles anchors;
    private KeyPair proxyKeys;
    private KeyPair memberKeys;

    private GridPki(Path directory, Clock clock) {
        this.directory = directory;
        this.clock = clock;
        authority = authority("ca", "Gelato Test CA");
        stranger = authority("stranger", "Gelato Stranger CA");
        voms = new VomsIssuer(kept("voms", () -> issueHost(VOMS_HOST, Set.of(VOMS_HOST))), VO, VOMS_HOST);
        impostor = new VomsIssuer(
                kept("impostor", () -> issueHost("impostor.gelato.test", Set.of("impostor.gelato.test"))),
                VO,
                VOMS_HOST);
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

    /** Unencrypted, mode 0600. */
    public Path hostKey() {
        return directory.resolve("hostkey.pem");
    }

    /** Both of them. */
    public GridCredential host() {
        return GridCredential.parse(PemFile.read(hostCertificate()) + PemFile.read(hostKey()));
    }

    /** The CA everybody trusts. */
    public X509Certificate authorityCertificate() {
        return authority.credential().certificate();
    }

    /** A user {@code CN=name,O=People,DC=gelato,DC=test}; the same one for the same name. */
    public GridCredential user(String name) {
        return kept("user-" + fileName(name), () -> authority.issue(subject("test", "gelato", name)));
    }

    /**
     * A user of the same form as {@link #user}, one of very many: not kept on disk, and all of them share a key pair, as making
     * one takes a tenth of a second. A CE tells users apart by their names alone.
     */
    public GridCredential member(String name) {
        return authority.issue(subject("test", "gelato", name), memberKeys());
    }

    private synchronized KeyPair memberKeys() {
        if (memberKeys == null) {
            memberKeys = CertificateAuthority.newKeys();
        }
        return memberKeys;
    }

    /** A user of the same form as {@link #user} with an RSA key of so many bits; not kept. */
    public GridCredential user(String name, int bits) {
        return authority.issue(subject("test", "gelato", name), CertificateAuthority.newKeys(bits));
    }

    /** A further VO of the host that speaks for {@link #VO}, known by an {@code .lsc} file from now on. */
    public VomsIssuer vo(String name) {
        VomsIssuer issuer = new VomsIssuer(voms.credential(), name, VOMS_HOST);
        issuer.writeLsc(vomsdir());
        return issuer;
    }

    /** A user signed by the trusted CA, though its signing policy does not cover the name. */
    public GridCredential outsider(String name) {
        return kept("outsider-" + fileName(name), () -> authority.issue(subject("test", "elsewhere", name)));
    }

    /** A user of the same form as {@link #user}, signed by a CA nobody trusts. */
    public GridCredential stranger(String name) {
        return kept("stranger-" + fileName(name), () -> stranger.issue(subject("test", "gelato", name)));
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
        List<GeneralName> alternatives = new ArrayList<>();
        for (String name : names) {
            alternatives.add(new GeneralName(isAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName, name));
        }
        X500Name subject = new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.DC, "test")
                .addRDN(BCStyle.DC, "gelato")
                .addRDN(BCStyle.O, "Hosts")
                .addRDN(BCStyle.CN, hostName)
                .build();
        return authority.issue(subject, alternatives.toArray(new GeneralName[0]));
    }

    private CertificateAuthority authority(String name, String commonName) {
        X500Name subject = new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.DC, "test")
                .addRDN(BCStyle.DC, "gelato")
                .addRDN(BCStyle.CN, commonName)
                .build();
        return new CertificateAuthority(
                kept(name, () -> CertificateAuthority.create(subject, clock).credential()), clock);
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

    private static X500Name subject(String outer, String inner, String name) {
        return new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.DC, outer)
                .addRDN(BCStyle.DC, inner)
                .addRDN(BCStyle.O, "People")
                .addRDN(BCStyle.CN, name)
                .build();
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
