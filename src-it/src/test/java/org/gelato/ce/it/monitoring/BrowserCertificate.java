package org.gelato.ce.it.monitoring;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import org.gelato.ce.testkit.pki.GridCredential;

/**
 * A certificate in the store of a user of Chromium, and a rule for all of this host's Chromium that chooses it for one site without a
 * dialog. Closing removes the rule.
 */
final class BrowserCertificate implements AutoCloseable {
    private static final Path RULES = Path.of("/etc/chromium/policies/managed");

    private final Path home;
    private final Path rule;

    /**
     * @param home of the user, who has no store yet
     * @param url of the site
     */
    BrowserCertificate(Path home, GridCredential credential, String url)
            throws IOException, InterruptedException, GeneralSecurityException {
        this.home = home;
        new NssStore(home.resolve(".pki/nssdb")).with(credential);
        Files.createDirectories(RULES);
        rule = Files.createTempFile(RULES, "gelato-test-", ".json");
        String choice =
                new ObjectMapper().writeValueAsString(Map.of("pattern", url.replaceAll("/$", ""), "filter", Map.of()));
        Files.writeString(
                rule, new ObjectMapper().writeValueAsString(Map.of("AutoSelectCertificateForUrls", List.of(choice))));
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
