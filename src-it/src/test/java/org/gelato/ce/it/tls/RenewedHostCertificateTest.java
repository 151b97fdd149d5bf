package org.gelato.ce.it.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.pki.PemFile;
import org.gelato.ce.ws.credential.HostCredential;
import org.gelato.ce.ws.tls.TlsConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** A host certificate that is renewed, in every order and state of its two files, below the CE's connector. */
class RenewedHostCertificateTest {
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @TempDir
    Path directory;

    private GridPki pki;
    private WhoAmIServer server;
    private X509Certificate first;
    private String firstKey;

    @BeforeEach
    void start() throws Exception {
        pki = GridPki.open(directory.resolve("pki"), "localhost");
        first = pki.host().certificate();
        firstKey = Files.readString(pki.hostKey());
        server = new WhoAmIServer(
                pki,
                config(),
                Clock.systemUTC(),
                identity -> new Caller(identity, "dteam001", false),
                Files.createDirectory(directory.resolve("tomcat")));
        log.start();
        ((Logger) LoggerFactory.getLogger(HostCredential.class)).addAppender(log);
    }

    @AfterEach
    void stop() throws Exception {
        ((Logger) LoggerFactory.getLogger(HostCredential.class)).detachAppender(log);
        server.close();
    }

    @Test
    void aRenewedPairCountsFromTheNextConnectionOn() throws Exception {
        SSLContext known = server.context("TLS", null);
        assertThat(server.ask(known).status()).isEqualTo(403);
        assertThat(server.certificate()).isEqualTo(first);

        GridPki renewed = GridPki.open(directory.resolve("pki"), "localhost", "other.example.org");

        assertThat(server.host().refresh()).isTrue();
        assertThat(server.certificate()).isEqualTo(renewed.host().certificate()).isNotEqualTo(first);
        assertThat(server.ask(known).status()).as("a session of before").isEqualTo(403);
        assertThat(server.host().refresh()).as("nothing new").isFalse();
        assertThat(errors()).isEmpty();
    }

    @Test
    void betweenTheTwoWritesOfARenewalTheEarlierPairServes() throws Exception {
        GridPki renewed = GridPki.open(directory.resolve("pki"), "localhost", "other.example.org");
        String key = Files.readString(pki.hostKey());
        Files.writeString(pki.hostKey(), firstKey);

        assertThat(server.host().refresh()).isFalse();
        assertThat(server.certificate()).isEqualTo(first);
        assertThat(server.host().fileState()).isEqualTo(state(errors().get(0).replaceFirst("; the host .*", "")));

        Files.writeString(pki.hostKey(), key);
        assertThat(server.host().refresh()).isTrue();
        assertThat(server.certificate()).isEqualTo(renewed.host().certificate());
        assertThat(server.host().fileState()).isEqualTo(state(""));
        assertThat(errors()).hasSize(1);
    }

    /** What may be found in place of a pair. */
    enum Broken {
        NO_CERTIFICATE("is not a readable file") {
            @Override
            void make(RenewedHostCertificateTest t) throws Exception {
                Files.delete(t.pki.hostCertificate());
            }
        },
        HALF_A_KEY("are not a certificate and its unencrypted key") {
            @Override
            void make(RenewedHostCertificateTest t) throws Exception {
                Files.writeString(t.pki.hostKey(), t.firstKey.substring(0, t.firstKey.length() / 2));
            }
        },
        EMPTY("are not a certificate and its unencrypted key") {
            @Override
            void make(RenewedHostCertificateTest t) throws Exception {
                Files.writeString(t.pki.hostCertificate(), "");
            }
        },
        KEY_OF_ANOTHER("the key belongs to none of the certificates") {
            @Override
            void make(RenewedHostCertificateTest t) throws Exception {
                Files.writeString(
                        t.pki.hostKey(),
                        PemFile.encode(List.of(t.pki.user("Alice Example").key())));
            }
        },
        ENDED("the host certificate ended at") {
            @Override
            void make(RenewedHostCertificateTest t) throws Exception {
                t.install(GridPki.open(
                        t.directory.resolve("ended"),
                        Clock.offset(Clock.systemUTC(), Duration.ofDays(-3000)),
                        "localhost"));
            }
        },
        OF_TOMORROW("the host certificate is not valid before") {
            @Override
            void make(RenewedHostCertificateTest t) throws Exception {
                t.install(GridPki.open(
                        t.directory.resolve("tomorrow"),
                        Clock.offset(Clock.systemUTC(), Duration.ofDays(3)),
                        "localhost"));
            }
        },
        OF_ANOTHER_HOST("and not for localhost") {
            @Override
            void make(RenewedHostCertificateTest t) throws Exception {
                t.install(t.pki.user("Alice Example"));
            }
        };

        private final String why;

        Broken(String why) {
            this.why = why;
        }

        abstract void make(RenewedHostCertificateTest t) throws Exception;
    }

    @ParameterizedTest
    @EnumSource(Broken.class)
    void aBrokenPairLeavesTheEarlierOneInForceAndSaysSoOnce(Broken broken) throws Exception {
        byte[] certificate = Files.readAllBytes(pki.hostCertificate());
        broken.make(this);

        assertThat(server.host().refresh()).isFalse();
        assertThat(server.host().refresh()).isFalse();

        assertThat(server.certificate()).isEqualTo(first);
        assertThat(errors())
                .singleElement()
                .asString()
                .contains(broken.why, "stays in force", "no restart is needed")
                .doesNotContain("PRIVATE KEY");
        assertThat(server.host().fileState().get(pki.hostCertificate())).contains(broken.why);

        Files.write(pki.hostCertificate(), certificate);
        Files.deleteIfExists(pki.hostKey());
        Files.writeString(pki.hostKey(), firstKey);
        server.host().refresh();
        assertThat(server.host().fileState()).isEqualTo(state(""));
    }

    @Test
    void aFirstPairThatIsNoneIsRefusedAndNotShown() {
        Path other = pki.user("Alice Example").write(directory.resolve("alice.pem"));

        assertThatThrownBy(() -> new HostCredential(pki.hostCertificate(), other, "localhost", Clock.systemUTC()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("tls.host-certificate, tls.host-key: ")
                .hasMessageContaining(other.toString())
                .hasMessageNotContaining("PRIVATE KEY");
    }

    @Test
    void aPartThatFailsDoesNotKeepTheOthersFromTheNewPair() {
        List<String> taken = new ArrayList<>();
        server.host().follow(now -> {
            throw new IllegalStateException("no room");
        });
        server.host().follow(now -> taken.add(now.secretPem()));
        GridPki.open(directory.resolve("pki"), "localhost", "other.example.org");

        server.host().refresh();

        assertThat(taken).hasSize(2).doesNotHaveDuplicates().allMatch(t -> t.contains("PRIVATE KEY"));
        assertThat(errors()).allMatch(e -> e.contains("no room")).noneMatch(e -> e.contains("PRIVATE KEY"));
    }

    private void install(GridPki other) throws Exception {
        Files.copy(other.hostCertificate(), pki.hostCertificate(), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(other.hostKey(), pki.hostKey(), StandardCopyOption.REPLACE_EXISTING);
    }

    private void install(GridCredential other) throws Exception {
        Files.writeString(pki.hostCertificate(), other.chainPem());
        Files.writeString(pki.hostKey(), PemFile.encode(List.of(other.key())));
    }

    private Map<Path, String> state(String trouble) {
        return Map.of(pki.hostCertificate(), trouble);
    }

    private List<String> errors() {
        return log.list.stream()
                .filter(e -> e.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private TlsConfig config() {
        return TlsConfig.parse(key -> switch (key) {
            case "host-certificate" -> pki.hostCertificate().toString();
            case "host-key" -> pki.hostKey().toString();
            case "ca-dir" -> pki.certificates().toString();
            case "voms-dir" -> pki.vomsdir().toString();
            default -> null;
        });
    }
}
