package org.gelato.ce.ws.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.route.Route;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import org.gelato.ce.ws.setup.migration.ArcCe;
import org.gelato.ce.ws.setup.migration.OldConfiguration.Migrated;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of the lines of an arc.conf. */
class FromArcTest {
    @TempDir
    private Path root;

    private Path file(String text) throws IOException {
        return Files.writeString(root.resolve("arc.conf"), text);
    }

    private Migrated migrate(String kind, String text) throws IOException {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("gelato.host", "ce.example.org");
        values.put("gelato.lrms.kind", kind);
        values.put("gelato.lrms.queues", List.of("long", "short"));
        return ArcCe.read(file(text)).migrate(new TrialSite(root, kind, values));
    }

    @Test
    void whatIsWrittenIsWhatTheServerReads() throws IOException {
        Path arc = file("""
                [common]
                hostname = ce.example.org
                x509_voms_dir="/opt/vomsdir"
                x509_host_key=/etc/shadow
                # comment
                [lrms]
                lrms = slurm short
                defaultmemory = 2000
                [arex/ws/jobs]
                allowaccess = atlas
                [authgroup: atlas]
                voms = atlas * production *
                subject = /DC=org/CN=Alice
                [queue: long]
                defaultmemory = 4000
                allowaccess = atlas
                [queue: short]
                comment = hidden
                """);

        SetupPlan plan = new Site(root).slurm().plan("--helper=own", "--from-arc=" + arc);
        plan.apply();

        CeConfig config = CeConfig.load(root.resolve("etc/gelato.conf"));
        assertThat(config.host()).isEqualTo("ce.example.org");
        assertThat(config.lrms().kind()).isEqualTo("slurm");
        assertThat(config.lrms().queues()).containsExactly("short", "long");
        assertThat(config.tls().vomsDirectory()).isEqualTo(root.resolve("grid/vomsdir"));
        assertThat(config.tls().hostKey()).isEqualTo(root.resolve("grid/hostkey.pem"));
        assertThat(ArcCe.read(arc)
                        .migrate(new TrialSite(root, "slurm", Map.of("gelato.host", "h")))
                        .values())
                .containsEntry("gelato.tls.voms-directory", "/opt/vomsdir")
                .doesNotContainKey("gelato.tls.host-key");
        List<Route> routes = config.routes().routes();
        assertThat(routes).extracting(Route::name).containsExactly("queue-long", "everybody");
        assertThat(routes.get(0).match().queues()).containsExactly("long");
        assertThat(routes)
                .extracting(Route::values)
                .containsExactly(Map.of("defaults.memory", 4000L << 20), Map.of("defaults.memory", 2000L << 20));
        assertThat(plan.report())
                .contains(
                        "arc.conf:2 [common] hostname -> gelato.host, where --host names no other",
                        "arc.conf:4 [common] x509_host_key -> not taken over: name their directory by --grid-security",
                        "arc.conf:7 [lrms] lrms -> gelato.lrms.kind = slurm",
                        "arc.conf:10 [arex/ws/jobs] allowaccess -> act: not taken over: who has no line in the grid-mapfile is"
                                + " refused, and who is in the ban file",
                        "arc.conf:12 [authgroup:atlas] voms -> act: not taken over: write the line \"/atlas/*Role=production\""
                                + " ACCOUNT in the grid-mapfile",
                        "arc.conf:13 [authgroup:atlas] subject -> act: not taken over: write the line \"/DC=org/CN=Alice\""
                                + " ACCOUNT in the grid-mapfile",
                        "arc.conf:15 [queue:long] defaultmemory -> defaults.memory = 4000 MiB",
                        "arc.conf:16 [queue:long] allowaccess -> act: not taken over, here all users may use each queue: let the"
                                + " batch system say who may")
                .noneMatch(line -> line.contains("hidden"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "condor | [queue:long]~condor_requirements = (a == 1)    | condor_requirements -> set.constraint = (a == 1)",
                "slurm  | [queue:long]~condor_requirements = (a == 1)    | not taken over: this CE has slurm",
                "slurm  | [queue:other]~defaultmemory = 5                | route queue-other -> not written: match.queue: other is not in",
                "slurm  | [queue:long]~defaultmemory = 5 GB              | not taken over: it is no whole number of MB",
                "slurm  | [queue:long]~pbs_queue_node = x                | not taken over: there is nothing like it",
                "slurm  | [queue:long]~[infosys/glue2/ldap]~defaultmemory = 5 | arc.conf:3 [infosys/glue2/ldap] defaultmemory ->",
                "slurm  | [queue:short]~[queue:long] # x~defaultmemory = 5    | [queue:long] defaultmemory -> defaults.memory = 5 MiB",
                "slurm  | [lrms]~lrms = \"  \"                          | not taken over: this CE has slurm, by --lrms",
                "slurm  | [lrms]~lrms = pbs                              | not taken over: this CE has slurm, by --lrms",
                "slurm  | [lrms]~lrms = sge                              | not taken over: this CE has slurm, by --lrms",
                "slurm  | [lrms]~slurm_bin_path = /opt/bin               | not taken over: name it by --bin-directory",
                "slurm  | [lrms]~[authgroup:a]~plugin = 10 secret        | [authgroup:a] plugin -> act: not taken over: see what",
                "slurm  | [lrms]~[mapping]~map_to_user = a b:c           | [mapping] map_to_user -> act: not taken over: write the grid-mapfile",
                "slurm  | [lrms]~[infosys]~loglevel = 5                  | [infosys] loglevel -> not read",
                "slurm  | [lrms]~[common]~x509_cert_dir = certs          | not taken over: it is no absolute path",
                "slurm  | stray = 1~[lrms]                               | arc.conf:1 stray -> not understood",
            })
    void eachLineIsNamed(String kind, String text, String line) throws IOException {
        assertThat(migrate(kind, text.replace("~", "\n")).report())
                .anySatisfy(found -> assertThat(found).contains(line).doesNotContain("secret"));
    }

    @Test
    void namesOfTheFileAreNoMoreThanLines() throws IOException {
        Path arc = file(
                "[common]\nhostname = a\u001b[2Jb\n[lrms]\nlrms = other\n[queue:]\n[queue:a\u001b[1m]\n[queue: b]\n");

        ArcCe read = ArcCe.read(arc);

        assertThat(read.host()).isEqualTo("a [2Jb");
        assertThat(read.kind()).isNull();
        assertThat(read.queues()).noneMatch(name -> name.isEmpty() || name.contains("\u001b"));
        assertThatThrownBy(() -> new Site(root).plan("--lrms=fork", "--helper=own", "--from-arc=" + arc))
                .hasMessageContaining("'a [2Jb' is not a host name");
    }

    @Test
    void largeAndForeignFilesAreRefused() throws IOException {
        refused("", "has neither [lrms] nor [queue:NAME]");
        refused("\0[[[[=\n[queue\n", "has neither [lrms] nor [queue:NAME]");
        refused("#".repeat((1 << 20) + 1), "is larger than 1 MiB");
        refused("[lrms]\n" + "a=1\n".repeat(10_001), "has more than 10000 lines that count");
    }

    private void refused(String text, String why) throws IOException {
        Path file = file(text);
        assertThatThrownBy(() -> ArcCe.read(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("--from-arc: ")
                .hasMessageContaining(why);
    }
}
