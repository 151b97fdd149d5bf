package org.gelato.ce.it.htcondor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteIssuer;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.pki.ProxyBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real HTCondor as a client, in its grid universe: by proxy and by token. */
class HTCondorClientIT {
    /** Submitted at once; 5 000 with {@code -Dgelato.soak.minutes}. */
    private static final int MANY = Long.getLong("gelato.soak.minutes", 0) > 0 ? 5000 : 40;

    private static final Duration PATIENCE = Duration.ofMinutes(2);
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
        settings.put("gelato.lrms.fork.slots", 8);
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

    private static String proxy(String user) throws IOException {
        return proxy(user, ce.pki().proxy(ce.pki().user(user)));
    }

    private static String proxy(String user, ProxyBuilder proxy) throws IOException {
        String text = Files.readString(proxy.write(ce.base().resolve("condor-" + user.replace(' ', '-') + ".pem")));
        return "x509userproxy = " + pool.secret(user.replace(' ', '-') + ".pem", text);
    }

    private static boolean is(JsonNode job, int status) {
        return job.path("JobStatus").asInt() == status;
    }

    private static int atTheCe(String user) {
        return (int) ce.user(user).must("", "list").out().lines().count();
    }

    /** Removed at both ends: HTCondor removes a job at the CE when it has ended, or is removed. */
    private static void nothingIsLeftOf(String user) {
        Awaitility.await("no job of " + user + " is at the CE").atMost(PATIENCE).until(() -> atTheCe(user) == 0);
    }

    @Test
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
        for (JsonNode job : pool.await("all are complete", cluster, MANY, job -> is(job, COMPLETED))) {
            int number = job.path("ProcId").asInt();
            assertThat(job.path("ExitCode").asInt()).as(job.toString()).isEqualTo(number % 3);
            assertThat(pool.jobs().resolve("many." + number + ".out")).hasContent("brought");
            assertThat(pool.jobs().resolve("many." + number + ".err")).hasContent("job " + number);
        }
        nothingIsLeftOf("Ann of factories");
    }

    @Test
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
    void whatIsRemovedIdleOrRunningLeavesNothingAtTheCe() throws IOException {
        int cluster = pool.submit(12, """
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
                        && atTheCe("Dan of removals") == 12);
        pool.user("condor_rm", Integer.toString(cluster));
        pool.await("all are removed", cluster, 12, job -> is(job, REMOVED));
        nothingIsLeftOf("Dan of removals");
    }

    @Test
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

    @Test
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
        nothingIsLeftOf("Fay of kills");
    }
}
