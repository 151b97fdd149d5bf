package org.gelato.ce.it.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gelato.ce.it.badinput.RawClient.Reply;
import org.gelato.ce.it.compatibility.Bodies.Description;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation, in every spelling a client is known to use. */
@ExtendWith(SharedSite.class)
class OperationsIT {
    private static final String DELEGATION = "operations";
    private static ConformanceSite site;
    private static OriginalClient alice;
    private static OriginalClient admin;
    private static String job;

    @BeforeAll
    static void start(ConformanceSite shared) {
        site = shared;
        alice = site.user("Alice of operations").delegate(DELEGATION);
        admin = site.admin();
        job = alice.register(DELEGATION, OriginalClient.echo());
    }

    static Stream<Arguments> spellings() {
        List<Arguments> all = new ArrayList<>();
        for (WireOperation operation : WireOperation.values()) {
            for (Spelling spelling : Spelling.values()) {
                // Without an action an empty Body is JobList's; the header of WMS belongs to the job service.
                boolean unheard = (operation == WireOperation.GET_LEASE_LIST && spelling.hidesAction())
                        || (operation.isDelegation() && spelling == Spelling.ICE_HEADER);
                if (!unheard) {
                    all.add(Arguments.of(operation, spelling));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("spellings")
    void isServedInEverySpelling(WireOperation operation, Spelling spelling) {
        OriginalClient client = operation == WireOperation.ACCEPT_NEW_JOBS ? admin : alice;
        Response response = client.call(operation, request(operation), spelling);
        assertThat(response.isFault()).as(response.document()).isFalse();
    }

    /** A valid request, anew for calls that cannot be repeated. */
    private static String request(WireOperation operation) {
        return switch (operation) {
            case SERVICE_INFO -> Bodies.serviceInfo(2);
            case ACCEPT_NEW_JOBS -> Bodies.accept(true);
            case JOB_REGISTER ->
                Bodies.register(
                        Description.of("JobName_94401744901840", OriginalClient.echo(), DELEGATION),
                        Description.of("JobName_94401745106928", OriginalClient.echo(), DELEGATION));
            case JOB_START, JOB_CANCEL, JOB_PURGE, JOB_SUSPEND, JOB_RESUME ->
                Bodies.filter(operation, Filter.ids("CREAM000000000").delegation(DELEGATION));
            case JOB_STATUS, JOB_INFO -> Bodies.filter(operation, Filter.ids(job));
            case JOB_LIST, GET_LEASE_LIST -> "";
            case QUERY_EVENT -> Bodies.events("0", "100", 100);
            case SET_LEASE -> Bodies.lease("L1", inAnHour());
            case GET_LEASE, DELETE_LEASE -> {
                alice.must(WireOperation.SET_LEASE, Bodies.lease("L2", inAnHour()));
                yield Bodies.leaseId(operation, "L2");
            }
            case JOB_SET_LEASE_ID -> Bodies.setLeaseId(null, Filter.ids(job));
            case GET_VERSION, GET_INTERFACE_VERSION, GET_NEW_PROXY_REQ -> Bodies.delegation(operation);
            case GET_SERVICE_METADATA -> Bodies.delegation(operation, "key", "somekey");
            case GET_PROXY_REQ -> Bodies.delegation(operation, "delegationID", "asked for");
            case RENEW_PROXY_REQ, GET_TERMINATION_TIME -> Bodies.delegation(operation, "delegationID", DELEGATION);
            case PUT_PROXY -> {
                String id = "put" + System.nanoTime();
                String request = alice.request(WireOperation.GET_PROXY_REQ, id);
                yield Bodies.putProxy(id, alice.sign(request, Duration.ofHours(1)));
            }
            case DESTROY -> {
                String id = "destroyed" + System.nanoTime();
                alice.delegate(id);
                yield Bodies.delegation(operation, "delegationID", id);
            }
        };
    }

    private static String inAnHour() {
        return Instant.now().plusSeconds(3600).toString().replaceAll("\\.[0-9]+", "");
    }

    // ---- what the spellings do not show

    @Test
    void jobListAsArcRequestsIt() {
        assertThat(alice.call(WireOperation.JOB_LIST, "<CREAMTYPES:JobListRequest/>", Spelling.BARE_ACTION)
                        .results())
                .anySatisfy(r -> assertThat(r.text("id")).isEqualTo(job));
        assertThat(alice.call(WireOperation.JOB_LIST, "<CREAMTYPES:JobListRequest/>", Spelling.WITHOUT_ACTION)
                        .results())
                .isNotEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = WireOperation.class,
            names = {"JOB_STATUS", "JOB_INFO", "JOB_CANCEL", "JOB_SUSPEND", "JOB_RESUME", "JOB_PURGE", "JOB_START"})
    void elementsMayStandInAnyOrderAndBesideUnknownOnes(WireOperation operation) {
        Filter turned = Filter.all()
                .delegation("no such delegation")
                .to("2099-01-01T00:00:00Z")
                .from("1970-01-01T00:00:00+01:00")
                .andIds(job);
        String body = Bodies.t(
                operation.request(),
                "<x:new xmlns:x=\"urn:x\"><x:deep>1</x:deep></x:new>" + turned.text()
                        + Bodies.leaf("notInTheSchema", "1"));
        assertThat(alice.call(operation, body).jobFault().element()).isEqualTo("DelegationIdMismatchFault");
    }

    @Test
    void aRegistrationTurnedAroundIsUnderstood() {
        String body = Bodies.t(
                "JobRegisterRequest",
                "<CREAMTYPES:jobDescriptionList jobDescriptionId=\"turned\">" + Bodies.leaf("autoStart", "false")
                        + Bodies.leaf("delegationId", DELEGATION) + Bodies.leaf("JDL", OriginalClient.echo())
                        + Bodies.leaf("priority", "high") + "</CREAMTYPES:jobDescriptionList>");
        Node result = alice.call(WireOperation.JOB_REGISTER, body).results().get(0);
        assertThat(result.attribute("jobDescriptionId")).isEqualTo("turned");
        assertThat(alice.state(result.text("jobId", "id"))).isEqualTo("REGISTERED");
    }

    @Test
    void parametersOfDelegationCallsMayBeQualified() {
        String body = "<delegation2:getTerminationTime><delegation2:delegationID>  " + DELEGATION
                + "\n</delegation2:delegationID></delegation2:getTerminationTime>";
        assertThat(alice.call(WireOperation.GET_TERMINATION_TIME, body).isFault())
                .isFalse();
    }

    @Test
    void anElementNameIsCaseSensitive() {
        assertThat(alice.call(WireOperation.JOB_STATUS, "<CREAMTYPES:jobstatusrequest/>", Spelling.WITHOUT_ACTION)
                        .fault()
                        .element())
                .isEqualTo("GenericFault");
    }

    @Test
    void aHeaderThatMustBeUnderstoodAndIsNotIsRefused() throws Exception {
        String header = "<x:h xmlns:x=\"urn:x\" SOAP-ENV:mustUnderstand=\"1\"/>";
        Reply reply = alice.raw()
                .post(
                        WireOperation.SERVICE_INFO.path(),
                        Map.of("Content-Type", "text/xml"),
                        Envelope.original(header, Bodies.serviceInfo(0)),
                        false);
        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.body()).contains("MustUnderstand");
    }

    @Test
    void creamUrlIsNotLookedAt() {
        for (String url : List.of("", "https://elsewhere.example:1", "not a URL at all", "//")) {
            String body = Bodies.t(
                    "JobStatusRequest", Bodies.t("jobId", Bodies.leaf("id", job) + Bodies.leaf("creamURL", url)));
            Node result = alice.call(WireOperation.JOB_STATUS, body).results().get(0);
            assertThat(result.text("jobStatus", "jobId", "creamURL"))
                    .isEqualTo(site.url() + "/ce-cream/services/CREAM2");
        }
    }
}
