package org.gelato.ce.ws.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.audit.AuditAct;
import org.gelato.ce.core.audit.AuditEvent;
import org.gelato.ce.core.audit.AuditField;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.ws.web.RequestContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00.123456Z");
    private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

    @TempDir
    private Path directory;

    private AuditSettings settings(long maxFile, int files) {
        return new AuditSettings(true, directory.resolve("audit.log"), maxFile, files);
    }

    private List<JsonNode> lines() throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(directory.resolve("audit.log"))) {
            lines.add(new ObjectMapper().readTree(line));
        }
        return lines;
    }

    @Test
    void hostileValuesStayOneShortLine() throws IOException {
        AuditLog audit = new AuditLog(settings(1 << 20, 3), CLOCK);
        audit.done(new AuditLine(AuditEvent.REGISTER)
                .with(AuditField.DN, "CN=\"a\"\n{\"event\":\"banned\"}\u0085\u2028\u001b[2J\u007f")
                .with(AuditField.FQAN, "")
                .with(AuditField.TARGET, "x".repeat(1 << 20)));
        String text = Files.readString(directory.resolve("audit.log"));
        assertThat(text).matches("[\\x20-\\x7e]+\\n").hasSizeLessThan(3000);
        JsonNode line = lines().get(0);
        assertThat(line.path("event").asText()).isEqualTo("register");
        assertThat(line.path("time").asText()).isEqualTo("2026-03-01T10:00:00.123456Z");
        assertThat(line.path("dn").asText()).startsWith("CN=\"a\"\n{");
        assertThat(line.has("fqan")).isFalse();
    }

    /** A scheduler's thread may serve no request, and a request's thread may commit what the CE does by itself. */
    @Test
    void anActOfARequestNamesItsCallerAndAddressAndOneOfTheCeDoesNot() throws IOException {
        AuditLog audit = new AuditLog(settings(1 << 20, 3), CLOCK);
        Caller ann = new Caller(
                new GridIdentity("CN=Ann,DC=org", List.of("/dteam"), null, false, NOW, List.of()), "dteam001", false);
        new RequestContext("id1", "192.0.2.1").enter();
        try {
            audit.done(List.of(
                    AuditAct.by(ann, AuditEvent.LEASE_SET).with(AuditField.LEASE, "L1"),
                    AuditAct.own(AuditEvent.HANDED_OVER).with(AuditField.JOB, "job1")));
            audit.refused(AuditAct.by(ann, AuditEvent.REFUSED).with(AuditField.REASON, "limited"));
        } finally {
            RequestContext.leave();
        }
        assertThat(lines().stream().map(line -> line.toString().replaceFirst("\\{\"time\":\"[^\"]*\",", "{")))
                .containsExactly(
                        "{\"event\":\"lease-set\",\"dn\":\"CN=Ann,DC=org\",\"fqan\":\"/dteam\","
                                + "\"account\":\"dteam001\",\"address\":\"192.0.2.1\",\"lease\":\"L1\",\"request\":\"id1\"}",
                        "{\"event\":\"handed-over\",\"job\":\"job1\"}",
                        "{\"event\":\"refused\",\"reason\":\"limited\",\"dn\":\"CN=Ann,DC=org\",\"fqan\":\"/dteam\","
                                + "\"account\":\"dteam001\",\"address\":\"192.0.2.1\",\"request\":\"id1\"}");
    }

    @Test
    void refusalsOfOneAddressAreItsLossAlone() throws IOException {
        AuditLog audit = new AuditLog(settings(1 << 20, 3), CLOCK);
        for (int i = 0; i < 10_000; i++) {
            audit.refused(new AuditLine(AuditEvent.REFUSED).with(AuditField.ADDRESS, "192.0.2.1"));
        }
        audit.refused(new AuditLine(AuditEvent.REFUSED).with(AuditField.ADDRESS, "192.0.2.2"));
        audit.close();
        assertThat(lines()).hasSize(RefusalLimit.OF_ADDRESS + 2);
        assertThat(lines().get(RefusalLimit.OF_ADDRESS).path("address").asText())
                .isEqualTo("192.0.2.2");
        JsonNode last = lines().get(RefusalLimit.OF_ADDRESS + 1);
        assertThat(last.path("event").asText()).isEqualTo("suppressed");
        assertThat(last.path("count").asText()).isEqualTo(Integer.toString(10_000 - RefusalLimit.OF_ADDRESS));
    }

    @Test
    void refusalsOfManyAddressesAreBounded() throws IOException {
        AuditLog audit = new AuditLog(settings(1 << 20, 3), CLOCK);
        for (int i = 0; i < 10_000; i++) {
            audit.refused(new AuditLine(AuditEvent.REFUSED).with(AuditField.ADDRESS, "host" + i));
        }
        assertThat(lines()).hasSize(RefusalLimit.IN_ALL);
    }

    @Test
    void nextMinuteBegins() {
        RefusalLimit limit = new RefusalLimit();
        limit.ended(1);
        for (int i = 0; i < RefusalLimit.OF_ADDRESS; i++) {
            assertThat(limit.admits("a")).isTrue();
        }
        assertThat(limit.admits("a")).isFalse();
        assertThat(limit.ended(1)).isZero();
        assertThat(limit.ended(2)).isEqualTo(1);
        assertThat(limit.admits("a")).isTrue();
    }

    @Test
    void filesAreBounded() throws IOException {
        AuditLog audit = new AuditLog(settings(200, 3), CLOCK);
        for (int i = 0; i < 100; i++) {
            audit.done(new AuditLine(AuditEvent.REGISTER).with(AuditField.JOB, "job" + i));
        }
        try (var files = Files.list(directory)) {
            assertThat(files.map(f -> f.getFileName().toString()))
                    .containsExactlyInAnyOrder("audit.log", "audit.log.1", "audit.log.2");
        }
        assertThat(Files.readString(directory.resolve("audit.log"))).contains("job99");
    }

    @Test
    void unwritableFileCostsNoActAndIsCounted() throws IOException {
        Path file = Files.createDirectory(directory.resolve("audit.log"));
        AuditLog audit = new AuditLog(settings(1 << 20, 3), CLOCK);
        audit.done(new AuditLine(AuditEvent.REGISTER));
        assertThat(audit.lost()).isEqualTo(1);
        Files.delete(file);
        audit.done(new AuditLine(AuditEvent.START));
        assertThat(lines()).hasSize(1);
        assertThat(audit.lost()).isEqualTo(1);
    }

    @Test
    void lineThatAKillCutIsEnded() throws IOException {
        Files.writeString(directory.resolve("audit.log"), "{\"time\":\"20");
        new AuditLog(settings(1 << 20, 3), CLOCK).done(new AuditLine(AuditEvent.START));
        assertThat(Files.readAllLines(directory.resolve("audit.log"))).hasSize(2);
    }

    @Test
    void nothingIsWrittenWhenItIsOff() {
        AuditSettings off = new AuditSettings(false, directory.resolve("audit.log"), 1 << 20, 3);
        new AuditLog(off, CLOCK).done(new AuditLine(AuditEvent.START));
        assertThat(directory.resolve("audit.log")).doesNotExist();
    }

    @Test
    void pageNamesEveryEventAndField() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "admin", "audit.md"));
        assertThat(AuditEvent.values()).allSatisfy(e -> assertThat(page).contains("`" + e.text() + "`"));
        assertThat(AuditField.values()).allSatisfy(f -> assertThat(page).contains("- `" + f.text() + "`: "));
    }
}
