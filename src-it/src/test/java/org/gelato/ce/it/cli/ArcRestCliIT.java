package org.gelato.ce.it.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.gelato.ce.it.site.SharedCe;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.SiteUser.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The commands over ARC REST on a whole CE. */
@ExtendWith(SharedCe.class)
class ArcRestCliIT {
    private static SiteCe ce;

    @BeforeAll
    static void start(SiteCe shared) {
        ce = shared;
    }

    private static String arex() {
        return "https://localhost:" + ce.port() + "/arex";
    }

    @Test
    void aJobGoesFromItsInputToItsRemoval() throws IOException {
        SiteUser ann = ce.user("Ann of rest");
        Files.writeString(ce.base().resolve("greeting.txt"), "hello\n");
        Files.writeString(
                ce.base().resolve("rest.jdl"),
                "# no brackets\nExecutable = \"/bin/cat\"; Arguments = \"greeting.txt\"; InputSandbox = {\"greeting.txt\"};"
                        + " StdOutput = \"said\"; OutputSandbox = {\"said\"};"
                        + " OutputSandboxBaseDestURI = \"gsiftp://localhost\";");
        String id = ann.must("", "--protocol", "arcrest", "submit", "--wait", "rest.jdl")
                .out()
                .strip();
        assertThat(id).matches("https://localhost:" + ce.port() + "/CREAM[0-9]{9}");
        assertThat(ann.must("", "status", "--protocol", "arcrest", id).out())
                .startsWith(id + " DONE-OK ")
                .endsWith(" exit=0\n");
        String byArc = arex() + "/rest/1.0/jobs/" + id.substring(id.lastIndexOf('/') + 1);
        assertThat(ann.must("", "status", byArc).out())
                .isEqualTo(ann.must("", "status", "--protocol", "arcrest", id).out());
        assertThat(ann.must("", "list", "-e", arex()).out()).isEqualTo(id + "\n");
        assertThat(ann.must("", "list", "-e", arex(), "--status", "CANCELLED").out())
                .isEmpty();
        assertThat(ann.must("", "info", "--json", byArc)
                        .json()
                        .at("/jobs/0/history/0/status")
                        .asText())
                .isEqualTo("REGISTERED");
        ann.must("", "output", "-d", "rest", byArc);
        assertThat(ce.base().resolve("rest").resolve("said")).hasContent("hello");
        assertThat(ce.base().resolve("rest").resolve("greeting.txt")).doesNotExist();
        ann.must("", "output", "--with-input", "-d", "all", byArc);
        assertThat(ce.base().resolve("all").resolve("greeting.txt"))
                .as("after a job's end ARC REST shows output alone")
                .doesNotExist();
        assertThat(ce.base().resolve("all").resolve("said")).hasContent("hello");
        assertThat(ann.must("", "purge", byArc).err()).contains("removal requested for 1 job");
        Outcome gone = ann.run("", "status", byArc);
        assertThat(gone.exit()).isEqualTo(1);
        assertThat(gone.err()).contains("Job not found");
    }

    /** ARC calls such a job failed; the commands have the same name for it by both protocols. */
    @Test
    void aProgramThatEndsWith3IsShownAlikeByBothProtocols() {
        SiteUser cid = ce.user("Cid of rest");
        String id = cid.submit(SiteUser.shellJob("exit 3"), "--protocol", "arcrest", "--wait", "--label", "mass=100");
        for (String protocol : List.of("cream2", "arcrest")) {
            assertThat(cid.must("", "status", "--json", "--protocol", protocol, id)
                            .out())
                    .contains("\"labels\":[\"mass=100\"]", "\"queue\":", "\"exitCode\":3");
        }
        assertThat(cid.must("", "status", "--protocol", "cream2", id).out())
                .contains(" DONE-OK ")
                .endsWith(" exit=3\n");
        assertThat(cid.must("", "status", "--protocol", "arcrest", id).out())
                .contains(" DONE-OK ")
                .endsWith(" exit=3\n");
        assertThat(cid.must("", "list", "-e", arex(), "--status", "DONE-FAILED").out())
                .isEmpty();
    }

    @Test
    void aRunningJobIsCancelledByEitherProtocol() {
        SiteUser ben = ce.user("Ben of rest");
        String id = ben.submit(SiteUser.sleepJob(600), "--protocol", "arcrest");
        String delegation = ben.must("", "delegate", "-e", arex()).out().strip();
        ben.must("", "renew", "-e", arex(), delegation);
        String other = ben.submit(SiteUser.sleepJob(600), "--protocol", "arcrest", "-D", delegation);
        ben.await(id, "REALLY-RUNNING");
        ben.must("", "cancel", "--protocol", "arcrest", id);
        ben.must("", "cancel", other);
        ben.await(id, "CANCELLED");
        ben.await(other, "CANCELLED");
        assertThat(ben.must("", "status", "--protocol", "arcrest", "--all").out())
                .contains(id + " CANCELLED", other + " CANCELLED");
    }

    @Test
    void aJobOfForkIsEndedWhenItsTimeIsOver() {
        SiteUser tim = ce.user("Tim of time");
        String adl = "<ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\"><Application><Executable>"
                + "<Path>/bin/sleep</Path><Argument>600</Argument></Executable></Application>"
                + "<Resources><WallTime>1</WallTime></Resources></ActivityDescription>";
        String id = tim.submit(adl, "--protocol", "arcrest");
        tim.await(id, "DONE-FAILED");
        assertThat(tim.must("", "status", id).out())
                .endsWith("Z reason=Job has been terminated (got SIGTERM); fork says: the job ran longer than its"
                        + " limit of 1 s\n");
    }

    @Test
    void whatTheProtocolCantDoNamesTheOther() {
        SiteUser eve = ce.user("Eve of rest");
        for (String[] command : new String[][] {
            {"events"}, {"lease", "list"}, {"suspend", "--all"}, {"explain", "--dn", "/CN=x"}, {"delegate", "mine"}
        }) {
            String[] args = new String[command.length + 2];
            args[0] = "--protocol";
            args[1] = "arcrest";
            System.arraycopy(command, 0, args, 2, command.length);
            Outcome outcome = eve.run("", args);
            assertThat(outcome.exit()).as(command[0]).isEqualTo(1);
            assertThat(outcome.err()).contains("--protocol cream2");
        }
        assertThat(eve.run("", "--protocol", "smoke", "list").exit()).isEqualTo(2);
        assertThat(eve.must("", "service-info", "-e", arex()).out()).contains("Gelato CE", "New jobs      accepted\n");
    }

    /** By the code in the head of the response; the two protocols have other words. */
    @Test
    void whatIsRefusedHasTheSameAdviceByBothProtocols() {
        SiteUser uma = ce.user("Uma of codes");
        for (String protocol : new String[] {"arcrest", "cream2"}) {
            Outcome queue =
                    uma.run(SiteUser.sleepJob(1), "--protocol", protocol, "submit", "-r", ce.resource("nowhere"), "-");
            assertThat(queue.exit()).as(protocol).isEqualTo(1);
            assertThat(queue.err()).contains("nowhere does not exist here", "(ce service-info lists the queues)");
            Outcome delegation = uma.run(SiteUser.sleepJob(1), "--protocol", protocol, "submit", "-D", "nosuch", "-");
            assertThat(delegation.exit()).as(protocol).isEqualTo(1);
            assertThat(delegation.err()).contains("nosuch", "(delegate first with ce delegate, or submit with -a)");
        }
    }
}
