package org.gelato.ce.ws.setup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the CE of a training run has to do: jobs from delegation to purge over both protocols, singly and by some, on kept and new
 * connections. What is called a few hundred times is in the profile. Every refusal is a failure.
 */
final class TrainingJobs {
    static final String QUEUE = "training";

    private static final int ROUNDS = 60;
    private static final int BY_SOME = 5;
    /** Rounds on one connection. */
    private static final int KEPT = 3;
    /** Of so many rounds one has its jobs run: each starts processes of this host. */
    private static final int RUNS = 4;

    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final String TYPES = "http://glite.org/2007/11/ce/cream/types";
    private static final String ACTION = "http://glite.org/2007/11/ce/cream/";
    private static final String CREAM2 = "/ce-cream/services/CREAM2";
    private static final String DELEGATION = "/ce-cream/services/gridsite-delegation";
    private static final String ARC = "/arex/rest/1.0";
    private static final String JDL =
            "[ Executable = \"/bin/true\"; BatchSystem = \"fork\"; QueueName = \"" + QUEUE + "\"; ]";
    private static final Pattern ID = Pattern.compile("id>(CREAM[0-9]{9})<");
    private static final Pattern REQUEST = Pattern.compile("Return[^>]*>(-----BEGIN [^<]*)<");
    private static final Map<String, String> JSON = Map.of("Accept", "application/json");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final TrainingClient client;
    private final Process ce;
    private final long end;
    private final List<String> cream = new ArrayList<>();
    private final List<String> arc = new ArrayList<>();

    /**
     * @param ce while it lives, a request without a response is one too early
     * @param end no round begins after it; of {@link System#nanoTime}
     */
    TrainingJobs(TrainingClient client, Process ce, long end) {
        this.client = client;
        this.ce = ce;
        this.end = end;
    }

    private boolean isOver() {
        return System.nanoTime() - end > 0;
    }

    void run() throws IOException, InterruptedException {
        awaitReady();
        String delegation = "training";
        delegate(delegation);
        String arcDelegation = delegateByArc();
        for (int round = 0; round < ROUNDS && !isOver(); round++) {
            if (round % KEPT == 0) {
                client.connectAnew();
                pages();
            }
            boolean isRun = round % RUNS == 0;
            round(1, delegation, isRun);
            round(BY_SOME, delegation, isRun);
            arcRound(1, arcDelegation);
            if (isRun) {
                arcRound(BY_SOME, arcDelegation);
            }
            remove();
        }
        while (!(cream.isEmpty() && arc.isEmpty()) && !isOver()) {
            pause(500);
            remove();
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        while (true) {
            try {
                if (client.send("GET", "/health/ready", JSON, null).status() == OK) {
                    return;
                }
            } catch (IOException e) {
                // It does not listen yet.
            }
            if (isOver()) {
                throw new IllegalStateException("the CE was not ready in time");
            }
            pause(100);
        }
    }

    /** Waits for the end of the CE, which is a failure, no longer than until the next look at it. */
    private void pause(int milliseconds) throws InterruptedException {
        if (ce.waitFor(milliseconds, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the CE ended with status " + ce.exitValue());
        }
    }

    private void pages() throws IOException {
        get("/health/ready", JSON);
        get("/metrics", Map.of());
        get(ARC + "/info", JSON);
        get(ARC + "/jobs", JSON);
        soap("ServiceInfo", "<t:ServiceInfoRequest>0</t:ServiceInfoRequest>");
    }

    private void get(String path, Map<String, String> headers) throws IOException {
        expect(OK, "GET", path, client.send("GET", path, headers, null));
    }

    private void delegate(String id) throws IOException {
        String request = found(REQUEST, rpc("getProxyReq", "<delegationID>" + id + "</delegationID>"))
                .get(0);
        rpc("putProxy", "<delegationID>" + id + "</delegationID><proxy>" + client.sign(request) + "</proxy>");
    }

    private String delegateByArc() throws IOException {
        String path = ARC + "/delegations?action=new";
        TrainingClient.Response made = client.send("POST", path, JSON, "");
        expect(CREATED, "POST", path, made);
        String id = made.location().substring(made.location().lastIndexOf('/') + 1);
        String own = ARC + "/delegations/" + id;
        expect(
                OK,
                "PUT",
                own,
                client.send("PUT", own, Map.of("Content-Type", "application/x-pem-file"), client.sign(made.text())));
        return id;
    }

    private void round(int jobs, String delegation, boolean isRun) throws IOException {
        String description = "<t:jobDescriptionList jobDescriptionId=\"%s\"><t:JDL>" + JDL
                + "</t:JDL><t:delegationId>" + delegation
                + "</t:delegationId><t:autoStart>false</t:autoStart></t:jobDescriptionList>";
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < jobs; i++) {
            all.append(String.format(description, "Job_" + i));
        }
        List<String> ids = found(ID, soap("JobRegister", "<t:JobRegisterRequest>" + all + "</t:JobRegisterRequest>"));
        if (ids.size() != jobs) {
            throw new IllegalStateException("of " + jobs + " jobs the CE registered " + ids.size());
        }
        soap(isRun ? "JobStart" : "JobCancel", ids);
        soap("JobStatus", ids);
        soap("JobInfo", ids);
        cream.addAll(ids);
    }

    private void arcRound(int jobs, String delegation) throws IOException {
        String one = "<ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\"><Application><Executable>"
                + "<Path>/bin/true</Path></Executable></Application><Resources><QueueName>" + QUEUE
                + "</QueueName></Resources><DataStaging>"
                + "<DelegationID xmlns=\"http://www.nordugrid.org/es/2011/12/nordugrid-adl\">" + delegation
                + "</DelegationID></DataStaging></ActivityDescription>";
        String body = "<ActivityDescriptions xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\">" + one.repeat(jobs)
                + "</ActivityDescriptions>";
        List<String> ids = new ArrayList<>();
        arc("new", body).forEach(job -> ids.add(job.path("id").asText()));
        if (ids.size() != jobs) {
            throw new IllegalStateException("of " + jobs + " jobs the CE made " + ids.size());
        }
        arc("info", list(ids));
        arc.addAll(ids);
    }

    /** Those that have ended; the others later. */
    private void remove() throws IOException {
        if (!cream.isEmpty()) {
            String states = soap("JobStatus", cream);
            Matcher job = Pattern.compile("id>(CREAM[0-9]{9})<.*?name>([A-Z-]+)<", Pattern.DOTALL)
                    .matcher(states);
            List<String> ended = new ArrayList<>();
            while (job.find()) {
                if (job.group(2).startsWith("DONE") || job.group(2).equals("CANCELLED")) {
                    ended.add(job.group(1));
                }
            }
            if (!ended.isEmpty()) {
                soap("JobPurge", ended);
                cream.removeAll(ended);
            }
        }
        if (!arc.isEmpty()) {
            List<String> ended = new ArrayList<>();
            for (JsonNode job : arc("status", list(arc))) {
                if (job.path("state").asText().startsWith("FINISHED")) {
                    ended.add(job.path("id").asText());
                }
            }
            if (!ended.isEmpty()) {
                arc("clean", list(ended));
                arc.removeAll(ended);
            }
        }
    }

    private static String list(List<String> ids) {
        return ids.stream().map(id -> "{\"id\":\"" + id + "\"}").collect(Collectors.joining(",", "{\"job\":[", "]}"));
    }

    private Iterable<JsonNode> arc(String action, String body) throws IOException {
        String path = ARC + "/jobs?action=" + action;
        String type = body.startsWith("{") ? "application/json" : "application/xml";
        TrainingClient.Response response =
                client.send("POST", path, Map.of("Accept", "application/json", "Content-Type", type), body);
        expect(CREATED, "POST", path, response);
        JsonNode jobs = MAPPER.readTree(response.text()).path("job");
        return jobs.isArray() ? jobs : List.of(jobs);
    }

    private String soap(String operation, List<String> ids) throws IOException {
        String all = ids.stream()
                .map(id -> "<t:jobId><t:id>" + id + "</t:id><t:creamURL>https://localhost</t:creamURL></t:jobId>")
                .collect(Collectors.joining());
        return soap(operation, "<t:" + operation + "Request>" + all + "</t:" + operation + "Request>");
    }

    private String soap(String operation, String body) throws IOException {
        return envelope(CREAM2, ACTION + operation, "xmlns:t=\"" + TYPES + "\"", body);
    }

    private String rpc(String operation, String content) throws IOException {
        return envelope(
                DELEGATION,
                "",
                "xmlns:d=\"http://www.gridsite.org/namespaces/delegation-2\"",
                "<d:" + operation + ">" + content + "</d:" + operation + ">");
    }

    private String envelope(String path, String action, String namespace, String body) throws IOException {
        TrainingClient.Response response = client.send(
                "POST",
                path,
                Map.of("Content-Type", "text/xml; charset=utf-8", "SOAPAction", "\"" + action + "\""),
                "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" " + namespace + "><s:Body>" + body
                        + "</s:Body></s:Envelope>");
        expect(OK, action, path, response);
        return response.text();
    }

    private static List<String> found(Pattern pattern, String text) {
        List<String> all = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            all.add(matcher.group(1));
        }
        if (all.isEmpty()) {
            throw new IllegalStateException("the CE returned no " + pattern + " but " + text);
        }
        return all;
    }

    private static void expect(int status, String method, String path, TrainingClient.Response response) {
        if (response.status() != status) {
            throw new IllegalStateException(
                    method + " " + path + " got status " + response.status() + ": " + response.text());
        }
    }
}
