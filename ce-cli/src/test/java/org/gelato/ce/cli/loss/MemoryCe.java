package org.gelato.ce.cli.loss;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A CE that knows what became of its jobs, by both protocols. A job that is started has ended at once, with exit code 3. What cannot be done
 * twice is refused the second time, as a CE refuses it.
 */
final class MemoryCe {
    static final String ARC = "/arex/rest/1.0";
    static final int EXIT_CODE = 3;
    static final String PRINTED = "hello";

    private static final String INPUT = "/ce-cream/input/";
    private static final Pattern DESCRIPTION =
            Pattern.compile("jobDescriptionId=\"(?<name>[^\"]+)\"[^>]*><m:JDL>(?<text>.*?)</m:JDL>", Pattern.DOTALL);
    private static final Pattern SANDBOX = Pattern.compile("InputSandbox\\s*=\\s*\\{(?<items>[^}]*)}");
    private static final Pattern OPERATION = Pattern.compile("<s:Body><m:(\\w+)");
    private static final Pattern DELEGATION = Pattern.compile("<delegationID>([^<]*)</delegationID>");
    private static final Pattern SOAP_ID = Pattern.compile("<m:id>([^<]+)</m:id>");
    private static final Pattern JSON_ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    private final String request;
    private final int port;

    final Map<String, Job> jobs = new LinkedHashMap<>();
    final Set<String> delegations = new LinkedHashSet<>();
    private final Set<String> requested = new HashSet<>();
    private final Map<String, String> registrations = new HashMap<>();

    /** One job. */
    static final class Job {
        final Set<String> missing;
        int starts;
        boolean cancelled;
        boolean purged;

        Job(String description) {
            Matcher sandbox = SANDBOX.matcher(description);
            missing = sandbox.find()
                    ? Arrays.stream(sandbox.group("items").split(","))
                            .map(item -> item.replaceAll(".*/|[\"\\s]|&quot;", ""))
                            .collect(Collectors.toCollection(HashSet::new))
                    : new HashSet<>();
        }

        boolean ran() {
            return starts > 0;
        }
    }

    /** @param request of a certificate, PEM */
    MemoryCe(String request, int port) {
        this.request = request;
        this.port = port;
    }

    /** A job that ended before. */
    String ended() {
        String id = register("");
        jobs.get(id).starts = 1;
        return id;
    }

    private String register(String description) {
        String id = String.format("CREAM%09d", jobs.size() + 1);
        jobs.put(id, new Job(description));
        return id;
    }

    Http.Response handle(Http.Request call) {
        if (call.target().startsWith(ARC)) {
            return arc(call, call.target().substring(ARC.length()));
        }
        if (call.target().startsWith(INPUT)) {
            String[] path = call.target().substring(INPUT.length()).split("/");
            return file(call, path[0], path[1], false);
        }
        if (call.target().matches("/ce-cream/output/[^/]+/")) {
            return Http.Response.of(
                    200,
                    "application/json",
                    "{\"files\":[{\"name\":\"ce-run.stdout\",\"size\":" + PRINTED.length() + "}]}");
        }
        if (call.target().endsWith("/ce-run.stdout")) {
            return Http.Response.of(200, "application/octet-stream", PRINTED);
        }
        return call.method().equals("POST") ? soap(call) : Http.Response.of(404, "text/plain", "no such page");
    }

    /** @param starts whether the last file starts its job */
    private Http.Response file(Http.Request call, String id, String name, boolean starts) {
        Job job = jobs.get(id);
        if (call.method().equals("HEAD")) {
            return job.missing.contains(name) || job.ran()
                    ? Http.Response.of(404, "text/plain", "")
                    : Http.Response.of(200, "text/plain", "");
        }
        if (job.ran()) {
            return Http.Response.of(starts ? 403 : 409, "text/plain", "the job has been started");
        }
        job.missing.remove(name);
        if (starts && job.missing.isEmpty()) {
            job.starts++;
        }
        return Http.Response.of(starts ? 200 : 201, "text/plain", "");
    }

    private Http.Response soap(Http.Request call) {
        String text = call.text();
        String operation = first(OPERATION, text);
        List<String> ids = all(SOAP_ID, text);
        String delegation = first(DELEGATION, text);
        return switch (operation) {
            case "getProxyReq", "renewProxyReq" -> {
                if (operation.equals("getProxyReq") == delegations.contains(delegation)) {
                    yield refused("already exists, or not found!");
                }
                requested.add(delegation);
                yield delegated(operation, request);
            }
            case "putProxy" -> {
                if (!requested.remove(delegation)) {
                    yield refused("Delegation request not found!");
                }
                delegations.add(delegation);
                yield soap(200, "<d:putProxyResponse/>");
            }
            case "getTerminationTime" ->
                delegations.contains(delegation) ? delegated(operation, "2026-11-20T12:00:00Z") : refused("not found!");
            case "JobRegisterRequest" ->
                soap(200, registrations.computeIfAbsent(call.header("idempotency-key"), key -> register(call)));
            case "JobStartRequest" ->
                results("JobStart", ids, id -> {
                    Job job = jobs.get(id);
                    if (job.ran()) {
                        return fault("JobStatusInvalidFault", "the job has been started");
                    }
                    job.starts++;
                    return "";
                });
            case "JobCancelRequest" ->
                results("JobCancel", ids, id -> {
                    jobs.get(id).cancelled = true;
                    return "";
                });
            case "JobPurgeRequest" ->
                results("JobPurge", ids, id -> {
                    jobs.get(id).purged = true;
                    return "";
                });
            case "JobStatusRequest" ->
                soap(
                        200,
                        ids.stream()
                                .map(this::status)
                                .collect(Collectors.joining("", "<t:JobStatusResponse>", "</t:JobStatusResponse>")));
            default -> throw new IllegalStateException(operation);
        };
    }

    private String register(Http.Request call) {
        StringBuilder results = new StringBuilder("<t:JobRegisterResponse>");
        Matcher descriptions = DESCRIPTION.matcher(call.text());
        while (descriptions.find()) {
            String id = register(descriptions.group("text"));
            results.append("<t:result jobDescriptionId=\"")
                    .append(descriptions.group("name"))
                    .append("\"><t:jobId><t:id>")
                    .append(id)
                    .append("</t:id><t:property><t:name>HTTPSInputSandboxURI</t:name><t:value>https://localhost:")
                    .append(port)
                    .append(INPUT)
                    .append(id)
                    .append("</t:value></t:property></t:jobId></t:result>");
        }
        return results.append("</t:JobRegisterResponse>").toString();
    }

    private String status(String id) {
        return "<t:result><t:jobStatus>" + jobId(id) + "<t:name>"
                + (jobs.get(id).ran()
                        ? "DONE-OK</t:name><t:exitCode>" + EXIT_CODE + "</t:exitCode>"
                        : "REGISTERED</t:name>")
                + "</t:jobStatus></t:result>";
    }

    private static String jobId(String id) {
        return "<t:jobId><t:id>" + id + "</t:id></t:jobId>";
    }

    private static Http.Response results(String operation, List<String> ids, Function<String, String> work) {
        return soap(
                200,
                ids.stream()
                        .map(id -> "<t:result>" + jobId(id) + work.apply(id) + "</t:result>")
                        .collect(Collectors.joining(
                                "", "<t:" + operation + "Response>", "</t:" + operation + "Response>")));
    }

    private static Http.Response delegated(String operation, String value) {
        return soap(
                200,
                "<d:" + operation + "Response><" + operation + "Return>" + value + "</" + operation + "Return></d:"
                        + operation + "Response>");
    }

    private static Http.Response refused(String why) {
        return soap(
                500,
                "<s:Fault><faultstring>no</faultstring><detail><d:DelegationException><d:msg>" + why
                        + "</d:msg></d:DelegationException></detail></s:Fault>");
    }

    static Http.Response internalError() {
        return soap(
                        500,
                        "<s:Fault><faultstring>no</faultstring><detail><t:GenericFault><t:Description>internal error"
                                + "</t:Description><t:FaultCause>error 1a2b3c4d, see the log of the service</t:FaultCause>"
                                + "</t:GenericFault></detail></s:Fault>")
                .named("INTERNAL");
    }

    private static String fault(String kind, String why) {
        return "<t:" + kind + "><t:Description>" + why + "</t:Description></t:" + kind + ">";
    }

    private static Http.Response soap(int status, String body) {
        return Http.Response.of(
                status,
                "text/xml; charset=utf-8",
                "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\""
                        + " xmlns:t=\"http://glite.org/2007/11/ce/cream/types\""
                        + " xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"><s:Body>" + body
                        + "</s:Body></s:Envelope>");
    }

    private Http.Response arc(Http.Request call, String path) {
        if (path.startsWith("/delegations")) {
            return arcDelegation(call, path);
        }
        if (path.matches("/jobs/[^/]+/session(\\?.*)?")) {
            return Http.Response.of(
                    200, "text/xml", "<list><file size=\"" + PRINTED.length() + "\">ce-run.stdout</file></list>");
        }
        if (path.endsWith("/session/ce-run.stdout")) {
            return Http.Response.of(200, "application/octet-stream", PRINTED);
        }
        if (path.matches("/jobs/[^/]+/session/.*")) {
            return file(call, path.split("/")[2], path.split("/")[4], true);
        }
        List<String> ids = all(JSON_ID, call.text());
        return switch (path.replaceFirst("&.*", "")) {
            case "/jobs?action=new" -> {
                if (call.text().contains("<ActivityDescriptions/>")) {
                    yield Http.Response.of(500, "text/plain", "Payload is not recognized: no activity")
                            .named("REQUEST_REFUSED");
                }
                String id = register(call.text());
                if (jobs.get(id).missing.isEmpty()) {
                    jobs.get(id).starts++;
                }
                yield json(201, List.of("{\"status-code\":\"201\",\"id\":\"" + id + "\"}"));
            }
            case "/jobs?action=info" -> json(200, ids.stream().map(this::info).toList());
            case "/jobs?action=kill" -> act(ids, job -> job.cancelled = true);
            case "/jobs?action=clean" -> act(ids, job -> job.purged = true);
            default -> throw new IllegalStateException(path);
        };
    }

    private Http.Response arcDelegation(Http.Request call, String path) {
        String id = path.replaceFirst("^/delegations/?", "").replaceFirst("\\?.*", "");
        if (call.method().equals("PUT")) {
            if (!requested.remove(id)) {
                return Http.Response.of(404, "text/plain", "Delegation request not found!");
            }
            delegations.add(id);
            return Http.Response.of(200, "text/plain", "");
        }
        if (path.endsWith("?action=get")) {
            return delegations.contains(id)
                    ? Http.Response.of(200, "application/x-pem-file", "-----BEGIN CERTIFICATE-----\n")
                    : Http.Response.of(404, "text/plain", "No delegation found");
        }
        String made = id.isEmpty() ? "d" + (delegations.size() + requested.size() + 1) : id;
        requested.add(made);
        return new Http.Response(
                201,
                "application/x-pem-file",
                ARC + "/delegations/" + made,
                null,
                request.getBytes(StandardCharsets.US_ASCII));
    }

    private String info(String id) {
        String state = jobs.get(id).ran()
                ? "\"State\":[\"arcrest:FAILED\"],\"ExitCode\":\"" + EXIT_CODE
                        + "\",\"Error\":[\"LRMS error: (" + EXIT_CODE + ") Job finished with wrong exit code - "
                        + EXIT_CODE + " != 0\"]"
                : "\"State\":[\"arcrest:PREPARING\"]";
        return "{\"status-code\":\"200\",\"id\":\"" + id + "\",\"info_document\":{\"ComputingActivity\":{" + state
                + "}}}";
    }

    /** What is done to a job. */
    private interface Act {
        void on(Job job);
    }

    private Http.Response act(List<String> ids, Act act) {
        List<String> results = new ArrayList<>();
        for (String id : ids) {
            act.on(jobs.get(id));
            results.add("{\"status-code\":\"202\",\"id\":\"" + id + "\"}");
        }
        return json(201, results);
    }

    private static Http.Response json(int status, List<String> jobs) {
        return Http.Response.of(status, "application/json", "{\"job\":[" + String.join(",", jobs) + "]}");
    }

    private static String first(Pattern pattern, String text) {
        return all(pattern, text).stream().findFirst().orElse("");
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }
}
