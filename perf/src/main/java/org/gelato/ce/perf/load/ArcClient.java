package org.gelato.ce.perf.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gelato.ce.testkit.pki.DelegationSigner;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import org.gelato.ce.testkit.wire.WireConnection;
import org.gelato.ce.testkit.wire.WireResponse;

/**
 * A user of an ARC REST server of whatever make on this host, on one TLS connection that is kept; each request is one write, as
 * HTCondor's and pyarcrest's requests in JSON. Every refusal is a failure here. Used by one thread.
 */
public final class ArcClient implements AutoCloseable {
    private static final String ROOT = "/arex/rest";
    private static final String VERSION = ROOT + "/1.0";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration LIFETIME = Duration.ofHours(12);
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int ACCEPTED = 202;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final WireConnection connection;
    private final GridCredential proxy;
    private final Map<String, String> headers;

    /**
     * @param proxy of the TLS connection and of delegations; null for a client without certificate
     * @param token bearer token of each request; null for none
     */
    public ArcClient(int port, GridPki pki, GridCredential proxy, String token) {
        this.proxy = proxy;
        connection = WireConnection.to(port, pki, proxy, PATIENCE);
        headers = new LinkedHashMap<>();
        headers.put("Accept", "application/json");
        if (token != null) {
            headers.put("Authorization", "Bearer " + token);
        }
    }

    /**
     * A description in ADL of a job that does nothing.
     *
     * @param delegation null for none
     */
    public static String description(String queue, String delegation) {
        return "<ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\">"
                + "<ActivityIdentification><Name>nothing</Name></ActivityIdentification>"
                + "<Application><Executable><Path>/bin/true</Path></Executable></Application>"
                + "<Resources><QueueName>" + queue + "</QueueName></Resources>"
                + (delegation == null
                        ? ""
                        : "<DataStaging><DelegationID xmlns=\"http://www.nordugrid.org/es/2011/12/nordugrid-adl\">"
                                + delegation + "</DelegationID></DataStaging>")
                + "</ActivityDescription>";
    }

    /** Asks for the versions: the connection is there then. */
    public void connect() {
        send("GET", ROOT, null, OK);
    }

    /** The description of the whole CE. */
    public void info() {
        send("GET", VERSION + "/info", null, OK);
    }

    /** Has the server make a request for a new delegation, and leaves it. */
    public void requestDelegation() {
        send("POST", VERSION + "/delegations?action=new", "", CREATED);
    }

    /** Delegates the proxy; the delegation's id. */
    public String delegate() {
        WireResponse request = send("POST", VERSION + "/delegations?action=new", "", CREATED);
        String location = request.header("location");
        String id = location.substring(location.lastIndexOf('/') + 1);
        sign(id, request);
        return id;
    }

    /** Delegates the proxy anew under an id. */
    public void renew(String delegation) {
        sign(delegation, send("POST", VERSION + "/delegations/" + delegation + "?action=renew", "", CREATED));
    }

    private void sign(String delegation, WireResponse request) {
        String chain = new DelegationSigner(Clock.systemUTC())
                .sign(proxy, request.text(), LIFETIME, DelegationSigner.Habit.MODERN);
        send("PUT", VERSION + "/delegations/" + delegation, chain, OK);
    }

    /** Submits so many jobs of one description in one request; their ids. */
    public List<String> submit(String description, int jobs) {
        String body = jobs == 1
                ? description
                : "<ActivityDescriptions xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\">" + description.repeat(jobs)
                        + "</ActivityDescriptions>";
        List<String> ids = new ArrayList<>();
        for (JsonNode job : jobs(send("POST", VERSION + "/jobs?action=new", body, CREATED))) {
            require(job, CREATED);
            ids.add(job.path("id").asText());
        }
        if (ids.size() != jobs) {
            throw new IllegalStateException("of " + jobs + " jobs the server made " + ids.size());
        }
        return ids;
    }

    /** The list of all jobs as it came, which {@link #states} takes; clients call it as a ping. */
    public String list() {
        return send("GET", VERSION + "/jobs", null, OK).text();
    }

    /**
     * The states of the jobs of a list by their ids, in one request; jobs that are gone are missing.
     *
     * @param list as {@link #list} returned it: HTCondor sends it back as it came
     */
    public Map<String, String> states(String list) {
        Map<String, String> states = new LinkedHashMap<>();
        for (JsonNode job : jobs(send("POST", VERSION + "/jobs?action=status", list, CREATED))) {
            if (job.path("status-code").asInt() == OK) {
                states.put(job.path("id").asText(), job.path("state").asText());
            }
        }
        return states;
    }

    /** Has jobs that have ended removed; how many the server refused. */
    public int clean(List<String> ids) {
        String list = ids.stream().map(id -> "{\"id\":\"" + id + "\"}").collect(Collectors.joining(","));
        int refused = 0;
        for (JsonNode job : jobs(send("POST", VERSION + "/jobs?action=clean", "{\"job\":[" + list + "]}", CREATED))) {
            refused += job.path("status-code").asInt() == ACCEPTED ? 0 : 1;
        }
        return refused;
    }

    private static void require(JsonNode job, int status) {
        if (job.path("status-code").asInt() != status) {
            throw new IllegalStateException("the server refused a job: " + job);
        }
    }

    /** A-REX leaves the list away where there is one job. */
    private static Iterable<JsonNode> jobs(WireResponse response) {
        try {
            JsonNode jobs = JSON.readTree(response.body()).path("job");
            return jobs.isArray() ? jobs : List.of(jobs);
        } catch (IOException e) {
            throw new IllegalStateException("the response is not JSON: " + response.text(), e);
        }
    }

    private WireResponse send(String method, String target, String body, int status) {
        WireResponse response =
                connection.send(method, target, headers, body == null ? null : body.getBytes(StandardCharsets.UTF_8));
        if (response.status() != status) {
            throw new IllegalStateException(method + " " + target + " was answered with " + response.status() + " "
                    + response.phrase() + ": " + response.text());
        }
        return response;
    }

    @Override
    public void close() {
        connection.close();
    }
}
