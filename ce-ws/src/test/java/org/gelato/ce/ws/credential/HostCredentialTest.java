package org.gelato.ce.ws.credential;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.testkit.pki.CertificateForm;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostCredentialTest {
    @TempDir
    static Path directory;

    private static GridPki pki;

    @BeforeAll
    static void open() {
        pki = GridPki.open(directory.resolve("pki"), "localhost");
    }

    @Test
    void aPartThatFailedIsCalledAgainThoughThePairIsTheSame() {
        HostCredential host = new HostCredential(pki.hostCertificate(), pki.hostKey(), "localhost", Clock.systemUTC());
        List<String> calls = new ArrayList<>();
        host.follow(now -> {
            calls.add("failing");
            if (calls.size() < 4) {
                throw new IllegalStateException("no room");
            }
        });
        host.follow(now -> calls.add("other"));
        for (int i = 0; i < 4; i++) {
            assertThat(host.refresh()).isFalse();
        }
        assertThat(calls).containsExactly("failing", "other", "failing", "failing");
    }

    @Test
    void theCommonNameOfGlobusIsThatOfTheHost() {
        CertificateForm form = CertificateForm.authority("/DC=test/DC=gelato/O=Hosts/CN=host/ce.example.org");
        HostCertificate certificate =
                new HostCertificate(pki.issue(form, CertificateForm.rsa(2048)).certificate());
        assertThat(certificate.names()).containsExactly("ce.example.org");
        assertThat(certificate.isFor("ce.example.org")).isTrue();
        assertThat(certificate.isFor("host")).isFalse();
    }
}
