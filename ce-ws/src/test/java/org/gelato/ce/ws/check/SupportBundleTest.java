package org.gelato.ce.ws.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SupportBundleTest {
    private static final String PASSWORD = "tr0ub4dor-and-3";
    private static final String JWT =
            "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2lhbS5leGFtcGxlLm9yZyJ9.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg";
    private static final String HEX = "0123456789abcdef".repeat(4);
    /** Masked in the configuration. */
    private static final String READER = "/DC=org/CN=Zoe Masked";

    private static final String KEY_LINE = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";

    @TempDir
    Path temp;

    private Path configured() throws IOException {
        Files.writeString(temp.resolve("password"), PASSWORD + "\n");
        Files.writeString(temp.resolve("delegation.key"), HEX);
        Files.writeString(
                temp.resolve("audit.log"),
                "{\"event\":\"register\",\"dn\":\"CN=alice\"}\n{\"event\":\"x\",\"token\":\"" + JWT + "\"}\n");
        Files.writeString(
                temp.resolve("server.log"),
                "INFO start\nDEBUG Authorization: Bearer " + JWT + "\nDEBUG connecting with " + PASSWORD
                        + "\nDEBUG secret of the wrapper " + HEX
                        + "\n-----BEGIN RSA PRIVATE KEY-----\n" + KEY_LINE + "\n-----END RSA PRIVATE KEY-----\n"
                        + "DEBUG jdbc:mysql://gelato:" + PASSWORD + "@db/gelato\nDEBUG page for " + READER + "\n");
        Path file = temp.resolve("gelato.conf");
        Files.writeString(
                file,
                "gelato.home = \"" + temp + "\"\ngelato.audit.file = \"" + temp.resolve("audit.log") + "\"\n"
                        + "gelato.database { url = \"jdbc:mysql://127.0.0.1:1/gelato\", user = gelato, password-file = \""
                        + temp.resolve("password") + "\" }\n"
                        + "gelato.monitoring.readers = [\"" + READER + "\"]\n"
                        + "// old: password = \"" + PASSWORD + "\"\n");
        return file;
    }

    private static Map<String, String> entries(Path bundle) throws IOException {
        Map<String, String> entries = new TreeMap<>();
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(bundle))) {
            for (ZipEntry e = zip.getNextEntry(); e != null; e = zip.getNextEntry()) {
                entries.put(e.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return entries;
    }

    /** Its directory is the CE's account's, and the doctor may be root. */
    @Test
    void anAuditLogThatIsALinkIsNotFollowed() throws IOException {
        Path file = configured();
        Files.move(temp.resolve("audit.log"), temp.resolve("elsewhere"));
        Files.createSymbolicLink(temp.resolve("audit.log"), temp.resolve("elsewhere"));
        Path bundle = temp.resolve("bundle.zip");

        assertThat(new SupportBundle(file, null, Clock.systemUTC(), SupportBundleTest.class).write(bundle))
                .contains("log/audit.log: " + temp.resolve("audit.log") + " is not a regular file");
        assertThat(entries(bundle)).doesNotContainKey("log/audit.log");
    }

    @Test
    void aBundleHoldsThePartsAndNoSecret() throws IOException {
        Path bundle = temp.resolve("bundle.zip");

        List<String> missing = new SupportBundle(
                        configured(), temp.resolve("server.log"), Clock.systemUTC(), SupportBundleTest.class)
                .write(bundle);

        Map<String, String> entries = entries(bundle);
        assertThat(entries)
                .containsKeys(
                        "README.txt",
                        "versions.txt",
                        "check.json",
                        "configuration/gelato.conf",
                        "host/limits.txt",
                        "log/audit.log",
                        "log/application.log");
        assertThat(entries.get("log/audit.log")).contains("CN=alice");
        assertThat(entries.get("log/application.log")).contains("INFO start");
        assertThat(missing).anyMatch(why -> why.startsWith("metrics.txt: "));
        String all = String.join("\n", entries.values()) + missing;
        assertThat(all).doesNotContain(PASSWORD, JWT, HEX, KEY_LINE, "c2lnbmF0dXJl", READER);
        assertThat(entries.get("configuration/gelato.conf")).contains("gelato.monitoring.readers = ***");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(bundle)))
                .isEqualTo("rw-------");
    }

    @Test
    void aBrokenConfigurationStillGivesABundleThatSaysSo() throws IOException {
        Path file = temp.resolve("gelato.conf");
        Files.writeString(file, "gelato.prot = 1\ngelato.database.password = \"" + PASSWORD + "\"\n");
        Path bundle = temp.resolve("bundle.zip");

        List<String> missing = new SupportBundle(file, null, Clock.systemUTC(), SupportBundleTest.class).write(bundle);

        assertThat(missing).anyMatch(why -> why.contains("gelato.prot"));
        assertThat(String.join("\n", entries(bundle).values()))
                .contains("gelato.prot")
                .doesNotContain(PASSWORD);
    }

    @Test
    void anExistingFileIsNotOverwritten() throws IOException {
        Path bundle = Files.writeString(temp.resolve("bundle.zip"), "mine");
        assertThatThrownBy(() ->
                        new SupportBundle(configured(), null, Clock.systemUTC(), SupportBundleTest.class).write(bundle))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("exists already");
        assertThat(bundle).hasContent("mine");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "password = \"hunter-two\"",
                "db.password: hunter-two,",
                "{\"refreshToken\": \"hunter-two\"}",
                "https://host/x?access_token=hunter-two&y=1",
                "mysql://user:hunter-two@host/db",
                "Authorization: Basic hunter-two",
                "Authorization: token hunter-two",
                "url = \"https://hooks.example.org/services/T0000/hunter-two\"",
                "url = \"https://alerts.example.org/in?key=hunter-two\"",
                "GET https://alerts.example.org/in?a=b&sig=hunter-two HTTP/1.1",
                "jdbc:mysql://db/gelato?user=g&password=abc;hunter-two",
                "jdbc:mysql://g:pa/hunter-two@db/gelato",
                "jdbc:mysql://(host=db,user=g,password=hunter-two)/gelato",
                "-Djavax.net.ssl.keyStorePassword=hunter-two -Dx=y",
                "password = \"ab\\\"hunter-two\"",
                "password = \"\"\"first\nhunter-two\"\"\"",
                "password = correct hunter-two battery",
                "passphrase: 'it''s hunter-two'",
                "pwd=hunter-two",
                "-DDB_PASS=hunter-two",
                "-DAWS_KEY_ID=hunter-two",
                "env.DB_PASS = hunter-two",
                "a.SECRET_ID: 'hunter-two'",
                "password = \"hunter-two",
                "password = \"hunter-two\nport = 1",
                "{\"token\":\"hunter-two",
                "password = 'hunter-two",
                "pass=hunter-two",
                "credentials = hunter-two",
                "AWS_SECRET_ACCESS_KEY=hunter-two",
                "SECRET_OF_MINE='hunter-two'",
                "secret_key=hunter-two",
                "X-Auth-Key: hunter-two",
                "PRIVATE-TOKEN: hunter-two",
                "known as hunter two and, in a form, as hunter+two",
            })
    void whatLooksLikeASecretIsTakenOut(String text) {
        assertThat(new Secrets(List.of("hunter two")).without(text))
                .doesNotContain("hunter-two", "hunter two", "hunter+two")
                .contains(Secrets.MASK);
    }

    /** What somebody else wrote takes neither the stack nor the time: a bundle is wanted when something is wrong. */
    @ParameterizedTest
    @ValueSource(strings = {"token='%sx", "token='%s'", "token=\"%s\\\\", "%s", "\n%s", "?%s", "password%s"})
    void noTextIsTooLong(String text) {
        for (String filler : List.of("a", "\n", "?", "''", "\\\\\"", "=", "token")) {
            String hostile = String.format(text, filler.repeat(20_000 / filler.length()));
            assertTimeoutPreemptively(
                    Duration.ofMinutes(1), () -> new Secrets(List.of()).without(hostile), text + " of " + filler);
        }
    }

    @Test
    void aSignedTokenIsTakenOutWhereverItStands() {
        assertThat(new Secrets(List.of()).without("seen: eyJhbGciOiJub25lIn0.eyJzIjoxfQ.c2ln at last"))
                .isEqualTo("seen: *** at last");
    }

    @Test
    void ordinaryTextsStayAsTheyAre() {
        String text =
                "gelato.database.password-file = /etc/gelato/password\nce_jobs{state=\"IDLE\"} 3\nCREAM012345678 DONE-OK\n"
                        + "password { file = /etc/gelato/password }\nurl = \"https://ce.example.org:8443\"\n"
                        + "tokens.keep-keys = 1 d\nGET https://ce.example.org/arex/rest/1.0/jobs/0123456789abcdef";
        assertThat(new Secrets(List.of("abc")).without(text)).isEqualTo(text);
    }
}
