package org.gelato.ce.it.htcondor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteIssuer;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.pki.ProxyBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A real HTCondor as a client, in its grid universe: by proxy and by token. Its jobs wait most of their time, so side by side where JUnit may. */
@Execution(ExecutionMode.CONCURRENT)
class HTCondorClientIT {
    /** Submitted at once; 5 000 with {@code -Dgelato.soak.minutes}, which may take so long more. */
    private static final int MANY = Long.getLong("gelato.soak.minutes", 0) > 0 ? 5000 : 40;

    private static final Duration PATIENCE = Duration.ofMinutes(4 + Long.getLong("gelato.soak.minutes", 0));
    /** Whoever kills it is alone with it. */
    private static final String CE = "CE";

    private static final int RUNNING = 2;
    private static final int REMOVED = 3;
    private static final int COMPLETED = 4;
    private static final int HELD = 5;
    private static final SiteIssuer ISSUER = new SiteIssuer("cms");

    private static SiteCe ce;
    private static CondorPool pool;

    @BeforeAll
    static void start() throws IOException {
        CondorPool.missing().ifPresent(reason -> Skipped.because("HTCondor", reason));
        Map<String, Object> settings = new HashMap<>(ISSUER.trust());
        settings.put("gelato.lrms.fork.slots", 16);
        settings.put("gelato.wrapper.runtime-environments", environments().toString());
        ce = new SiteCe("condorclient", "fork", JobAccount.name(), settings);
        ISSUER.map(ce);
        ce.start();
        pool = CondorPool.start(ce);
    }

    @AfterAll
    static void stop() {
        if (pool != null) {
            pool.close();
        }
        if (ce != null) {
            ce.close();
        }
    }

    /** One environment that pilots of an experiment name. */
    private static Path environments() throws IOException {
        Path folder = Files.createTempDirectory(Path.of("/var/tmp"), "gelato-environments-");
        Path atlas = Files.createDirectories(folder.resolve("APPS/HEP")).resolve("ATLAS-SITE-LCG");
        Files.writeString(atlas, "export FROM_THE_SITE=set\n");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        return folder;
    }

    private static synchronized String proxy(String user) throws IOException {
        return proxy(user, ce.pki().proxy(ce.pki().user(user)));
    }

    private static synchronized String proxy(String user, ProxyBuilder proxy) throws IOException {
        String text = Files.readString(proxy.write(ce.base().resolve("condor-" + user.replace(' ', '-') + ".pem")));
        return "x509userproxy = " + pool.secret(user.replace(' ', '-') + ".pem", text);
    }

    private static boolean is(JsonNode job, int status) {
        return job.path("JobStatus").asInt() == status;
    }

    private static synchronized int atTheCe(String user, String... options) {
        List<String> command = new ArrayList<>(List.of("list"));
        command.addAll(List.of(options));
        return (int) ce.user(user)
                .must("", command.toArray(String[]::new))
                .out()
                .lines()
                .count();
    }

    /** Removed at both ends: HTCondor removes a job at the CE when it has ended, or is removed. */
    private static void nothingIsLeftOf(String user) {
        Awaitility.await("no job of " + user + " is at the CE").atMost(PATIENCE).until(() -> atTheCe(user) == 0);
    }

    @Test
    @ResourceLock(value = CE, mode = ResourceAccessMode.READ)
    void manyJobsWithInputOutputAndTheirExitCodes() throws IOException {
        Files.writeString(pool.jobs().resolve("many.in"), "brought\n");
        pool.user(
                "bash",
                "-c",
                "printf '#!/bin/sh\\ncat many.in\\necho job $1 >&2\\nexit $(($1 %% 3))\\n' >" + pool.jobs()
                        + "/many.sh");
        int cluster = pool.submit(MANY, """
                %s
                executable = %s/many.sh
                arguments = $(Process)
                transfer_input_files = many.in
                output = many.$(Process).out
                error = many.$(Process).err
                """.formatted(proxy("Ann of factories"), pool.jobs()));
        for (JsonNode job : pool.await("all are complete", cluster, MANY, PATIENCE, job -> is(job, COMPLETED))) {
            int number = job.path("ProcId").asInt();
            assertThat(job.path("ExitCode").asInt()).as(job.toString()).isEqualTo(number % 3);
            assertThat(pool.jobs().resolve("many." + number + ".out")).hasContent("brought");
            assertThat(pool.jobs().resolve("many." + number + ".err")).hasContent("job " + number);
        }
        nothingIsLeftOf("Ann of factories");
    }

    @Test
    @ResourceLock(value = CE, mode = ResourceAccessMode.READ)
    void aJobByTokenAlone() throws IOException {
        // with a path, too, as some factories have it
        int cluster = pool.submit(1, """
                grid_resource = arc https://localhost:%d/arex/rest/1.0
                use_scitokens = true
                scitokens_file = %s
                executable = /bin/echo
                transfer_executable = false
                arguments = by token
                output = token.out
                """.formatted(ce.port(), pool.secret("token", ISSUER.token(ce, "ben"))));
        pool.await("it is complete", cluster, 1, job -> is(job, COMPLETED));
        assertThat(pool.jobs().resolve("token.out")).hasContent("by token");
    }

    @Test
    @ResourceLock(value = CE, mode = ResourceAccessMode.READ)
    void aRefusedUserLearnsWhy() throws IOException {
        ProxyBuilder other = ce.pki()
                .proxy(ce.pki().user("Cleo of another VO"))
                .issuer(ce.pki().vo("other"))
                .fqans("/other");
        int cluster = pool.submit(1, """
                %s
                executable = /bin/true
                transfer_executable = false
                """.formatted(proxy("Cleo of another VO", other)));
        JsonNode job =
                pool.await("it is held", cluster, 1, held -> is(held, HELD)).get(0);
        assertThat(job.path("HoldReason").asText()).contains("CN=Cleo of another VO", "not authorized");
    }

    @Test
    @ResourceLock(value = CE, mode = ResourceAccessMode.READ)
    void whatIsRemovedIdleOrRunningLeavesNothingAtTheCe() throws IOException {
        int jobs = 20;
        int cluster = pool.submit(jobs, """
                %s
                executable = /bin/sleep
                transfer_executable = false
                arguments = 600
                """.formatted(proxy("Dan of removals")));
        Awaitility.await("some run, some wait")
                .atMost(PATIENCE)
                .until(() -> pool.listed(cluster).stream()
                                        .filter(job -> is(job, RUNNING))
                                        .count()
                                >= 4
                        && atTheCe("Dan of removals") == jobs);
        pool.user("condor_rm", Integer.toString(cluster));
        pool.await("all are removed", cluster, jobs, job -> is(job, REMOVED));
        nothingIsLeftOf("Dan of removals");
    }

    @Test
    @ResourceLock(value = CE, mode = ResourceAccessMode.READ)
    void aHeldJobIsCancelledAndReleasedRunsAnew() throws IOException {
        int cluster = pool.submit(1, """
                %s
                executable = /bin/sleep
                transfer_executable = false
                arguments = 20
                """.formatted(proxy("Eve of holds")));
        pool.await("it runs", cluster, 1, job -> is(job, RUNNING));
        pool.user("condor_hold", Integer.toString(cluster));
        pool.await("it is held", cluster, 1, job -> is(job, HELD));
        nothingIsLeftOf("Eve of holds");
        pool.user("condor_release", Integer.toString(cluster));
        pool.await("it is complete", cluster, 1, job -> is(job, COMPLETED));
    }

    /** All that Harvester's templates for ARC have: ADL beside HTCondor's own words, what is meant for other kinds of CEs, expressions. */
    @Test
    @ResourceLock(value = CE, mode = ResourceAccessMode.READ)
    void aPilotAsHarvesterSubmitsIt() throws IOException {
        Files.writeString(pool.jobs().resolve("pandaJobData.out"), "a job\n");
        pilot(
                "harvester.sh",
                "cat pandaJobData.out; echo \"$FROM_THE_SITE $HARVESTER_WORKER_ID $APFCID\"; printf '[%s]' \"$@\"");
        int cluster = pool.submit(2, """
                executable = %1$s/harvester.sh
                arguments = "-s SITE -q 'two words' -j managed --url https://panda.example.org --harvester-submit-mode PUSH"
                log = %1$s/grid.$(Cluster).$(Process).log
                output = %1$s/grid.$(Process).out
                error = %1$s/grid.$(Process).err
                transfer_executable = True
                %2$s
                environment = "HARVESTER_ID=central HARVESTER_WORKER_ID=551 APFCID=$(Cluster).$(Process)"
                +harvesterID = "central"
                +harvesterWorkerID = "551"
                should_transfer_files = True
                transfer_input_files = pandaJobData.out
                grid_resource = arc localhost:%3$d
                arc_resources = <QueueName>long</QueueName> \\
                    <RuntimeEnvironment><Name>APPS/HEP/ATLAS-SITE-LCG</Name></RuntimeEnvironment> \\
                    <RuntimeEnvironment><Name>ENV/PROXY</Name></RuntimeEnvironment> \\
                    <SlotRequirement><NumberOfSlots>2</NumberOfSlots><SlotsPerHost>2</SlotsPerHost></SlotRequirement> \\
                    <IndividualPhysicalMemory>1000000000</IndividualPhysicalMemory> \\
                    <WallTime>3600</WallTime> \\
                    <TotalCPUTime>7200</TotalCPUTime>
                arc_rte = APPS/HEP/ATLAS-SITE-LCG,ENV/PROXY
                +remote_jobuniverse = 5
                +remote_requirements = True
                +remote_ShouldTransferFiles = "YES"
                +remote_WhenToTransferOutput = "ON_EXIT"
                +remote_TransferOutput = ""
                +ioIntensity = 0
                periodic_remove = (JobStatus == 2 && (CurrentTime - EnteredCurrentStatus) > 604800)
                +remote_PeriodicRemove = (JobStatus == 5 && (CurrentTime - EnteredCurrentStatus) > 3600)
                """.formatted(pool.jobs(), proxy("Gil of Harvester"), ce.port()));
        for (JsonNode job : pool.await("both are complete", cluster, 2, job -> is(job, COMPLETED))) {
            assertThat(job.path("ExitCode").asInt()).as(job.toString()).isZero();
            int number = job.path("ProcId").asInt();
            assertThat(pool.jobs().resolve("grid." + number + ".out"))
                    .hasContent("a job\nset 551 " + cluster + "." + number
                            + "\n[-s][SITE][-q][two words][-j][managed][--url][https://panda.example.org]"
                            + "[--harvester-submit-mode][PUSH]");
        }
        nothingIsLeftOf("Gil of Harvester");
    }

    /** What a factory of glideinWMS writes for an entry of type arc; its credentials are input files of the pilot. */
    @Test
    @ResourceLock(value = CE, mode = ResourceAccessMode.READ)
    void aPilotAsGlideinWmsSubmitsIt() throws IOException {
        Path secret = pool.secret("glidein.idtoken", "for the collector\n");
        pilot("glidein_startup.sh", "cat glidein.idtoken; printf '[%s]' \"$@\"");
        int cluster = pool.submit(3, """
                grid_resource = arc https://localhost:%1$d/arex/rest/1.0
                executable = %2$s/glidein_startup.sh
                copy_to_spool = True
                arguments = -v std -name site -clientname 'a b' -param_GLIDEIN_Collector factory.dot,example.dot,org
                transfer_input_files = %3$s
                encrypt_input_files = %3$s
                transfer_executable = True
                transfer_output_files =
                when_to_transfer_output = ON_EXIT
                stream_output = False
                stream_error = False
                %4$s
                +GlideinFactory = "factory"
                +GlideinMaxWalltime = 3600
                +GlideinSlotsLayout = "fixed"
                +fename = "frontend"
                leave_in_queue = (time() - EnteredCurrentStatus) < 12*60*60
                periodic_remove = (isUndefined(GlideinSkipIdleRemoval)==True || GlideinSkipIdleRemoval==False) \\
                    && (JobStatus==1 && (time() - QDate)>864000) \\
                    || (JobStatus==2 && ((time() - EnteredCurrentStatus) > (GlideinMaxWalltime + 12*60*60)))
                notification = Never
                +Owner = undefined
                log = %2$s/condor_activity.log
                output = %2$s/glidein.$(Process).out
                error = %2$s/glidein.$(Process).err
                """.formatted(ce.port(), pool.jobs(), secret, proxy("Hal of glideins")));
        for (JsonNode job : pool.await("all are complete", cluster, 3, job -> is(job, COMPLETED))) {
            assertThat(job.path("ExitCode").asInt()).as(job.toString()).isZero();
            assertThat(pool.jobs().resolve("glidein." + job.path("ProcId").asInt() + ".out"))
                    .hasContent("for the collector\n[-v][std][-name][site][-clientname]['a][b']"
                            + "[-param_GLIDEIN_Collector][factory.dot,example.dot,org]");
        }
        nothingIsLeftOf("Hal of glideins");
    }

    /** How many jobs of a user ever went to the batch system. */
    private static long handedOver(String user) throws IOException {
        try (Stream<String> lines = Files.lines(ce.base().resolve("state").resolve("audit.log"))) {
            return lines.filter(line -> line.contains("\"event\":\"handed-over\"") && line.contains("CN=" + user + ","))
                    .count();
        }
    }

    private static void pilot(String name, String script) throws IOException {
        Path file = Files.writeString(pool.jobs().resolve(name), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    @ResourceLock(value = CE, mode = ResourceAccessMode.READ_WRITE)
    void killsOfTheCeAndOfTheScheddLoseAndDoubleNothing() throws IOException {
        pool.user("bash", "-c", "printf '#!/bin/sh\\nsleep 20\\necho ran $1\\n' >" + pool.jobs() + "/kills.sh");
        int jobs = 22;
        int cluster = pool.submit(jobs, """
                %s
                executable = %s/kills.sh
                arguments = $(Process)
                output = kills.$(Process).out
                periodic_release = true
                """.formatted(proxy("Fay of kills"), pool.jobs()));
        Awaitility.await("jobs are at the CE").atMost(PATIENCE).until(() -> atTheCe("Fay of kills") >= 8);
        ce.kill();
        ce.start();
        pool.killSchedd();
        List<JsonNode> ended = pool.await("all are complete", cluster, jobs, job -> is(job, COMPLETED));
        for (JsonNode job : ended) {
            assertThat(job.path("ExitCode").asInt()).as(job.toString()).isZero();
            int number = job.path("ProcId").asInt();
            assertThat(pool.jobs().resolve("kills." + number + ".out")).hasContent("ran " + number);
        }
        // HTCondor forgets a job whose files it could not send; the CE's purge policy does not. One request may have
        // been on its way
        // when the CE was killed, so that HTCondor does not know of a start.
        long twice = handedOver("Fay of kills") - jobs;
        assertThat(twice).isBetween(0L, 1L);
        assertThat(atTheCe("Fay of kills") - atTheCe("Fay of kills", "--status", "REGISTERED"))
                .isEqualTo((int) twice);
    }
}
