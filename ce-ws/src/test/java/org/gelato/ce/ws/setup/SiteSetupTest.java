package org.gelato.ce.ws.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.gelato.ce.blahbridge.blahp.BlahpSite;
import org.gelato.ce.lrms.slurm.SlurmConfig;
import org.gelato.ce.lrms.slurm.SlurmSite;
import org.gelato.ce.ws.config.CeConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SiteSetupTest {
    private static final String[] FORK = {"--lrms=fork", "--host=ce.example.org", "--helper=own"};

    @TempDir
    private Path root;

    private Site site;

    @BeforeEach
    void make() throws IOException {
        site = new Site(root);
    }

    @Test
    void slurmIsFoundWithItsDefaultPartitionFirst() throws IOException {
        site.slurm();
        Files.writeString(site.at("comp"), "");

        site.plan("--host=ce.example.org", "--helper=own").apply();

        CeConfig config = CeConfig.load(site.at("etc/gelato.conf"));
        assertThat(config.lrms().kind()).isEqualTo("slurm");
        assertThat(config.lrms().queues()).containsExactly("short", "long");
        SlurmConfig slurm = ((SlurmSite) config.lrms().site()).config();
        assertThat(slurm.commands().binDirectory()).isEqualTo(site.at("bin"));
        assertThat(slurm.jobCompletionLog()).isEqualTo(site.at("comp"));
        assertThat(config.host()).isEqualTo("ce.example.org");
        assertThat(config.sandboxRoot()).isEqualTo(site.at("sandbox"));
        assertThat(config.authorization().gridmap()).isEqualTo(site.at("grid/grid-mapfile"));
    }

    @Test
    void torqueIsFoundWithoutItsRoutingQueues() throws IOException {
        SetupPlan plan = site.torque().plan("--host=ce.example.org", "--helper=own");
        plan.apply();

        assertThat(CeConfig.load(site.at("etc/gelato.conf")).lrms().queues()).containsExactly("batch", "long");
        assertThat(plan.report())
                .containsExactly("Torque forgets ended jobs too soon: qmgr -c 'set server keep_completed = 300'"
                        + " (/usr/share/doc/gelato-ce/admin/torque.md)");
    }

    @Test
    void theFileHoldsOnlyWhatDiffersWithTheCommentsOfTheReference() throws IOException {
        site.plan(FORK).apply();

        assertThat(site.text("etc/gelato.conf"))
                .contains("# Canonical host name", "gelato.host = \"ce.example.org\"\n")
                .doesNotContain("gelato.port", "gelato.database", "slurm.bin-directory");
    }

    /** The access log was below the CE's home, where nothing rotated it by time. */
    @Test
    void bothLogsAreInOneDirectory() throws IOException {
        site.plan(FORK).apply();

        CeConfig config = CeConfig.load(site.at("etc/gelato.conf"));
        assertThat(config.audit().file()).isEqualTo(site.at("log/audit.log"));
        assertThat(config.accessLog().file()).isEqualTo(site.at("log/access.log"));
    }

    @Test
    void aDryRunShowsEverythingAndWritesNothing() throws IOException {
        List<String> before = tree();

        List<String> shown = site.plan(FORK).shown();

        assertThat(shown)
                .contains("gelato.host = \"ce.example.org\"")
                .anyMatch(line -> line.startsWith("--- " + site.at("etc/gelato.conf") + " (new; "));
        assertThat(tree()).isEqualTo(before);
    }

    @Test
    void aSecondRunChangesNothing() throws IOException {
        site.plan(FORK).apply();
        List<String> before = tree();

        assertThat(site.plan(FORK).apply()).containsExactly("unchanged: " + site.at("etc/gelato.conf"));
        assertThat(tree()).isEqualTo(before);
    }

    @Test
    void otherContentIsRefusedBeforeAnythingIsWrittenAndKeptWhenForced() throws IOException {
        Files.createDirectories(site.at("etc"));
        Files.writeString(site.at("etc/gelato.conf"), "gelato.host = mine\n");
        List<String> before = tree();
        SetupPlan refused = site.plan(FORK);

        assertThatThrownBy(refused::apply)
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll(site.at("etc/gelato.conf").toString(), "--dry-run", "--force");
        assertThat(tree()).isEqualTo(before);

        site.plan(Stream.concat(Stream.of(FORK), Stream.of("--force")).toArray(String[]::new))
                .apply();
        assertThat(site.text("etc/gelato.conf.old")).isEqualTo("gelato.host = mine\n");
        assertThat(site.text("etc/gelato.conf")).contains("ce.example.org");
    }

    @Test
    void thePackageSUnmodifiedFileIsReplacedWithoutForce() throws IOException {
        Files.createDirectories(site.at("etc"));
        Files.writeString(site.at("etc/gelato.conf"), ConfigText.skeleton());

        site.plan(FORK).apply();

        assertThat(site.text("etc/gelato.conf")).contains("ce.example.org");
        assertThat(site.text("etc/gelato.conf.old")).isEqualTo(ConfigText.skeleton());
    }

    @Test
    void aRunThatWasKilledIsCompletedByTheNext() throws IOException {
        assumeRoot();
        String[] sudo = {"--lrms=fork", "--host=ce.example.org", "--helper=sudo"};
        site.plan(sudo).apply();
        assertThat(site.text("etc/helper.conf"))
                .contains("job_cgroup=/sys/fs/cgroup/system.slice/gelato-jobs.service\n");
        List<String> whole = tree();
        // Each file in turn was not there yet when a run ended, and its half-written one was left.
        for (String file : List.of("etc/helper.conf", "sudoers.d/gelato", "etc/gelato.conf", "libexec/gelato-helper")) {
            Files.delete(site.at(file));
            Path directory = site.at(file).getParent();
            if (!file.startsWith("libexec")) {
                Files.writeString(
                        directory.resolve(".gelato-init-" + site.at(file).getFileName() + ".1234"), "gel");
            }
            site.plan(sudo).apply();
            assertThat(tree()).as(file).isEqualTo(whole);
        }
        Files.delete(site.at("sandbox"));
        Files.createDirectory(site.at(".gelato-init-sandbox"));
        site.plan(sudo).apply();
        assertThat(tree()).isEqualTo(whole);
    }

    @Test
    void theHelperAcceptsItsConfigurationAndVisudoTheRule() throws Exception {
        assumeRoot();
        site.slurm()
                .plan("--host=ce.example.org", "--helper=sudo", "--min-uid=500", "--allowed-group=daemon")
                .apply();

        assertThat(site.text("etc/helper.conf"))
                .contains(
                        "sandbox_root=" + site.at("sandbox"),
                        "min_uid=500\n",
                        "allowed_group=daemon\n",
                        "executable=" + site.at("bin/sbatch") + "\n",
                        "self_executable=" + site.at("bin/scontrol") + " ping\n")
                .doesNotContain("job_cgroup");
        Process helper = new ProcessBuilder(
                        site.at("libexec/gelato-helper").toString(),
                        "-c",
                        site.at("etc/helper.conf").toString())
                .redirectErrorStream(true)
                .start();
        helper.getOutputStream().write("QUIT\n".getBytes(StandardCharsets.UTF_8));
        helper.getOutputStream().close();
        String said = new String(helper.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(helper.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(helper.exitValue()).as(said).isZero();
        assertThat(mode("sudoers.d/gelato")).isEqualTo("r--r-----");
        assertThat(mode("etc/helper.conf")).isEqualTo("rw-r--r--");
        assertThat(mode("etc/gelato.conf")).isEqualTo("rw-r-----");
        assertThat(mode("sandbox")).isEqualTo("rwx--x--x");
        assertThat(site.text("sudoers.d/gelato"))
                .contains(Site.USER + " ALL=(root) NOPASSWD: " + site.at("libexec/gelato-helper") + " -c "
                        + site.at("etc/helper.conf") + "\n");
        assertThat(CeConfig.load(site.at("etc/gelato.conf")).helper().command())
                .endsWith("-n", site.at("libexec/gelato-helper").toString());
    }

    @Test
    void aRuleThatVisudoRefusesReplacesNothing() throws IOException {
        PlannedFile good = new PlannedFile(root.resolve("a"), "x", Rights.root("rw-r--r--"));
        PlannedFile bad =
                new PlannedFile(root.resolve("b"), "x", Rights.root("rw-r--r--"), Set.of(), List.of("/bin/false"));
        List<String> before = tree();
        PlannedFiles files = new PlannedFiles(List.of(good, bad));

        assertThatThrownBy(files::write)
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("/bin/false refuses the text for " + root.resolve("b"));
        assertThat(tree()).isEqualTo(before);
    }

    @Test
    void vosBecomeAGridMapfile() throws IOException {
        Files.delete(site.at("grid/grid-mapfile"));
        Files.createDirectory(site.at("grid/gridmapdir"));

        site.plan("--lrms=fork", "--host=h.example.org", "--helper=own", "--vo=dteam=nobody", "--vo=ops=.ops")
                .apply();

        assertThat(site.text("grid/grid-mapfile")).endsWith("\n\"/dteam/*\" nobody\n\"/ops/*\" .ops\n");
        assertThat(CeConfig.load(site.at("etc/gelato.conf")).authorization().gridmapdir())
                .isEqualTo(site.at("grid/gridmapdir"));
    }

    @Test
    void anotherPortGoesIntoTheServiceSVariablesToo() throws IOException {
        Files.writeString(site.at("default"), "A=1\n#GELATO_URL=x\nHELPER_CAPABILITIES=yes\n");

        site.plan("--lrms=fork", "--host=h.example.org", "--helper=own", "--port=9443")
                .apply();

        assertThat(site.text("default")).isEqualTo("A=1\n#GELATO_URL=x\nGELATO_URL=https://localhost:9443\n");
        assertThat(CeConfig.load(site.at("etc/gelato.conf")).port()).isEqualTo(9443);
    }

    /** The RPM has the file, and a .deb none there. */
    @Test
    void theServiceSVariablesAreThoseOfThisHostSPackage() throws IOException {
        assertThat(SetupOptions.environmentFile(site.at("etc"))).isEqualTo(site.at("etc/default/gelato-ce"));
        Path ofRpm = site.at("etc/sysconfig/gelato-ce");
        Files.createDirectories(ofRpm.getParent());
        Files.createFile(ofRpm);
        assertThat(SetupOptions.environmentFile(site.at("etc"))).isEqualTo(ofRpm);
    }

    @Test
    void aSiteSDatabaseAndABlahpdAreWrittenAsOptionsNameThem() throws IOException {
        Files.writeString(site.at("password"), "secret\n");

        site.plan(
                        "--lrms=blahp",
                        "--host=h.example.org",
                        "--helper=own",
                        "--queue=q1,q2",
                        "--blahp-command=/usr/bin/env",
                        "--blahp-command=X=y",
                        "--blahp-command=/usr/bin/blahpd",
                        "--blahp-grid-type=lsf",
                        "--blahp-accounting-log=/var/log/blahp",
                        "--database=jdbc:mysql://db.example.org/gelato",
                        "--database-user=ce",
                        "--database-password-file=" + site.at("password"))
                .apply();

        CeConfig config = CeConfig.load(site.at("etc/gelato.conf"));
        assertThat(config.database().url()).isEqualTo("jdbc:mysql://db.example.org/gelato");
        assertThat(config.database().user()).isEqualTo("ce");
        assertThat(config.database().passwordFile()).isEqualTo(site.at("password"));
        assertThat(config.lrms().queues()).containsExactly("q1", "q2");
        assertThat(config.lrms().site().idName()).isEqualTo("lsf");
        assertThat(((BlahpSite) config.lrms().site()).config().command())
                .containsExactly("/usr/bin/env", "X=y", "/usr/bin/blahpd");
        assertThat(site.text("etc/gelato.conf")).doesNotContain("secret");
    }

    static Stream<List<String>> refused() {
        return Stream.of(
                List.of("'a b' is not a host name", "--host=a b"),
                List.of("'pbs' is none of slurm, torque, condor, blahp, fork", "--lrms=pbs"),
                List.of("scontrol is not in", "--lrms=slurm"),
                List.of("qstat is not in", "--lrms=torque", "--queue="),
                List.of("blahp needs --blahp-command", "--lrms=blahp"),
                List.of("'magic' is none of sudo, capabilities, own", "--helper=magic"),
                List.of("leave --directory out, or choose --helper sudo or --helper own", "--helper=capabilities"),
                List.of("--gridmap: /none is not a file", "--gridmap=/none"),
                List.of("there is no account nosuchaccount for dteam=nosuchaccount", "--vo=dteam=nosuchaccount"),
                List.of("'dteam' is not VO=ACCOUNT", "--vo=dteam"),
                List.of("pool accounts need the directory", "--vo=dteam=.dteam"),
                List.of("must not hold a password", "--database=jdbc:mysql://a:b@host/db"),
                List.of("must not hold a password", "--database=jdbc:mysql://host/db?password=x"),
                List.of("gelato.database.url = \"mysql:x\"", "--database=mysql:x"),
                List.of("--database-password-file: /none is not a file", "--database-password-file=/none"),
                List.of("there is no account and group nosuchaccount", "--user=nosuchaccount"),
                List.of("'Root!' is not the name of an account", "--user=Root!"),
                List.of("/a b is not an absolute path", "--sandbox=/a b"),
                List.of("/a/../b is not an absolute path", "--home=/a/../b"),
                List.of("is not a path of letters", "--bin-directory=/a\nexecutable=/bin/sh"),
                List.of("is not a path of letters", "--slurm-conf=/a b"),
                List.of("--min-uid: 0 would let root in", "--min-uid=0"),
                List.of("--allowed-group: 'a,b' is not the name of a group", "--allowed-group=a,b"),
                List.of("gelato.port = 70000", "--port=70000"),
                List.of("--from-cream: /none cannot be read", "--from-cream=/none"),
                List.of("--from-htcondor-ce: /none cannot be read: /none does not exist", "--from-htcondor-ce=/none"),
                List.of(
                        "--from-arc and --from-htcondor-ce both have routes",
                        "--from-arc=/none",
                        "--from-htcondor-ce=/none"),
                List.of("--from-arc: /none cannot be read: /none does not exist", "--from-arc=/none"));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatIsWrongIsNamedAndNothingIsWritten(List<String> one) throws IOException {
        List<String> before = tree();
        List<String> options = new ArrayList<>(List.of(FORK));
        options.addAll(one.subList(1, one.size()));
        String[] array = options.toArray(String[]::new);

        assertThatThrownBy(() -> site.plan(array))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining(one.get(0));
        assertThat(tree()).isEqualTo(before);
    }

    @Test
    void whatCannotBeKnownIsNamedAllAtOnce() throws IOException {
        Files.delete(site.at("grid/grid-mapfile"));

        assertThatThrownBy(() -> site.plan("--helper=own", "--host=h.example.org"))
                .hasMessageContainingAll("name it by --lrms", "map VOs by --vo");
    }

    @Test
    void aQueueThatIsNotThereIsNamedWithThoseThatAre() throws IOException {
        site.slurm();

        assertThatThrownBy(() -> site.plan("--host=h.example.org", "--helper=own", "--queue=longer"))
                .hasMessage("slurm has no queue longer; it has short, long");
    }

    @Test
    void aBatchSystemThatDoesNotRespondStopsTheSetupUnlessQueuesAreNamed() throws IOException {
        site.slurm().program("sinfo", "echo 'slurm_load_partitions: Unable to contact' >&2; exit 1");

        assertThatThrownBy(() -> site.plan("--host=h.example.org", "--helper=own"))
                .hasMessageContaining("Slurm does not respond: slurm_load_partitions: Unable to contact");
        assertThat(site.plan("--host=h.example.org", "--helper=own", "--queue=long")
                        .report())
                .anyMatch(line -> line.contains("the queues were not looked up"));
    }

    /** Other batch systems have a qstat, too. */
    @Test
    void aQstatThatKnowsNoTorqueIsNoTorque() throws IOException {
        site.torque().program("qstat", "echo 'unknown option -Q' >&2; exit 1");

        assertThatThrownBy(() -> site.plan("--host=h.example.org", "--helper=own", "--queue=q"))
                .hasMessageContaining("no batch system was found: name it by --lrms");
    }

    @Test
    void aProgramThatHangsOrFloodsIsEnded() throws IOException {
        Path flood = site.program("flood", "while :; do echo 0123456789; done").at("bin/flood");

        BoundedCommand.Outcome outcome =
                BoundedCommand.run(List.of(flood.toString()), Map.of(), Duration.ofMillis(200));

        assertThat(outcome.good()).isFalse();
        assertThat(outcome.error()).contains("did not end within");
        Path much =
                site.program("much", "head -c 200000 /dev/zero | tr '\\0' x").at("bin/much");
        assertThat(BoundedCommand.run(List.of(much.toString())).output()).hasSize(64 * 1024);
    }

    @Test
    void aSandboxRootBelowAnotherSDirectoryIsRefused() throws IOException {
        assumeRoot();
        Path theirs = Files.createDirectories(site.at("theirs"));
        Files.setOwner(theirs, Rights.account("daemon"));

        assertThatThrownBy(() -> site.plan(
                        "--lrms=fork", "--host=h.example.org", "--helper=sudo", "--sandbox=" + theirs.resolve("s")))
                .hasMessageContaining(theirs + " belongs to uid ")
                .hasMessageContaining("or run: chown root " + theirs);
    }

    /** The helper would not start with it. */
    @Test
    void aSandboxRootBehindAnotherSLinkIsRefused() throws IOException {
        assumeRoot();
        Path own = Files.createDirectories(site.at("own"));
        Path link = Files.createSymbolicLink(site.at("link"), own);
        Files.setAttribute(link, "unix:uid", 65534, LinkOption.NOFOLLOW_LINKS);

        assertThatThrownBy(() -> site.plan(
                        "--lrms=fork", "--host=h.example.org", "--helper=sudo", "--sandbox=" + link.resolve("s")))
                .hasMessageContaining(link + " is a symbolic link of uid 65534")
                .hasMessageContaining("or run: chown -h root " + link);
    }

    @Test
    void aHostKeyThatTheCeCannotReadBecomesItsOwnAlsoBehindALink() throws IOException {
        assumeRoot();
        Path key = Files.writeString(site.at("key"), "x");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("r--------"));
        Files.createSymbolicLink(site.at("grid/hostkey.pem"), key);

        site.plan("--lrms=fork", "--host=h.example.org", "--helper=own", "--user=daemon")
                .apply();

        assertThat(Files.getOwner(key).getName()).isEqualTo("daemon");
        assertThat(mode("key")).isEqualTo("rw-------");
    }

    @Test
    void questionsAreAskedWithWhatWasFoundAndWrongAnswersAskedAgain() throws IOException {
        site.slurm();
        List<String> asked = new ArrayList<>();
        Deque<String> responses = new ArrayDeque<>(
                List.of("a b", "ce.example.org", "", "short", "dteam=nobody", "Ada", "/DC=org/CN=Ada", "", "own"));
        SetupPlan plan = SiteSetup.plan(site.options(), new Terminal() {
            @Override
            public String ask(String question, String proposal) {
                asked.add(question + " [" + proposal + "]");
                String response = responses.remove();
                return response.isEmpty() ? proposal : response;
            }

            @Override
            public void show(String line) {
                asked.add(line);
            }
        });

        assertThat(responses).isEmpty();
        assertThat(asked)
                .contains("'a b' is not a host name")
                .anyMatch(q -> q.startsWith("Batch system") && q.endsWith("[slurm]"))
                .anyMatch(q -> q.startsWith("Queues") && q.endsWith("[short,long]"));
        assertThat(asked).anyMatch(q -> q.startsWith("'Ada' is no DN such as"));
        assertThat(plan.shown())
                .contains("gelato.lrms.queues = [\"short\"]", "\"/dteam/*\" nobody", "\"/DC=org/CN=Ada\"");
    }

    @Test
    void administratorsAreAddedToTheListThatIsThere() throws IOException {
        Files.writeString(site.at("grid/admin-list"), "# ours\n/DC=org/CN=Eva");
        site.plan(
                        "--lrms=fork",
                        "--host=h.example.org",
                        "--helper=own",
                        "--admin=/DC=org/CN=Eva",
                        "--admin=https://iam.example.org/,5f0c")
                .apply();
        assertThat(site.at("grid/admin-list"))
                .hasContent("# ours\n/DC=org/CN=Eva\n\"https://iam.example.org/,5f0c\"\n");
        Files.writeString(
                site.at("grid/admin-list"), "# was /DC=org/CN=Ada\n\"/DC=org/CN=Ada Lovelace\"\n\"CN=Eva,DC=org\"");
        site.plan(
                        "--lrms=fork",
                        "--host=h.example.org",
                        "--helper=own",
                        "--admin=/DC=org/CN=Ada",
                        "--admin=/DC=org/CN=Eva",
                        "--admin=CN=Ada,DC=org")
                .apply();
        assertThat(site.at("grid/admin-list"))
                .as("names are compared, not their letters")
                .hasContent(
                        "# was /DC=org/CN=Ada\n\"/DC=org/CN=Ada Lovelace\"\n\"CN=Eva,DC=org\"\n\"/DC=org/CN=Ada\"\n");
        Files.writeString(site.at("grid/admin-list"), "/DC=org/CN=Eva");
        site.plan("--lrms=fork", "--host=h.example.org", "--helper=own").apply();
        assertThat(Files.readString(site.at("grid/admin-list"))).isEqualTo("/DC=org/CN=Eva");
        assertThatThrownBy(() -> site.plan("--lrms=fork", "--host=h.example.org", "--helper=own", "--admin=Ada"))
                .hasMessageContaining("'Ada' is no DN such as /DC=org/CN=Ada");
    }

    /** A helper with capabilities reads the helper.conf of one directory. */
    @Test
    void capabilitiesWithAnotherDirectoryAreAskedAgain() throws IOException {
        List<String> shown = new ArrayList<>();
        Deque<String> responses = new ArrayDeque<>(List.of("capabilities", "own"));
        SetupPlan plan = SiteSetup.plan(
                site.options("--lrms=fork", "--host=ce.example.org", "--database=embedded"), new Terminal() {
                    @Override
                    public String ask(String question, String proposal) {
                        return question.startsWith("How the helper") ? responses.remove() : proposal;
                    }

                    @Override
                    public void show(String line) {
                        shown.add(line);
                    }
                });

        assertThat(responses).isEmpty();
        assertThat(shown).singleElement().asString().contains("leave --directory out", "--helper own");
        assertThat(plan.shown()).contains("gelato.host = \"ce.example.org\"");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "true, true, true, /etc/gelato, sudo",
                "true, true, true, /srv/ce, sudo",
                "true, false, true, /etc/gelato, capabilities",
                "true, false, true, /srv/ce, -",
                "true, false, false, /etc/gelato, -",
                "false, true, true, /srv/ce, own",
            })
    void theHelperSRightThatIsProposedIsPossible(
            boolean asRoot, boolean sudo, boolean setcap, Path directory, String proposal) {
        HelperRight right = new HelperRight(asRoot, sudo, setcap, directory);

        assertThat(right.proposal()).isEqualTo(proposal);
        if (proposal != null) {
            assertThat(right.problem(proposal)).isNull();
        }
    }

    @Test
    void whereNoRightCanBeProposedItIsSaidWhatToDo() {
        Path usual = Path.of("/etc/gelato");
        Path other = Path.of("/srv/ce");
        assertThat(new HelperRight(true, false, true, other).unknown())
                .endsWith("install sudo, leave --directory out, or choose --helper own");
        assertThat(new HelperRight(true, false, false, other).unknown())
                .endsWith("install sudo, or choose --helper own");
        assertThat(new HelperRight(true, false, false, usual).unknown())
                .endsWith("install sudo or libcap2-bin (EL: libcap), or choose --helper own");
        assertThat(new HelperRight(true, true, true, other).unknown()).endsWith("name it by --helper");
    }

    /** Somebody who answered six questions has a right to more than a refusal for the first word of the command line. */
    @Test
    void nobodyIsAskedWhereTheOptionsAreRefused() throws IOException {
        List<String> asked = new ArrayList<>();
        Terminal terminal = new Terminal() {
            @Override
            public String ask(String question, String proposal) {
                asked.add(question);
                return proposal;
            }

            @Override
            public void show(String line) {}
        };
        for (List<String> one : refused().toList()) {
            // Ports and addresses are read with the configuration that is made of the answers.
            if (!one.get(0).startsWith("gelato.")) {
                SetupOptions options = site.options(one.subList(1, one.size()).toArray(String[]::new));
                assertThatThrownBy(() -> SiteSetup.plan(options, terminal))
                        .as(one.get(0))
                        .hasMessageContaining(one.get(0));
            }
        }
        Files.createDirectories(site.at("etc"));
        Files.writeString(site.at("etc/gelato.conf"), "gelato.host = mine.example.org\n");
        assertThatThrownBy(() -> SiteSetup.plan(site.options(), terminal))
                .hasMessageContainingAll("etc/gelato.conf is there", "--force");
        assertThat(asked).isEmpty();
        assertThatThrownBy(() -> SiteSetup.plan(site.options("--force", "--lrms=fork"), terminal));
        assertThat(asked).isNotEmpty();
    }

    private String mode(String name) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(site.at(name)));
    }

    private List<String> tree() throws IOException {
        try (Stream<Path> all = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
            List<String> lines = new ArrayList<>();
            for (Path path : all.sorted().toList()) {
                lines.add(path + " " + PosixFilePermissions.toString(Files.getPosixFilePermissions(path))
                        + (Files.isRegularFile(path) ? " " + Arrays.hashCode(Files.readAllBytes(path)) : ""));
            }
            return lines;
        }
    }

    private static void assumeRoot() {
        assumeTrue(Rights.isRoot(), "only root gives the helper its right");
        assumeTrue(SiteFinder.program("sudo") != null, "sudo is not installed");
    }
}
