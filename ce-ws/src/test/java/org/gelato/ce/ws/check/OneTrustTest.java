package org.gelato.ce.ws.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import eu.emi.security.authn.x509.helpers.trust.OpensslTruststoreHelper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;
import org.bouncycastle.asn1.x509.ReasonFlags;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.KeyOrigins;
import org.gelato.ce.ws.http.HealthCheck;
import org.gelato.ce.ws.parts.monitoring.PartChecks;
import org.gelato.ce.ws.parts.monitoring.RevocationState;
import org.gelato.ce.ws.tls.ChainIdentities;
import org.gelato.ce.ws.tls.GridTrust;
import org.gelato.ce.ws.tls.RefusedChainException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What is decided about a certificate is what {@code /health/ready} and {@code ce server check} say of its CA. */
class OneTrustTest {
    private static final String CA = "/DC=test/DC=gelato/CN=Gelato Test CA";
    private static final String OWN_POINT = "http://ca.gelato.test/ca.crl";
    private static final String OTHER_POINT = "http://other.gelato.test/2.crl";
    private static final String UNKNOWN = "1.3.6.1.4.1.99999.7";

    @TempDir
    static Path grid;

    private static GridPki pki;
    private static GridCredential authority;
    private static X509Certificate[] alice;
    private static X509Certificate[] mallory;
    private static BigInteger revoked;

    @TempDir
    Path site;

    private Path certificates;
    private Path file;

    private enum Decision {
        ACCEPTED,
        /** Accepted, and so is whom the CRL would name, as there is none. */
        ALL,
        REFUSED,
        /** Refused as its certificate is not one that the CRL is for, while others are accepted. */
        LIMITED
    }

    /**
     * A state of the trust anchors.
     *
     * @param word in what is said of it everywhere
     */
    private record State(String name, Decision decision, String word, Change change) {
        interface Change {
            void make(OneTrustTest test) throws Exception;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeAll
    static void make() {
        pki = GridPki.open(grid, "localhost");
        authority = GridCredential.read(grid.resolve("credentials/ca.pem"));
        alice = chain(pki.user("Alice"));
        mallory = chain(pki.user("Mallory"));
        revoked = mallory[0].getSerialNumber();
        pki.revoke(pki.user("Mallory"));
    }

    private static X509Certificate[] chain(GridCredential user) {
        return user.chain().toArray(X509Certificate[]::new);
    }

    @BeforeEach
    void configure() throws IOException {
        certificates = site.resolve("certificates");
        CheckedSite.copy(pki.certificates(), certificates);
        file = Files.writeString(site.resolve("gelato.conf"), """
                gelato {
                  home = "."
                  host = "ce.example.org"
                  tls { ca-directory = certificates, voms-directory = %s }
                }
                """.formatted(pki.vomsdir()));
    }

    static Stream<State> states() {
        return Stream.of(
                accepted("current", t -> t.write(list(), ".r0")),
                refused("delta", "delta", t -> {
                    X509v2CRLBuilder list = list();
                    list.addExtension(Extension.deltaCRLIndicator, true, new CRLNumber(BigInteger.ONE));
                    t.write(list, ".r0");
                }),
                refused("some reasons", "reasons", t -> {
                    ReasonFlags reasons = new ReasonFlags(ReasonFlags.cACompromise);
                    t.write(scope(null, false, false, reasons, false), ".r0");
                }),
                refused("only CAs", "only contains CA", t -> t.write(scope(null, false, true, null, false), ".r0")),
                accepted("only users", t -> t.write(scope(null, true, false, null, false), ".r0")),
                accepted("indirect", t -> t.write(scope(null, false, false, null, true), ".r0")),
                accepted("its distribution point", t -> t.write(scope(OWN_POINT, false, false, null, false), ".r0")),
                new State(
                        "other distribution point",
                        Decision.LIMITED,
                        OTHER_POINT,
                        t -> t.write(scope(OTHER_POINT, false, false, null, false), ".r0")),
                refused("unknown critical extension", UNKNOWN, t -> {
                    X509v2CRLBuilder list = list();
                    list.addExtension(new ASN1ObjectIdentifier(UNKNOWN), true, DERNull.INSTANCE);
                    t.write(list, ".r0");
                }),
                refused("no end", "nextUpdate", t -> t.write(list(-60, null), ".r0")),
                refused("begins later", "begins at", t -> t.write(list(7200, 86400L), ".r0")),
                refused("ended", "ended at", t -> t.write(list(-86400, -3600L), ".r0")),
                accepted("ended beside current", t -> {
                    t.write(list(-86400, -3600L), ".r0");
                    t.write(list(), ".r1");
                }),
                refused("forged", "does not verify", t -> t.write(list(), pki.host(), ".r0")),
                new State("no list", Decision.ALL, "", t -> t.each(".r0", Files::delete)),
                refused("no list, required", "No CRLs found", t -> {
                    t.each(".r0", Files::delete);
                    t.set("tls.crl", "require");
                }),
                refused("damaged list", ".r0", t -> t.each(".r0", f -> Files.writeString(f, "x"))),
                refused("no policy", "Namespace", t -> t.each(".signing_policy", Files::delete)),
                refused("empty policy", "Namespace", t -> t.each(".signing_policy", f -> Files.writeString(f, ""))),
                refused(
                        "damaged policy",
                        "Namespace",
                        t -> t.each(".signing_policy", f -> Files.writeString(f, "access_id_CA X509 <<<<<<< HEAD"))),
                refused("policy of another CA", "Namespace", t -> {
                    Path root = t.other(".signing_policy");
                    t.each(".signing_policy", f -> Files.copy(root, f, StandardCopyOption.REPLACE_EXISTING));
                }),
                accepted("no policy, not required", t -> {
                    t.each(".signing_policy", Files::delete);
                    t.set("tls.signing-policy", "if-present");
                }),
                accepted("a new key beside the old one", t -> t.anchor(".1", BigInteger.TEN, pki.host(), 365)),
                refused(
                        "CA ended",
                        "ended",
                        t -> t.anchor(".0", authority.certificate().getSerialNumber(), authority, -1)));
    }

    private static State accepted(String name, State.Change change) {
        return new State(name, Decision.ACCEPTED, "", change);
    }

    private static State refused(String name, String word, State.Change change) {
        return new State(name, Decision.REFUSED, word, change);
    }

    @ParameterizedTest
    @MethodSource("states")
    void healthAndCheckSayWhatIsDecided(State state) throws Exception {
        state.change().make(this);
        CeConfig config = CeConfig.load(file);
        boolean refused = state.decision() == Decision.REFUSED;
        try (GridTrust trust = new GridTrust(config.tls().trust(), site.resolve("trust"))) {
            ChainIdentities identities = new ChainIdentities(trust, Clock.systemUTC());
            Optional<String> why = refusal(identities, alice);
            assertThat(why.isPresent()).isEqualTo(refused || state.decision() == Decision.LIMITED);
            assertThat(refusal(identities, mallory).isPresent()).isEqualTo(state.decision() != Decision.ALL);
            if (refused) {
                assertThat(why.orElseThrow()).contains(state.word());
            }
            HealthCheck.Outcome health = health(trust);
            assertThat(health.ok()).isTrue();
            assertThat(health.degraded()).isEqualTo(refused);
            assertThat(health.detail()).contains(state.word());
            List<Finding> findings = findings(config);
            assertThat(findings.stream().anyMatch(f -> f.level() == Finding.Level.ERROR))
                    .as("%s", findings)
                    .isEqualTo(refused);
            assertThat(findings.stream().map(Finding::text).collect(Collectors.joining()))
                    .contains(state.word());
            if (refused) {
                assertThat(health.detail()).contains(CA);
            } else if (state.decision() == Decision.ALL) {
                assertThat(findings)
                        .extracting(Finding::text)
                        .anyMatch(text -> text.contains("the CA " + CA + " has no CRL"));
            } else if (state.decision() == Decision.ACCEPTED && !state.name().contains("point")) {
                assertThat(health.detail()).isEqualTo("current");
                assertThat(findings).isEmpty();
            }
        }
    }

    /** Without a file that changes, and in the log. A machine that is slow has read it when it has ended: then it is given more time. */
    @Test
    void aListThatEndsIsSaidAtOnce() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(GridTrust.class);
        log.start();
        logger.addAppender(log);
        try {
            boolean said = false;
            for (int seconds : new int[] {2, 8, 30}) {
                log.list.clear();
                said = isSaidWhenItEnds(seconds, log);
                if (said) {
                    break;
                }
            }
            assertThat(said).as("a list of 30 s is read before it has ended").isTrue();
        } finally {
            logger.detachAppender(log);
        }
    }

    private boolean isSaidWhenItEnds(int seconds, ListAppender<ILoggingEvent> log) throws Exception {
        write(list(-60, (long) seconds), ".r0");
        try (GridTrust trust = new GridTrust(CeConfig.load(file).tls().trust(), site.resolve("trust"))) {
            if (!trust.judged().refused().isEmpty()) {
                return false;
            }
            RevocationState state = new RevocationState(trust, Clock.systemUTC(), new SimpleMeterRegistry());
            await().atMost(Duration.ofSeconds(seconds + 30)).until(() -> {
                // As the CE does every two seconds: a health check itself judges nothing.
                state.meter();
                return state.check().check().join().degraded();
            });
            assertThat(refusal(new ChainIdentities(trust, Clock.systemUTC()), alice))
                    .isPresent();
            assertThat(log.list)
                    .filteredOn(e -> e.getLevel() == Level.ERROR)
                    .singleElement()
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .asString()
                    .contains(CA, "ended at", certificates.toString());
        }
        return true;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/DC=test/DC=gelato/O=Hosts/CN=voms.gelato.test\n",
                "<html>",
                "/DC=test/DC=gelato/O=Hosts/CN=voms.gelato.test\n/DC=test/DC=gelato/CN=Gelato Test CA\n"
            })
    void healthAndCheckSayWhatIsDecidedOfAttributes(String content) throws Exception {
        Path servers = site.resolve("vomsdir");
        CheckedSite.copy(pki.vomsdir(), servers);
        set("tls.voms-directory", "vomsdir");
        Path description = Files.writeString(servers.resolve("dteam/voms.gelato.test.lsc"), content);
        boolean accepted = content.contains("Test CA");
        CeConfig config = CeConfig.load(file);
        try (GridTrust trust = new GridTrust(config.tls().trust(), site.resolve("trust"))) {
            X509Certificate[] proxy = chain(pki.proxy(pki.user("Alice")).make());
            assertThat(new ChainIdentities(trust, Clock.systemUTC())
                            .identify(proxy)
                            .fqans()
                            .isEmpty())
                    .isNotEqualTo(accepted);
            assertThat(trust.hasVomsServer("dteam")).isEqualTo(accepted);
            assertThat(health(trust).degraded()).isNotEqualTo(accepted);
            List<Finding> findings = findings(config);
            assertThat(findings.isEmpty()).isEqualTo(accepted);
            if (!accepted) {
                assertThat(health(trust).detail()).contains(description.toString());
                assertThat(findings.get(0).text()).contains(description.toString());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"0123456789abcdef, rw-------, true", "0123456789abcdef, rw-rw-rw-, false", "short, rw-------, false"})
    void healthSaysWhatIsDecidedOfASecret(String content, String mode, boolean usable) throws Exception {
        Path secret = Files.writeString(site.resolve("secret"), content);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString(mode));
        set("events.webhooks", "[{ name = a, url = \"https://localhost:1/x\", secret-file = secret }]");
        HealthCheck.Outcome health = PartChecks.webhooks(
                        CeConfig.load(file).push().receivers())
                .check()
                .join();
        assertThat(health.degraded()).isNotEqualTo(usable);
        if (!usable) {
            assertThat(health.detail()).contains("a (", secret.toString());
        }
    }

    private static HealthCheck.Outcome health(GridTrust trust) {
        return new RevocationState(trust, Clock.systemUTC(), new SimpleMeterRegistry())
                .check()
                .check()
                .join();
    }

    private List<Finding> findings(CeConfig config) {
        Findings findings = new Findings(KeyOrigins.of(file));
        TrustCheck.run(config, findings);
        return findings.all();
    }

    private static Optional<String> refusal(ChainIdentities identities, X509Certificate[] chain) {
        try {
            identities.identify(chain);
            return Optional.empty();
        } catch (RefusedChainException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static X509v2CRLBuilder list() {
        return list(-60, 86400L);
    }

    private static X509v2CRLBuilder list(long begin, Long end) {
        Instant now = Instant.now();
        X509v2CRLBuilder list = new JcaX509v2CRLBuilder(
                authority.certificate().getSubjectX500Principal(), Date.from(now.plusSeconds(begin)));
        if (end != null) {
            list.setNextUpdate(Date.from(now.plusSeconds(end)));
        }
        list.addCRLEntry(revoked, Date.from(now.minus(Duration.ofMinutes(1))), CRLReason.keyCompromise);
        return list;
    }

    private static X509v2CRLBuilder scope(
            String point, boolean users, boolean authorities, ReasonFlags reasons, boolean indirect)
            throws IOException {
        X509v2CRLBuilder list = list();
        DistributionPointName name = point == null
                ? null
                : new DistributionPointName(
                        new GeneralNames(new GeneralName(GeneralName.uniformResourceIdentifier, point)));
        list.addExtension(
                Extension.issuingDistributionPoint,
                true,
                new IssuingDistributionPoint(name, users, authorities, reasons, indirect, false));
        return list;
    }

    private void write(X509v2CRLBuilder list, String ending) throws Exception {
        write(list, authority, ending);
    }

    private void write(X509v2CRLBuilder list, GridCredential by, String ending) throws Exception {
        byte[] der = list.build(new JcaContentSignerBuilder("SHA256withRSA").build(by.key()))
                .getEncoded();
        String pem = "-----BEGIN X509 CRL-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(der)
                + "\n-----END X509 CRL-----\n";
        each(
                ".0",
                anchor -> Files.writeString(
                        anchor.resolveSibling(anchor.getFileName().toString().replace(".0", ending)), pem));
    }

    private interface FileChange {
        void make(Path file) throws IOException;
    }

    /** All files of the authority of users with this ending. */
    private void each(String ending, FileChange change) throws Exception {
        X500Principal subject = authority.certificate().getSubjectX500Principal();
        for (boolean present : new boolean[] {true, false}) {
            change.make(certificates.resolve(OpensslTruststoreHelper.getOpenSSLCAHash(subject, present) + ending));
        }
    }

    /** A file of the other authority with this ending. */
    private Path other(String ending) throws IOException {
        String hash = OpensslTruststoreHelper.getOpenSSLCAHash(
                pki.authorityCertificate().getIssuerX500Principal(), true);
        return certificates.resolve(hash + ending);
    }

    /** Another certificate of the authority of users. */
    private void anchor(String ending, BigInteger serial, GridCredential keys, long days) throws Exception {
        Instant now = Instant.now();
        X509Certificate old = authority.certificate();
        PublicKey key = keys.certificate().getPublicKey();
        X509v3CertificateBuilder b = new JcaX509v3CertificateBuilder(
                X500Name.getInstance(old.getIssuerX500Principal().getEncoded()),
                serial,
                Date.from(now.minus(Duration.ofDays(1000))),
                Date.from(now.plus(Duration.ofDays(days))),
                X500Name.getInstance(old.getSubjectX500Principal().getEncoded()),
                key);
        b.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        b.addExtension(
                Extension.subjectKeyIdentifier, false, new JcaX509ExtensionUtils().createSubjectKeyIdentifier(key));
        byte[] der = b.build(new JcaContentSignerBuilder("SHA256withRSA").build(keys.key()))
                .getEncoded();
        String pem = "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(der)
                + "\n-----END CERTIFICATE-----\n";
        each(ending, f -> Files.writeString(f, pem));
    }

    private void set(String key, String value) throws IOException {
        Files.writeString(file, Files.readString(file) + "gelato." + key + " = " + value + "\n");
    }
}
