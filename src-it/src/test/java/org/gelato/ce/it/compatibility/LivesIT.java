package org.gelato.ce.it.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.it.compatibility.WireOperation.DELETE_LEASE;
import static org.gelato.ce.it.compatibility.WireOperation.GET_LEASE;
import static org.gelato.ce.it.compatibility.WireOperation.GET_LEASE_LIST;
import static org.gelato.ce.it.compatibility.WireOperation.GET_PROXY_REQ;
import static org.gelato.ce.it.compatibility.WireOperation.GET_TERMINATION_TIME;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_CANCEL;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_INFO;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_PURGE;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_REGISTER;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_RESUME;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_SET_LEASE_ID;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_START;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_STATUS;
import static org.gelato.ce.it.compatibility.WireOperation.JOB_SUSPEND;
import static org.gelato.ce.it.compatibility.WireOperation.RENEW_PROXY_REQ;
import static org.gelato.ce.it.compatibility.WireOperation.SET_LEASE;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.gelato.ce.it.badinput.RawClient.Reply;
import org.gelato.ce.it.compatibility.Bodies.Description;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whole lives of jobs, leases and delegations, in the calls the original client and JSAGA make. */
@ExtendWith(SharedSite.class)
class LivesIT {
    /** As the option -a makes them. */
    private static final String ID = "4d64714168d53d305ca65bff60962025ab92a49e";

    private static ConformanceSite site;

    @BeforeAll
    static void start(ConformanceSite shared) {
        site = shared;
    }

    @Test
    void submitStatusOutputPurge() throws IOException {
        OriginalClient sam = site.user("Sam of lives").delegate(ID);
        Response registered = sam.must(
                JOB_REGISTER,
                Bodies.register(
                        Description.of("JobName_1", OriginalClient.echo(), ID),
                        Description.of("JobName_2", "[ nonsense", ID),
                        Description.of("JobName_3", OriginalClient.echo(), ID)));
        assertThat(registered.results())
                .extracting(r -> r.attribute("jobDescriptionId"))
                .containsExactly("JobName_1", "JobName_2", "JobName_3");
        Node first = registered.results().get(0).at("jobId");
        assertThat(first.names()).startsWith("id", "creamURL", "property");
        assertThat(first.text("id")).matches("CREAM[0-9]{9}");
        assertThat(first.text("creamURL")).isEqualTo(site.url() + "/ce-cream/services/CREAM2");
        assertThat(first.property("CREAMInputSandboxURI").orElseThrow()).matches(site.sandboxUri("ISB"));
        assertThat(first.property("CREAMOutputSandboxURI").orElseThrow()).matches(site.sandboxUri("OSB"));
        assertThat(first.property("DB_ID")).isEmpty();
        String id = first.text("id");
        String second = registered.results().get(2).text("jobId", "id");

        Response started = sam.on(JOB_START, Filter.ids(id, second).delegation(ID));
        assertThat(started.jobFaults()).isEmpty();
        sam.await(id, "DONE-OK");
        sam.await(second, "DONE-OK");

        Node info = sam.info(id);
        assertThat(info.all("status"))
                .extracting(s -> s.text("name"))
                .startsWith("REGISTERED")
                .endsWith("DONE-OK");
        assertThat(info.all("status").get(info.all("status").size() - 1).text("exitCode"))
                .isEqualTo("0");
        assertThat(info.all("lastCommand"))
                .extracting(c -> c.text("name"))
                .containsExactly("JOB_REGISTER", "JOB_START");
        assertThat(info.all("lastCommand")).allSatisfy(c -> {
            assertThat(c.find("id")).isEmpty();
            assertThat(c.text("category")).isEqualTo("JOB_MANAGEMENT");
            assertThat(c.text("status")).isEqualTo("SUCCESSFULL");
            assertThat(Instant.parse(c.text("creationTime"))).isBefore(Instant.now());
        });
        assertThat(info.text("JDL")).isEqualTo(OriginalClient.echo());
        assertThat(info.text("LRMSJobId")).isEqualTo("[reserved]");
        assertThat(info.text("workingDirectory")).isEqualTo("[reserved]");
        assertThat(info.text("GridJobId")).isEqualTo("N/A");
        assertThat(info.text("type")).isEqualTo("Normal");
        assertThat(info.text("localUser")).isEqualTo(site.ce().account());
        Node shown = site.admin().info(id);
        assertThat(shown.text("LRMSJobId")).isNotIn("[reserved]", "N/A");
        assertThat(shown.text("workingDirectory")).startsWith("/");

        Reply output = sam.raw().get("/ce-cream/output/" + id + "/out");
        assertThat(output.body()).isEqualTo("hello\n");

        // glite-ce-job-purge with a filter, as --all with --status sends it
        Response purged =
                sam.on(JOB_PURGE, Filter.all().states("DONE-OK", "ABORTED").delegation(ID));
        assertThat(purged.results()).isEmpty();
        ConformanceSite.eventually(
                "the jobs are gone", () -> assertThat(sam.jobs()).isEmpty());
        assertThat(sam.on(JOB_STATUS, id).jobFault().description()).isEqualTo("job not found");
    }

    /** The client starts "what it registered" even when nothing was: only the delegation is named then. */
    @Test
    void aStartWithoutIdsStartsNothing() {
        OriginalClient hal = site.user("Hal of the hazard").delegate("hazard");
        String waiting = hal.register("hazard", OriginalClient.echo());
        assertThat(hal.call(JOB_REGISTER, Bodies.register(Description.of("JobName_1", "[ nonsense", "hazard")))
                        .jobFaults())
                .hasSize(1);
        assertThat(hal.on(JOB_START, Filter.all().delegation("hazard")).results())
                .isEmpty();
        assertThat(hal.on(JOB_START, Filter.all()).results()).isEmpty();
        // a command that came after them is done
        String other = hal.submit("hazard", OriginalClient.echo());
        hal.await(other, "DONE-OK");
        assertThat(hal.state(waiting)).isEqualTo("REGISTERED");
        assertThat(hal.info(waiting).all("lastCommand")).hasSize(1);
    }

    @Test
    void autoStartIsTheDefault() {
        OriginalClient abe = site.user("Abe of lives").delegate("auto");
        String id =
                abe.register(Description.of("d", OriginalClient.echo(), "auto").autoStart(null));
        abe.await(id, "DONE-OK");
    }

    @Test
    void cancel() {
        OriginalClient cal = site.user("Cal of lives").delegate("cancel");
        String registered = cal.register("cancel", OriginalClient.echo());
        String running = cal.submit("cancel", OriginalClient.sleep(300));
        String theirs = cal.submit("cancel", OriginalClient.sleep(300));
        cal.await(running, "REALLY-RUNNING");
        cal.await(theirs, "REALLY-RUNNING");
        assertThat(cal.on(JOB_CANCEL, registered, running).jobFaults()).isEmpty();
        assertThat(site.admin().on(JOB_CANCEL, theirs).jobFaults()).isEmpty();
        assertThat(cal.state(registered)).as("at once").isEqualTo("CANCELLED");
        cal.await(running, "CANCELLED");
        cal.await(theirs, "CANCELLED");
        assertThat(description(cal, registered)).isEqualTo("Cancelled by user");
        assertThat(description(cal, running)).isEqualTo("Cancelled by user");
        assertThat(description(cal, theirs)).isEqualTo("Cancelled by CE admin");
        assertThat(cal.on(JOB_CANCEL, running).jobFault().element()).isEqualTo("JobStatusInvalidFault");
    }

    private static String description(OriginalClient client, String id) {
        return client.on(JOB_STATUS, id).results().get(0).text("jobStatus", "description");
    }

    /** The batch system of these tests holds jobs that wait for a slot, and refuses to hold others. */
    @Test
    void suspendAndResume() {
        OriginalClient sue = site.user("Sue of lives").delegate("suspend");
        List<String> running = new ArrayList<>();
        for (int i = 0; i < ConformanceSite.SLOTS; i++) {
            running.add(sue.submit("suspend", OriginalClient.sleep(300)));
        }
        running.forEach(id -> sue.await(id, "REALLY-RUNNING"));
        String id = sue.submit("suspend", OriginalClient.sleep(300));
        sue.await(id, "IDLE");
        assertThat(sue.on(JOB_RESUME, id).jobFault().element()).isEqualTo("JobStatusInvalidFault");
        assertThat(sue.on(JOB_SUSPEND, id, running.get(0)).jobFaults()).isEmpty();
        sue.await(id, "HELD");
        ConformanceSite.eventually(
                "the other command ends",
                () -> assertThat(commands(sue, running.get(0))).contains("JOB_SUSPEND ERROR"));
        assertThat(sue.on(JOB_SUSPEND, id).jobFault().element()).isEqualTo("JobStatusInvalidFault");
        assertThat(sue.on(JOB_RESUME, id).jobFaults()).isEmpty();
        sue.await(id, "IDLE");
        running.add(id);
        assertThat(sue.on(JOB_CANCEL, running.toArray(new String[0])).jobFaults())
                .isEmpty();
        running.forEach(job -> sue.await(job, "CANCELLED"));
        assertThat(commands(sue, id))
                .containsExactly(
                        "JOB_REGISTER SUCCESSFULL",
                        "JOB_START SUCCESSFULL",
                        "JOB_SUSPEND SUCCESSFULL",
                        "JOB_RESUME SUCCESSFULL",
                        "JOB_CANCEL SUCCESSFULL");
    }

    private static List<String> commands(OriginalClient client, String id) {
        return client.info(id).all("lastCommand").stream()
                .map(c -> c.text("name") + " " + c.text("status"))
                .toList();
    }

    @Test
    void lease() {
        OriginalClient lea = site.user("Lea of leases").delegate("leases");
        String asked = Instant.now()
                .plus(1, ChronoUnit.HOURS)
                .truncatedTo(ChronoUnit.SECONDS)
                .toString();
        Node granted = lea.must(SET_LEASE, Bodies.lease("L1", asked)).payload();
        assertThat(granted.names()).containsExactly("leaseId", "leaseTime");
        assertThat(granted.text("leaseTime")).isEqualTo(asked.replace("Z", ".000Z"));
        Instant cut = Instant.parse(lea.must(SET_LEASE, Bodies.lease("L2", "2099-01-01T00:00:00Z"))
                .payload()
                .text("leaseTime"));
        assertThat(cut).isBefore(Instant.now().plus(2, ChronoUnit.DAYS));
        assertThat(lea.must(GET_LEASE_LIST, "").results())
                .extracting(r -> r.text("leaseId"))
                .containsExactlyInAnyOrder("L1", "L2");
        assertThat(lea.must(GET_LEASE, Bodies.leaseId(GET_LEASE, "L1"))
                        .payload()
                        .text("leaseTime"))
                .isEqualTo(asked.replace("Z", ".000Z"));

        String id = lea.register(
                Description.of("d", OriginalClient.sleep(300), "leases").lease("L1"));
        assertThat(lea.info(id).text("lease", "leaseId")).isEqualTo("L1");
        assertThat(lea.on(JOB_START, Filter.ids(id).delegation("leases").lease("L1"))
                        .jobFaults())
                .isEmpty();
        assertThat(lea.call(JOB_SET_LEASE_ID, Bodies.setLeaseId("L2", Filter.ids(id)))
                        .jobFaults())
                .isEmpty();
        assertThat(lea.info(id).text("lease", "leaseId")).isEqualTo("L2");
        assertThat(lea.call(JOB_SET_LEASE_ID, Bodies.setLeaseId("nosuch", Filter.ids(id)))
                        .jobFaults())
                .as("the reply shows the job as fine, the command does not")
                .isEmpty();
        assertThat(lea.info(id).all("lastCommand"))
                .anySatisfy(
                        c -> assertThat(c.text("name") + " " + c.text("status")).isEqualTo("JOB_SET_LEASEID ERROR"));
        assertThat(lea.info(id).text("lease", "leaseId")).isEqualTo("L2");
        assertThat(lea.must(DELETE_LEASE, Bodies.leaseId(DELETE_LEASE, "L2")).isEmpty())
                .isTrue();
        assertThat(lea.info(id).find("lease")).isEmpty();
        assertThat(lea.on(JOB_STATUS, Filter.all().lease("L2")).results()).isEmpty();
        lea.await(id, "REALLY-RUNNING");
        lea.on(JOB_CANCEL, id);
        lea.await(id, "CANCELLED");
    }

    @Test
    void renewal() {
        OriginalClient ron = site.user("Ron of renewals").delegate("renewed", Duration.ofHours(1));
        String id = ron.register("renewed", OriginalClient.echo());
        Instant before = ArcReading.end(ron.info(id).text("delegationProxyInfo"));
        ron.renew("renewed", Duration.ofHours(5));
        Instant after = ArcReading.end(ron.info(id).text("delegationProxyInfo"));
        assertThat(after).isAfter(before.plus(Duration.ofHours(3)));
        // a shorter one would end the jobs early: refused, unless the delegation is destroyed first
        String csr = ron.request(RENEW_PROXY_REQ, "renewed");
        assertThat(ron.call(WireOperation.PUT_PROXY, Bodies.putProxy("renewed", ron.sign(csr, Duration.ofHours(1))))
                        .fault()
                        .description())
                .contains("not renewed");
    }

    /** JSAGA requests the end of the proxy, and depending on it makes a new delegation, renews, or uses it. */
    @Test
    void jsagaDelegates() {
        OriginalClient jean = site.user("Jean of JSAGA");
        String text = jean.onDelegation(GET_TERMINATION_TIME, "jsaga").fault().text();
        assertThat(text.contains("not found") || text.startsWith("Failed to find delegation ID"))
                .isTrue();
        String request = jean.request(GET_PROXY_REQ, "jsaga");
        jean.must(WireOperation.PUT_PROXY, Bodies.putProxy("jsaga", jean.sign(request, Duration.ofMinutes(10))));
        site.endDelegations("jsaga");
        assertThat(Instant.parse(jean.onDelegation(GET_TERMINATION_TIME, "jsaga")
                        .payload()
                        .text("getTerminationTimeReturn")))
                .isBefore(Instant.now());
        jean.renew("jsaga", Duration.ofHours(1));
        jean.await(jean.submit("jsaga", OriginalClient.echo()), "DONE-OK");
    }

    @Test
    void questionsWithFiltersOnly() {
        OriginalClient fay = site.user("Fay of filters").delegate("filters");
        String id = fay.register("filters", OriginalClient.echo());
        String past = "1970-01-01T00:00:00Z";
        Filter all = Filter.all()
                .states("REGISTERED", "IDLE")
                .from(past)
                .to("2033-05-18T03:33:20Z")
                .delegation("filters");
        for (WireOperation operation : List.of(JOB_STATUS, JOB_INFO)) {
            Node result = fay.on(operation, all).results().get(0);
            assertThat(result.attribute("jobDescriptionId")).isEqualTo(site.url() + "/" + id);
        }
        assertThat(fay.on(JOB_INFO, Filter.all().to(past)).results()).isEmpty();
        assertThat(fay.on(JOB_CANCEL, Filter.all()).results()).isEmpty();
        fay.await(id, "CANCELLED");
    }

    /**
     * The strict reader takes a result with neither record nor fault for what it is (docs/developer/protocol/behaviour.md
     * section 12, trap 5).
     */
    @Test
    @Timeout(300)
    void aJobPurgedWhileItIsQueriedIsThereOrUnknown() {
        OriginalClient pam = site.user("Pam of purges").delegate("purged");
        Description one = Description.of("d", OriginalClient.echo(), "purged");
        String[] ids = pam
                .must(JOB_REGISTER, Bodies.register(Collections.nCopies(60, one).toArray(new Description[0])))
                .results()
                .stream()
                .map(r -> r.text("jobId", "id"))
                .toArray(String[]::new);
        assertThat(pam.on(JOB_PURGE, ids).jobFaults()).isEmpty();
        for (int unknown = 0; unknown < ids.length; ) {
            Response response = pam.on(JOB_INFO, ids);
            assertThat(response.results())
                    .hasSize(ids.length)
                    .allSatisfy(r -> assertThat(r.children()).hasSize(1));
            assertThat(response.jobFaults())
                    .allSatisfy(f -> assertThat(f.element()).isEqualTo("JobUnknownFault"));
            assertThat(response.jobFaults()).hasSizeGreaterThanOrEqualTo(unknown);
            unknown = response.jobFaults().size();
        }
        assertThat(pam.jobs()).isEmpty();
    }
}
