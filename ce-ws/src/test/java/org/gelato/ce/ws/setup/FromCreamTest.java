package org.gelato.ce.ws.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import org.gelato.ce.lrms.torque.TorqueSite;
import org.gelato.ce.ws.config.CeConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of the values of an old site. */
class FromCreamTest {
    @TempDir
    private Path root;

    private static Path sample() {
        return Path.of("src/test/resources/org/gelato/ce/ws/setup/cream-config.xml");
    }

    @Test
    void valuesOfTheOldSiteAreInForceAndOptionsComeBeforeThem() throws IOException {
        SetupPlan plan = new Site(root)
                .plan(
                        "--lrms=torque",
                        "--queue=long",
                        "--host=h.example.org",
                        "--helper=own",
                        "--from-cream=" + sample().toAbsolutePath());
        plan.apply();

        CeConfig config = CeConfig.load(root.resolve("etc/gelato.conf"));
        assertThat(config.sandboxRoot()).isEqualTo(root.resolve("sandbox"));
        assertThat(config.lrms().commandTimeout()).isEqualTo(Duration.ofMinutes(5));
        assertThat(((TorqueSite) config.lrms().site()).config().hostSmpSize()).isEqualTo(16);
        assertThat(config.jobs().maxLeaseTime()).isEqualTo(Duration.ofHours(5));
        assertThat(config.jobs().purgeInterval()).isEqualTo(Duration.ofHours(2));
        assertThat(config.tls().vomsDirectory()).isEqualTo(root.resolve("grid/vomsdir"));
        assertThat(config.admission().host().load1()).isEqualTo(60);
        assertThat(root.resolve("etc/gelato.conf")).content().contains("ABORTED 5 days; DONE-OK 20 days;");
    }

    @Test
    void eachOldKeyHasALineAndNoSecretIsShown() {
        CreamValues values = new CreamValues(CreamConfig.read(sample()), "slurm");

        assertThat(values.report())
                .hasSize(CreamConfig.read(sample()).size())
                .contains(
                        "BLAH_COMMAND_TIMEOUT -> gelato.lrms.command-timeout = 300 s",
                        "CREAM_SANDBOX_DIR -> gelato.sandbox-root = /var/cream_sandbox; it must belong to root, as all"
                                + " directories above",
                        "BLAHP_BIN_PATH -> not needed, because other batch systems are called by their own commands",
                        "HOST_SMP_SIZE -> not needed, because Slurm tells the size of its nodes, blahpd has gelato.lrms.blahp.host-smp-size",
                        "JOB_WRAPPER_COPY_PROXY_MIN_RETRY_WAIT -> not taken over: 'soon' is not a whole number",
                        "LB_DEFAULT_ADDRESS -> not taken over: nothing is reported to Logging and Bookkeeping",
                        "MyOwnKey -> not taken over: this key is not known; see /usr/share/doc/gelato-ce/admin/from-cream.md")
                .anyMatch(line -> line.startsWith("MemUsage -> not taken over: gelato.admission.memory = 300"))
                .noneMatch(line -> line.contains("very secret"));
        assertThat(values.values()).containsEntry("gelato.tls.voms-directory", "/opt/vomsdir");
        assertThat(values.values()).doesNotContainKeys("gelato.admission.memory", "gelato.lrms.blahp.command");
    }

    @Test
    void thePageHasTheListOfTheCode() throws IOException {
        assertThat(Files.readString(Path.of("..").resolve("docs/admin/from-cream.md")))
                .contains(CreamKey.ALL.stream().map(CreamKey::line).collect(Collectors.joining("\n")) + "\n");
    }

    @Test
    void aValueCannotBringLinesIntoOtherFiles() throws IOException {
        Path file = Files.writeString(
                root.resolve("c.xml"), "<a><p name='CREAM_SANDBOX_DIR' value='/x&#10;executable=/bin/sh'/></a>");

        CreamValues values = new CreamValues(CreamConfig.read(file), "slurm");

        assertThat(values.values()).isEmpty();
        assertThat(values.report())
                .containsExactly("CREAM_SANDBOX_DIR -> not taken over: its value has control characters");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "<a><p name='x' value='y'/>~is not well-formed XML",
                "<!DOCTYPE a [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><a><p name='Load1' value='&e;'/></a>~has a DOCTYPE",
                "<a><p name='Load1' value='&e;'/></a>~is not well-formed XML",
                "<a/>~holds no keys",
                "nothing~is not well-formed XML"
            })
    void hostileOrForeignFilesAreRefused(String text, String why) throws IOException {
        Path file = Files.writeString(root.resolve("c.xml"), text);

        assertThatThrownBy(() -> CreamConfig.read(file))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("--from-cream: " + file + " " + why);
    }

    @Test
    void largeDeepAndCrowdedFilesAreRefused() throws IOException {
        refused("<a>" + " ".repeat(1 << 20) + "</a>", "is larger than 1 MiB");
        refused("<a>".repeat(40) + "</a>".repeat(40), "is nested deeper than 32 elements");
        StringBuilder many = new StringBuilder("<a>");
        for (int i = 0; i <= 1000; i++) {
            many.append("<p name='k").append(i).append("' value='v'/>");
        }
        refused(many + "</a>", "has more than 1000 keys");
        refused("<p name='k' value='" + "v".repeat(5000) + "'/>", "of more than 4096 characters");
    }

    private void refused(String text, String why) throws IOException {
        Path file = Files.writeString(root.resolve("c.xml"), text);
        assertThatThrownBy(() -> CreamConfig.read(file)).hasMessageContaining(why);
    }
}
