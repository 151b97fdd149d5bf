package org.gelato.ce.core.lrms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.gelato.ce.core.account.AccountCommands.Completed;
import org.gelato.ce.core.account.AccountCommands.Run;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.json.RouteSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteScriptVariablesTest {
    private static final Owner ALICE =
            new Owner("CN=Alice O'Neil,DC=example,DC=org", "/atlas/de/Role=production", "atlas");

    private static Submission job(Owner owner, List<String> routes, Map<String, String> labels) {
        return Records.with(
                Submissions.plain(),
                "settings",
                new RouteSettings(routes, Map.of()),
                "origin",
                new Submission.Origin(owner, null, "ce", false),
                "labels",
                new JobLabels(null, labels));
    }

    private static Map<String, String> of(Owner owner) {
        return SiteScriptVariables.of(job(owner, List.of(), Map.of()));
    }

    @Test
    void theScriptKnowsWhoseJobItIsAndWhichRoutesMatched() {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("campaign", "mc23");
        labels.put("a.b-c", "first");
        labels.put("A_B_C", "second");
        assertThat(SiteScriptVariables.of(job(ALICE, List.of("atlas", "everybody"), labels)))
                .containsExactly(
                        entry("GELATO_JOB_QUEUE", "long"),
                        entry("GELATO_JOB_VO", "atlas"),
                        entry("GELATO_JOB_FQAN", "/atlas/de/Role=production"),
                        entry("GELATO_JOB_GROUP", ""),
                        entry("GELATO_JOB_ROLE", "production"),
                        entry("GELATO_JOB_DN", "/DC=org/DC=example/CN=Alice_O_Neil"),
                        entry("GELATO_JOB_ISSUER", ""),
                        entry("GELATO_JOB_SUBJECT", ""),
                        entry("GELATO_JOB_ROUTES", "atlas everybody"),
                        entry("GELATO_JOB_LABEL_CAMPAIGN", "mc23"),
                        entry("GELATO_JOB_LABEL_A_B_C", "first"));
    }

    @Test
    void ofATokenTheScriptKnowsIssuerSubjectAndGroup() {
        assertThat(of(new Owner("https://iam.example.org/,a b$(id),c", "/cms/production", "cms")))
                .contains(
                        entry("GELATO_JOB_VO", "cms"),
                        entry("GELATO_JOB_FQAN", ""),
                        entry("GELATO_JOB_GROUP", "/cms/production"),
                        entry("GELATO_JOB_ROLE", ""),
                        entry("GELATO_JOB_DN", ""),
                        entry("GELATO_JOB_ISSUER", "https://iam.example.org/"),
                        entry("GELATO_JOB_SUBJECT", "a_b__id__c"));
        assertThat(of(new Owner("https://aai.example.org,x", "urn:mace:egi.eu:group:vo1:role=admin#aai", null)))
                .contains(entry("GELATO_JOB_ROLE", "admin"), entry("GELATO_JOB_VO", ""));
    }

    @Test
    void withoutAVoThatOfTheFqanCounts() {
        assertThat(of(new Owner("CN=a", "/dteam", null))).contains(entry("GELATO_JOB_VO", "dteam"));
        assertThat(of(new Owner("CN=a", "", null))).contains(entry("GELATO_JOB_VO", ""), entry("GELATO_JOB_ROLE", ""));
    }

    @Test
    void aSubjectThatIsNoNameAndAJobOfNobodyAreNoFaults() {
        assertThat(of(new Owner("no name", "", null))).contains(entry("GELATO_JOB_DN", "no_name"));
        assertThat(SiteScriptVariables.of(Submissions.plain())).contains(entry("GELATO_JOB_DN", ""));
    }

    @Test
    void valuesAreBounded() {
        List<String> routes =
                IntStream.range(0, 200).mapToObj(i -> "r".repeat(60) + i).toList();
        Map<String, String> variables = SiteScriptVariables.of(
                job(new Owner("CN=" + "a".repeat(2000), "", null), routes, Map.of("x", "\ud83d\ude00".repeat(255))));
        assertThat(variables.get("GELATO_JOB_DN")).hasSize(1024);
        assertThat(variables.get("GELATO_JOB_ROUTES")).hasSizeBetween(4000, 4096);
        assertThat(routes)
                .containsAll(List.of(variables.get("GELATO_JOB_ROUTES").split(" ")));
        assertThat(variables.get("GELATO_JOB_LABEL_X")).matches("_{1,1024}");
    }

    /** Neither quoted nor in an arithmetic comparison, as careless scripts have it. */
    @Test
    void hostileLabelsMakeNeitherOptionsNorLinesNorCommands(@TempDir Path folder) throws IOException {
        Path witness = folder.resolve("witness");
        Path script = Files.writeString(folder.resolve("site.sh"), """
                echo "#SBATCH --comment=$GELATO_JOB_LABEL_X"
                echo "#SBATCH --comment=\\"$GELATO_JOB_LABEL_X\\""
                eval "y=$GELATO_JOB_LABEL_X"
                [[ $GELATO_JOB_LABEL_X -gt 0 ]] 2>/dev/null
                [ $GELATO_JOB_VO = atlas ] && echo "#SBATCH --qos=usual"
                """);
        for (String hostile : List.of(
                "a --qos=high",
                "a\" --qos=high \"",
                "a' --qos=high",
                "a\n#SBATCH --qos=high",
                "a\r\u0085\u2028#SBATCH",
                "$(touch WITNESS)",
                "`touch WITNESS`",
                "a;touch WITNESS",
                "a|touch WITNESS&",
                "a[$(touch WITNESS)]",
                "a,b=c",
                "*?~{a,b}<>\\!#",
                "\ud800\u202e\u00e4")) {
            Map<String, String> labels = Map.of("x", hostile.replace("WITNESS", witness.toString()));
            SiteScriptLines lines = run(job(ALICE, List.of(), labels), script);
            assertThat(lines.commands()).as(hostile).isEmpty();
            assertThat(lines.directives()).as(hostile).hasSize(3);
            String value = lines.directives().get(0).substring("#SBATCH --comment=".length());
            assertThat(value).as(hostile).matches("[A-Za-z0-9_.:/+@=%-]+");
            assertThat(lines.directives())
                    .containsExactly(
                            "#SBATCH --comment=" + value, "#SBATCH --comment=\"" + value + '"', "#SBATCH --qos=usual");
            assertThat(witness).as(hostile).doesNotExist();
        }
    }

    @Test
    void requirementsSetNoneOfThem(@TempDir Path folder) throws IOException {
        Path script = Files.writeString(folder.resolve("site.sh"), "echo \"#SBATCH -A $GELATO_JOB_VO\"\n");
        NodeRequest nodes =
                new NodeRequest(1, null, null, false, null, null, null, null, "other.GELATO_JOB_VO == \"cms\"");
        Submission job = job(ALICE, List.of(), Map.of());
        Submission forged = Records.with(job, "nodes", nodes);
        assertThat(run(forged, script).directives()).containsExactly("#SBATCH -A atlas");
    }

    private static SiteScriptLines run(Submission job, Path script) {
        SiteScriptLines[] printed = new SiteScriptLines[1];
        SiteScriptLines.before(
                        job,
                        script,
                        Map.of("PATH", "/usr/bin:/bin", "LANG", "C"),
                        Duration.ofMinutes(1),
                        (account, run) -> CompletableFuture.completedFuture(shell(run)),
                        lines -> {
                            printed[0] = lines;
                            return CompletableFuture.completedFuture(new SubmitResult.Accepted("1"));
                        })
                .join();
        return printed[0];
    }

    private static Completed shell(Run run) {
        try {
            ProcessBuilder builder = new ProcessBuilder(run.argv()).redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().clear();
            builder.environment().putAll(run.environment());
            Process shell = builder.start();
            try (OutputStream stdin = shell.getOutputStream()) {
                stdin.write(run.stdin());
            }
            String printed = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Completed(shell.waitFor(), false, printed, "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
