package org.gelato.ce.it.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gelato.ce.it.badinput.RawClient;
import org.gelato.ce.it.compatibility.AuthorityTable.Cell;
import org.gelato.ce.it.compatibility.Bodies.Description;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may do what: all operations and pages crossed with all kinds of callers. */
@ExtendWith(SharedSite.class)
class AuthorityIT {
    /**
     * The job, delegation and lease in question are the owner's; the job is REGISTERED. What a cell means:
     *
     * <ul>
     *   <li>ok: done;
     *   <li>state: may do it, but not with a job in this state;
     *   <li>unknown: there is no such job, delegation or lease for this caller;
     *   <li>issuer: the proxy is not the caller's;
     *   <li>denied: AuthorizationFault, or DelegationException with its text;
     *   <li>a number: the HTTP status of a page.
     * </ul>
     */
    private static final String TABLE = """
            request                 owner   other   admin   banned  limited unmapped nobody
            SERVICE_INFO            ok      ok      ok      denied  ok      denied   denied
            ACCEPT_NEW_JOBS         denied  denied  ok      denied  denied  denied   denied
            JOB_REGISTER            ok      unknown unknown denied  denied  denied   denied
            JOB_START               ok      unknown ok      denied  ok      denied   denied
            JOB_CANCEL              ok      unknown ok      denied  ok      denied   denied
            JOB_PURGE               ok      unknown ok      denied  ok      denied   denied
            JOB_SUSPEND             state   unknown state   denied  state   denied   denied
            JOB_RESUME              state   unknown state   denied  state   denied   denied
            JOB_STATUS              ok      unknown ok      denied  ok      denied   denied
            JOB_INFO                ok      unknown ok      denied  ok      denied   denied
            JOB_LIST                ok      unknown ok      denied  ok      denied   denied
            QUERY_EVENT             ok      unknown unknown denied  ok      denied   denied
            SET_LEASE               ok      ok      ok      denied  ok      denied   denied
            GET_LEASE               ok      unknown unknown denied  ok      denied   denied
            GET_LEASE_LIST          ok      unknown unknown denied  ok      denied   denied
            DELETE_LEASE            ok      unknown unknown denied  ok      denied   denied
            JOB_SET_LEASE_ID        ok      unknown ok      denied  ok      denied   denied
            GET_VERSION             ok      ok      ok      denied  ok      denied   denied
            GET_INTERFACE_VERSION   ok      ok      ok      denied  ok      denied   denied
            GET_SERVICE_METADATA    ok      ok      ok      denied  ok      denied   denied
            GET_PROXY_REQ           ok      ok      ok      denied  ok      denied   denied
            GET_NEW_PROXY_REQ       ok      ok      ok      denied  ok      denied   denied
            RENEW_PROXY_REQ         ok      unknown unknown denied  ok      denied   denied
            PUT_PROXY               ok      issuer  issuer  denied  ok      denied   denied
            GET_TERMINATION_TIME    ok      unknown unknown denied  ok      denied   denied
            DESTROY                 ok      unknown unknown denied  ok      denied   denied
            /health/live            200     200     200     200     200     200      200
            /health/ready           200     200     200     200     200     200      200
            /metrics                200     200     200     200     200     200      200
            /ce-cream/output/       200     404     200     403     200     403      403
            /ce-cream/wrapper-events 403    403     403     403     403     403      403
            """;

    private static final String OWNER = "Olga the owner";

    private static ConformanceSite site;
    private static OriginalClient owner;
    private static final Map<String, OriginalClient> CALLERS = new HashMap<>();
    private static String withOutput;

    @BeforeAll
    static void start(ConformanceSite shared) {
        site = shared;
        owner = site.user(OWNER).delegate("authority");
        CALLERS.put("owner", owner);
        CALLERS.put("other", site.user("Otto the other"));
        CALLERS.put("admin", site.admin());
        CALLERS.put("banned", site.user("Banned"));
        CALLERS.put(
                "limited",
                site.client(site.pki().proxy(site.pki().user(OWNER)).limited().make()));
        CALLERS.put(
                "unmapped",
                site.client(site.pki().proxy(site.pki().user("Ulf")).fqans().make()));
        CALLERS.put("nobody", site.client(null));
        withOutput = owner.submit("authority", OriginalClient.echo());
        owner.await(withOutput, "DONE-OK");
    }

    static Stream<Cell> cells() {
        return AuthorityTable.cells(TABLE);
    }

    @ParameterizedTest
    @MethodSource("cells")
    void getsWhatTheTableLists(Cell cell) throws IOException {
        OriginalClient caller = CALLERS.get(cell.caller());
        String seen = cell.request().startsWith("/")
                ? Integer.toString(page(caller, cell.request()))
                : outcome(caller, WireOperation.valueOf(cell.request()));
        assertThat(seen).isEqualTo(cell.expected());
    }

    @Test
    void everyOperationIsInTheTable() {
        assertThat(cells().map(Cell::request).filter(r -> !r.startsWith("/")))
                .contains(Stream.of(WireOperation.values()).map(Enum::name).toArray(String[]::new));
    }

    @Test
    void anotherPrimaryAttributeIsAnotherOwner() {
        OriginalClient production = site.client(site.pki()
                .proxy(site.pki().user(OWNER))
                .fqans("/dteam/Role=production", "/dteam")
                .make());
        assertThat(production.jobs()).isEmpty();
        assertThat(production
                        .on(WireOperation.JOB_STATUS, withOutput)
                        .jobFault()
                        .element())
                .isEqualTo("JobUnknownFault");
    }

    private static int page(OriginalClient caller, String path) throws IOException {
        RawClient raw = caller.raw();
        if (path.endsWith("wrapper-events")) {
            String event =
                    "job=" + withOutput + "\nattempt=1\nevent=DONE\ntime=1\nnode=here\nexit=0\nreason=\nlrmsid=\n"
                            + "token=" + "0".repeat(32) + "\n";
            return raw.post(path, Map.of("Content-Type", "text/plain"), event, false)
                    .status();
        }
        return raw.get(path.endsWith("output/") ? path + withOutput + "/" : path)
                .status();
    }

    private static String outcome(OriginalClient caller, WireOperation operation) {
        String id = "authority" + System.nanoTime();
        long newest = site.database().number("SELECT MAX(id) FROM job_state_history");
        String job = owner.register("authority", OriginalClient.echo());
        String request = request(operation, id, job, newest);
        if (operation == WireOperation.QUERY_EVENT) {
            // Events may come late, when an older transaction is still open.
            await().until(() -> owner.call(operation, request).document().contains(job));
        }
        Response response = caller.call(operation, request);
        if (response.isFault()) {
            String text = response.fault().line();
            if (response.fault().element().equals("AuthorizationFault")
                    || text.contains("not authorized")
                    || text.contains("no client certificate")) {
                return "denied";
            }
            if (text.contains("Invalid delegation issuer")) {
                return "issuer";
            }
            assertThat(text).contains("not found");
            return "unknown";
        }
        if (response.isEmpty()) {
            return "ok";
        }
        String kinds = response.jobFaults().stream().map(Fault::element).collect(Collectors.joining());
        return switch (kinds) {
            case "JobUnknownFault", "DelegationProxyFault" -> "unknown";
            case "JobStatusInvalidFault" -> "state";
            case "" -> lists(operation) && !response.document().contains(sought(operation, job)) ? "unknown" : "ok";
            default -> kinds;
        };
    }

    private static boolean lists(WireOperation operation) {
        return operation == WireOperation.JOB_LIST
                || operation == WireOperation.QUERY_EVENT
                || operation == WireOperation.GET_LEASE_LIST;
    }

    private static String sought(WireOperation operation, String job) {
        return operation == WireOperation.GET_LEASE_LIST ? "authoritylease" : job;
    }

    /** Requests the owner's things; those that a call uses up are made anew. */
    private static String request(WireOperation operation, String id, String job, long newestEvent) {
        return switch (operation) {
            case SERVICE_INFO -> Bodies.serviceInfo(0);
            case ACCEPT_NEW_JOBS -> Bodies.accept(true);
            case JOB_REGISTER -> Bodies.register(Description.of("d", OriginalClient.echo(), "authority"));
            case JOB_START, JOB_CANCEL, JOB_PURGE, JOB_SUSPEND, JOB_RESUME, JOB_STATUS, JOB_INFO ->
                Bodies.filter(operation, Filter.ids(job));
            case JOB_SET_LEASE_ID -> Bodies.setLeaseId(null, Filter.ids(job));
            case JOB_LIST -> "";
            case QUERY_EVENT -> Bodies.events(Long.toString(newestEvent), null, 100);
            case SET_LEASE -> Bodies.lease("ownlease", "2099-01-01T00:00:00Z");
            case GET_LEASE, DELETE_LEASE -> {
                lease();
                yield Bodies.leaseId(operation, "authoritylease");
            }
            case GET_LEASE_LIST -> {
                lease();
                yield "";
            }
            case GET_VERSION, GET_INTERFACE_VERSION, GET_NEW_PROXY_REQ -> Bodies.delegation(operation);
            case GET_SERVICE_METADATA -> Bodies.delegation(operation, "key", "k");
            case GET_PROXY_REQ -> Bodies.delegation(operation, "delegationID", id);
            case RENEW_PROXY_REQ, GET_TERMINATION_TIME -> Bodies.delegation(operation, "delegationID", "authority");
            case PUT_PROXY ->
                Bodies.putProxy(id, owner.sign(owner.request(WireOperation.GET_PROXY_REQ, id), Duration.ofHours(1)));
            case DESTROY -> {
                owner.delegate(id);
                yield Bodies.delegation(operation, "delegationID", id);
            }
        };
    }

    private static void lease() {
        owner.must(WireOperation.SET_LEASE, Bodies.lease("authoritylease", "2099-01-01T00:00:00Z"));
    }
}
