package org.gelato.ce.it.once;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.Relay;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteDatabase;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.SiteUser.Outcome;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whole jobs, from delegation to purge, on a server of the site's, over connections that lose responses. */
class WholeJobOnceIT {
    private static final String SAID = " StdOutput = \"said\"; OutputSandbox = {\"said\"};"
            + " OutputSandboxBaseDestURI = \"gsiftp://localhost\"; ";
    private static final String SAYS_HELLO = "[ Executable = \"/bin/echo\"; Arguments = \"hello\";" + SAID + "]";

    private static SiteDatabase database;
    private static SiteCe ce;

    @BeforeAll
    static void start() {
        database = SiteDatabase.start();
        ce = new SiteCe("once", "fork", JobAccount.name(), database.settings());
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
        if (database != null) {
            database.close();
        }
    }

    private static long jobs() {
        return database.number("SELECT COUNT(*) FROM job");
    }

    @Test
    void oneJobFromDelegationToPurgeThoughTheResponsesToItsRegistrationAreLost() throws IOException {
        SiteUser ann = ce.user("Ann of once");
        ann.must("", "delegate", "once");
        long before = jobs();
        String job;
        try (Relay relay = Relay.cutting(ce.port(), 2, (response, carried) -> response && jobs() > before)) {
            Outcome submitted = ann.must(
                    SAYS_HELLO, "submit", "-D", "once", "-r", "localhost:" + relay.port() + "/cream-fork-long", "-");
            assertThat(relay.cutsLeft()).isZero();
            assertThat(submitted.err()).isEmpty();
            job = "https://localhost:" + ce.port() + "/" + local(submitted);
        }
        assertThat(jobs() - before).isEqualTo(1);
        fetchAndPurge(ann, job, "fetched");
        await(() -> assertThat(jobs()).isEqualTo(before));
        assertThat(ann.must("", "list").out()).isEmpty();
    }

    /** Straight to the CE: the client sends files only where it has registered. */
    @Test
    void oneJobWithAFileOfItsUsers() throws IOException {
        SiteUser cleo = ce.user("Cleo of once");
        Files.writeString(ce.base().resolve("greeting.txt"), "hello\n");
        Files.writeString(
                ce.base().resolve("job.jdl"),
                "[ Executable = \"/bin/cat\"; Arguments = \"greeting.txt\"; InputSandbox = {\"greeting.txt\"};" + SAID
                        + "]");
        String job = cleo.must("", "submit", "job.jdl").out().strip();
        fetchAndPurge(cleo, job, "fetched-of-file");
        await(() -> assertThat(cleo.must("", "list").out()).isEmpty());
    }

    private static void fetchAndPurge(SiteUser user, String job, String directory) {
        user.await(job, "DONE-OK");
        user.must("", "output", "-d", directory, job);
        assertThat(ce.base().resolve(directory).resolve("said")).hasContent("hello");
        user.must("", "purge", job);
    }

    private static void await(ThrowingRunnable assertion) {
        Awaitility.await("purged").untilAsserted(assertion);
    }

    @Test
    void aJobIsStartedOnceThoughTheAnswerToItsStartIsLost() throws IOException {
        SiteUser ben = ce.user("Ben of once");
        ben.must("", "delegate", "once");
        long before = starts();
        String job;
        try (Relay relay = Relay.cutting(ce.port(), 1, (response, carried) -> response && starts() > before)) {
            Outcome submitted = ben.run(
                    SiteUser.shellJob("exit 0"),
                    "submit",
                    "-D",
                    "once",
                    "-r",
                    "localhost:" + relay.port() + "/cream-fork-long",
                    "-");
            assertThat(submitted.exit()).as(submitted.err()).isZero();
            assertThat(relay.cutsLeft()).isZero();
            job = "https://localhost:" + ce.port() + "/" + local(submitted);
        }
        assertThat(starts() - before).isEqualTo(1);
        ben.await(job, "DONE-OK");
    }

    @Test
    void aJobIsKeptThoughTheResponseToTheFileIsLostThatStartedIt() throws IOException {
        SiteUser dan = ce.user("Dan of once");
        Files.writeString(ce.base().resolve("rest.txt"), "hello\n");
        Files.writeString(
                ce.base().resolve("rest.jdl"),
                "[ Executable = \"/bin/cat\"; Arguments = \"rest.txt\"; InputSandbox = {\"rest.txt\"};" + SAID + "]");
        long before = starts();
        String job;
        try (Relay relay = Relay.cutting(ce.port(), 1, (response, carried) -> response && starts() > before)) {
            Outcome submitted = dan.must(
                    "",
                    "--protocol",
                    "arcrest",
                    "submit",
                    "-r",
                    "localhost:" + relay.port() + "/cream-fork-long",
                    "rest.jdl");
            assertThat(relay.cutsLeft()).isZero();
            job = "https://localhost:" + ce.port() + "/" + local(submitted);
        }
        assertThat(starts() - before).isEqualTo(1);
        fetchAndPurge(dan, job, "fetched-of-rest");
        await(() -> assertThat(dan.must("", "list").out()).isEmpty());
    }

    /** The id as the CE knows it, without the relay's address. */
    private static String local(Outcome submitted) {
        String id = submitted.out().strip();
        return id.substring(id.lastIndexOf('/') + 1);
    }

    private static long starts() {
        return database.number("SELECT COUNT(*) FROM command WHERE kind = 1");
    }
}
