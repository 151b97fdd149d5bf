package org.gelato.ce.ws.arcrest;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.NoUser;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.http.CallLimits;
import org.gelato.ce.ws.http.CallMeter;
import org.gelato.ce.ws.http.CallMeter.Outcome;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.MemoryBudget;
import org.gelato.ce.ws.http.PerUserLimit;
import org.gelato.ce.ws.http.RefusalResponse;
import org.gelato.ce.ws.token.BearerChallenge;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.HttpFaults;
import org.gelato.ce.ws.web.Refusal;
import org.gelato.ce.ws.web.RequiredScopes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything below {@code /arex/rest}: finds out who calls, reads the body without a thread, and gives the request to its
 * resource. Paths, methods and actions that do not exist get the statuses that A-REX gives (docs/developer/protocol/arc-rest.md). Called
 * again for a request whose body, or a running job's output, was waited for.
 */
final class ArcServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger log = LoggerFactory.getLogger(ArcServlet.class);
    private static final String SERVICE = "ARCREST";
    private static final List<String> VERSIONS = List.of("1.0", "1.1");
    private static final List<String> FILE_METHODS = List.of("GET", "HEAD", "PUT", "DELETE", "PROPFIND");
    private static final int MAX_LIST = 4 << 20;
    private static final int MAX_CHAIN = 256 << 10;

    private final transient CallerResolver callers;
    private final transient Resources resources;
    private final transient Bounds bounds;
    private final transient CallMeter meter;
    private final transient Clock clock;

    /** What requests are given to. */
    record Resources(
            JobsResource jobs,
            SubmissionResource submission,
            DelegationsResource delegations,
            SessionResource sessions,
            InfoDocument info) {}

    /**
     * How much is taken of callers.
     *
     * @param maxBody bytes of the largest list of descriptions
     */
    record Bounds(CallLimits calls, int maxBody) {}

    /** The work of a request; its name is that of the metric. */
    @FunctionalInterface
    private interface Work {
        void run(byte[] body) throws IOException;
    }

    ArcServlet(CallerResolver callers, Resources resources, Bounds bounds, CallMeter meter, Clock clock) {
        this.callers = callers;
        this.resources = resources;
        this.bounds = bounds;
        this.meter = meter;
        this.clock = clock;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long begun = System.nanoTime();
        Routing routing = new Routing(request, new ArcResponse(request, response));
        Outcome outcome = Outcome.FAILED;
        try {
            outcome = routing.route() ? Outcome.OK : null;
        } catch (MemoryBudget.Exhausted | PerUserLimit.Full e) {
            throw e;
        } catch (RuntimeException e) {
            FaultCode code = HttpFaults.code(e);
            outcome = Outcome.of(code);
            if (e instanceof NoUser nobody && isPing(request) && hasNone(nobody)) {
                JobsResource.none(routing.response);
                return;
            }
            if (code == FaultCode.INTERNAL) {
                log.error("Cannot serve {} {}", request.getMethod(), request.getPathInfo(), e);
            }
            RefusalResponse.send(request, response, BearerChallenge.apply(response, e), HttpFaults.text(e));
        } finally {
            if (outcome != null) {
                meter.called(SERVICE, routing.operation, outcome, System.nanoTime() - begun);
            }
        }
    }

    /** One request on its way to its resource. */
    private final class Routing {
        private final HttpServletRequest request;
        private final ArcResponse response;
        private final String method;
        private ArcCall call;
        /** As the meter has it: never a client's words. */
        private String operation = "unknown";

        Routing(HttpServletRequest request, ArcResponse response) {
            this.request = request;
            this.response = response;
            this.method = method(request);
        }

        /** Returns false when the request waits, and this servlet is called again. */
        boolean route() throws IOException {
            Caller caller = caller(request);
            List<String> path = ArcCall.parts(request);
            if (path.isEmpty()) {
                require(method, "GET");
                operation = "versions";
                List<Part> versions =
                        VERSIONS.stream().map(v -> Part.of("version", v)).toList();
                response.send(200, Part.of("versions", versions));
                return true;
            }
            if (!VERSIONS.contains(path.get(0))) {
                throw new Refusal(404, "Version Not Supported: this CE serves " + String.join(" and ", VERSIONS));
            }
            call = ArcCall.of(request, response, caller, path);
            if (call.path().isEmpty()) {
                throw new Refusal(404, "Not Found: expected info, jobs or delegations");
            }
            RequiredScopes.check(caller, RequiredScopes.Protocol.ARC, scoped(method, call));
            return switch (call.path().get(0)) {
                case "info" -> info();
                case "jobs" -> jobs();
                case "delegations" -> delegations();
                default -> throw new Refusal(404, "Functionality Not Supported: expected info, jobs or delegations");
            };
        }

        private boolean info() throws IOException {
            if (call.path().size() > 1) {
                throw new Refusal(404, "Not Found");
            }
            require(method, "GET");
            operation = "info";
            response.send(200, resources.info().now(clock.instant()));
            return true;
        }

        private boolean delegations() throws IOException {
            DelegationsResource delegations = resources.delegations();
            if (call.path().size() > 2) {
                throw new Refusal(404, "Not Found");
            }
            if (call.path().size() == 1) {
                if (method.equals("GET")) {
                    return work("delegations-list", 0, body -> delegations.list(call));
                }
                require(method, "POST");
                if (!call.action().equals("new")) {
                    throw new Refusal(501, "Action not implemented: expected new");
                }
                return work("delegations-new", MAX_CHAIN, body -> delegations.make(call));
            }
            String id = call.path().get(1);
            if (method.equals("PUT")) {
                return work("delegations-put", MAX_CHAIN, body -> delegations.put(call, id, body));
            }
            require(method, "POST");
            return work("delegations-act", MAX_CHAIN, body -> delegations.act(call, id));
        }

        private boolean jobs() throws IOException {
            JobsResource jobs = resources.jobs();
            List<String> path = call.path();
            if (path.size() == 1) {
                if (method.equals("GET")) {
                    return work("jobs-list", 0, body -> jobs.list(call));
                }
                require(method, "POST");
                if (call.action().equals("new")) {
                    return work(
                            "jobs-new",
                            bounds.maxBody(),
                            body -> resources.submission().submit(call, body));
                }
                JobsResource.Action action = JobsResource.Action.of(call.action());
                return work("jobs-act", MAX_LIST, body -> jobs.act(call, action, body));
            }
            if (path.size() == 2) {
                throw new Refusal(404, "Missing job sub-resource: expected session or diagnose");
            }
            switch (path.get(2)) {
                case "session" -> {
                    if (!FILE_METHODS.contains(method)) {
                        throw new Refusal(501, "Not Implemented: expected " + String.join(", ", FILE_METHODS));
                    }
                    operation = "session";
                    JobId job = JobId.parse(path.get(1)).orElseThrow(JobsResource::notFound);
                    return resources.sessions().serve(call, job, path.subList(3, path.size()));
                }
                case "diagnose" -> {
                    require(method, "GET");
                    if (path.size() != 4) {
                        throw new Refusal(404, "Not found");
                    }
                    return work("diagnose", 0, body -> jobs.diagnose(call, path.get(1), path.get(3)));
                }
                default -> throw new Refusal(404, "Job sub-resource not supported: expected session or diagnose");
            }
        }

        /** Gathers the body, takes the caller's place, does the work. */
        private boolean work(String name, int maxBody, Work work) throws IOException {
            operation = name;
            byte[] body = {};
            if (maxBody > 0) {
                if (request.getContentLengthLong() > maxBody) {
                    throw tooLarge(maxBody);
                }
                body = Exchange.of(request).body(call.person(), maxBody);
                if (body == null) {
                    return false;
                }
                if (body.length > maxBody) {
                    throw tooLarge(maxBody);
                }
            }
            if (!bounds.calls().enter(request, call.person(), body.length)) {
                return false;
            }
            work.run(body);
            return true;
        }
    }

    /** An operation as the table of scopes has it. */
    private static String scoped(String method, ArcCall call) {
        String resource = call.path().get(0);
        if (resource.equals("info")) {
            return "GET info";
        }
        return method.equals("POST")
                ? "POST " + (resource.equals("jobs") ? "jobs" : "delegations") + " " + call.action()
                : method;
    }

    /** Administrators have no more rights here than others. */
    private Caller caller(HttpServletRequest request) {
        Caller found = callers.resolve(request);
        return new Caller(found.identity(), found.account(), false);
    }

    private static Refusal tooLarge(int most) {
        return new Refusal(413, "the body is larger than " + most + " bytes; send it in several requests");
    }

    /** False also where the database does not say. */
    private boolean hasNone(NoUser nobody) {
        try {
            return resources.jobs().hasNone(nobody.identity());
        } catch (RuntimeException e) {
            log.warn("Cannot look for jobs of {}: {}", nobody.identity().subject(), Messages.of(e));
            return false;
        }
    }

    /**
     * Whether a request lists the caller's jobs. HTCondor takes any response but 200 for a CE that is down, and its user's jobs wait
     * without a word: somebody without jobs gets an empty list, and is refused when he submits one (docs/developer/protocol/arc-rest.md).
     */
    private static boolean isPing(HttpServletRequest request) {
        String path = request.getPathInfo();
        return method(request).equals("GET")
                && VERSIONS.stream().anyMatch(version -> ("/" + version + "/jobs").equals(path));
    }

    /** HEAD is GET here: the server leaves the body out. */
    private static String method(HttpServletRequest request) {
        return request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
    }

    private static void require(String method, String expected) {
        if (!method.equals(expected)) {
            throw new Refusal(501, "Not Implemented: expected " + expected);
        }
    }
}
