package org.gelato.ce.it.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.testkit.pki.GridCredential;

/**
 * A certificate in the store of a user of Chromium, and a rule for all of this host's Chromium that chooses it for one site without a
 * dialog. Closing removes the rule.
 */
final class BrowserCertificate implements AutoCloseable {
    static final Path STORE_TOOL = Path.of("/usr/bin/certutil");
    static final Path IMPORT_TOOL = Path.of("/usr/bin/pk12util");
    private static final Path RULES = Path.of("/etc/chromium/policies/managed");
    private static final String PASSWORD = "only-of-this-test";

    private final Path home;
    private final Path rule;

    /**
     * @param home of the user, who has no store yet
     * @param url of the site
     */
    BrowserCertificate(Path home, GridCredential credential, String url)
            throws IOException, InterruptedException, GeneralSecurityException {
        this.home = home;
        Path store = Files.createDirectories(home.resolve(".pki/nssdb"));
        Path file = home.resolve("certificate.p12");
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry(
                "user",
                credential.key(),
                PASSWORD.toCharArray(),
                credential.chain().toArray(new Certificate[0]));
        try (OutputStream out = Files.newOutputStream(file)) {
            keys.store(out, PASSWORD.toCharArray());
        }
        run(STORE_TOOL.toString(), "-N", "-d", "sql:" + store, "--empty-password");
        run(IMPORT_TOOL.toString(), "-d", "sql:" + store, "-i", file.toString(), "-W", PASSWORD, "-K", "");
        Files.createDirectories(RULES);
        rule = Files.createTempFile(RULES, "gelato-test-", ".json");
        String choice =
                new ObjectMapper().writeValueAsString(Map.of("pattern", url.replaceAll("/$", ""), "filter", Map.of()));
        Files.writeString(
                rule, new ObjectMapper().writeValueAsString(Map.of("AutoSelectCertificateForUrls", List.of(choice))));
    }

    private void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("certificate.log").toFile())
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue())
                .as(String.join(" ", command) + ": " + Files.readString(home.resolve("certificate.log")))
                .isZero();
    }

    /** What a Chromium needs to find the certificate. */
    Map<String, String> environment() {
        return Map.of("HOME", home.toString());
    }

    @Override
    public void close() throws IOException {
        Files.delete(rule);
    }
}
