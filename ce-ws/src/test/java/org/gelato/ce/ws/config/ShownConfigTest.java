package org.gelato.ce.ws.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShownConfigTest {
    @TempDir
    private Path temp;

    private String shown(String text) throws IOException {
        return ShownConfig.text(Files.writeString(temp.resolve("gelato.conf"), text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gelato.port = 8444",
                "gelato.tls.refresh = \"5 minutes\"",
                "gelato.sandbox.max-input = \"2 GiB\"",
                "gelato.sandbox.shared = false",
                "gelato.tls.crl = \"require\"",
                "gelato.tls.host-key = \"/etc/gelato/host.pem\"",
                "gelato.database.password-file = \"/etc/gelato/password\"",
                "gelato.database.url = \"jdbc:mysql://db1.example.org:3306,db2/gelato\"",
                "gelato.host = \"ce.example.org\"",
                "gelato.lrms.queues = [\"long\",\"short\"]",
                "gelato.jobs.purge-policy = \"DONE-OK 5 days; ABORTED 2 days;\""
            })
    void whatCannotBeASecretIsShown(String line) throws IOException {
        assertThat(shown(line)).startsWith(line + "  # ").endsWith("gelato.conf line 1\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gelato.database.password-file = \"hunter2\"",
                "gelato.database.password-file = 123456",
                "gelato.database.password = 123456",
                "gelato.database.url = \"jdbc:mysql://g:hunter2@db/gelato\"",
                "gelato.database.url = \"jdbc:mysql://db/gelato?password=hunter2\"",
                "gelato.port = hunter2",
                "gelato.tls.crl = \"hunter 2\"",
                "gelato.events.webhooks = [ { name = a, url = \"https://x.example/T00/hunter2\" } ]",
                "gelato.tokens.issuers = [ { issuer = \"https://x.example/?key=hunter2\" } ]",
                "gelato.helper.command = [\"/usr/bin/env\", \"KEY=hunter2\"]",
                "gelato.information.site = \"\"\"first\nhunter2\"\"\"",
                "gelato.information.site = ${?SECRET_OF_MINE}",
                "# hunter2"
            })
    void everythingElseIsMaskedAndCommentsAreLeftOut(String line) throws IOException {
        assertThat(shown(line + "\ngelato.node = n"))
                .doesNotContain("hunter", "123456", "SECRET")
                .contains("gelato.node = \"n\"  # ")
                .matches(text -> line.startsWith("#") || text.contains(" = ***  # "));
    }

    @Test
    void issuersOfAListAreShown() throws IOException {
        assertThat(shown("gelato.tokens.issuers = [ { issuer = \"https://iam.example.org/\", keys = discover } ]"))
                .contains("gelato.tokens.issuers.issuer = \"https://iam.example.org/\"  # ")
                .contains("gelato.tokens.issuers.keys = ***  # ");
    }

    @Test
    void filesThatAreIncludedAreShownAlike() throws IOException {
        Files.writeString(temp.resolve("more.conf"), "gelato.port = 8444\ngelato.accounting.site = hunter2");
        assertThat(shown("include \"more.conf\""))
                .contains("gelato.port = 8444  # ", "more.conf line 1", "gelato.accounting.site = ***");
    }
}
