package org.gelato.ce.perf.load;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.StandardStreams;
import org.gelato.ce.cli.soap.SoapConnector;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobText;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.perf.site.MeasuredSite;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;
import picocli.CommandLine;

/**
 * One client of the CE as the command line makes it: a user's VOMS proxy and one TLS connection that is kept. Every refusal is
 * a failure here. Used by one thread.
 */
public final class Client {
    private static final String TIMEOUT_SECONDS = "120";

    private final ComputingElement ce;
    private final String delegation;
    private final String jdl;

    private Client(ComputingElement ce, String delegation, String jdl) {
        this.ce = ce;
        this.delegation = delegation;
        this.jdl = jdl;
    }

    /**
     * Clients of some users, each user with a delegated proxy that all its jobs have.
     *
     * @param users at most as many as clients
     */
    public static List<Client> open(MeasuredSite site, int clients, int users) {
        List<Client> all = new ArrayList<>();
        String jdl = jdl(site, "");
        for (int i = 0; i < clients; i++) {
            int user = i % users;
            Path proxy = site.base().resolve("proxy-" + user + ".pem");
            if (i < users) {
                GridPki pki = site.pki();
                pki.proxy(pki.user("Submitter " + user)).write(proxy);
            }
            Client client = new Client(connect(site, proxy), "perf-" + user, jdl);
            if (i < users) {
                client.ce.delegate(client.delegation);
            }
            all.add(client);
        }
        return all;
    }

    /**
     * A client of one identity, with a proxy delegated under its name.
     *
     * @param name unique among the clients of a site
     */
    public static Client of(MeasuredSite site, GridCredential proxy, String name) {
        Path file = proxy.write(site.base().resolve("proxy-" + name + ".pem"));
        Client client = new Client(connect(site, file), "perf-" + name, jdl(site, ""));
        client.ce.delegate(client.delegation);
        return client;
    }

    /** Connects anew with the proxy in a file, with no TLS session of earlier. */
    public static ComputingElement connectAnew(MeasuredSite site, Path proxy) {
        return connect(site, proxy);
    }

    /** @param more further attributes */
    private static String jdl(MeasuredSite site, String more) {
        return "[ JobType = \"Normal\"; Executable = \"/bin/true\"; BatchSystem = \"" + site.batchSystem()
                + "\"; QueueName = \"" + PerfSite.QUEUE + "\"; " + more + "]";
    }

    private static ComputingElement connect(MeasuredSite site, Path proxy) {
        CommonOptions options = new CommonOptions();
        new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(options))
                .parseArgs("--timeout", TIMEOUT_SECONDS);
        CliContext context = new CliContext(
                new StandardStreams(
                        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
                        System.err,
                        InputStream.nullInputStream(),
                        false),
                Map.of(
                        "X509_USER_PROXY",
                        proxy.toString(),
                        "X509_CERT_DIR",
                        site.pki().certificates().toString()),
                site.base(),
                Clock.systemUTC(),
                time -> TimeUnit.NANOSECONDS.sleep(time.toNanos()),
                new SoapConnector());
        return new SoapConnector().connect(site.door(), options, context);
    }

    /** The CE as this client sees it, for operations that have no method here. */
    public ComputingElement ce() {
        return ce;
    }

    /** Replaces the proxy of this client's user. */
    public void renew() {
        ce.renew(delegation);
    }

    /** Delegates the user's proxy under a further id, as a new user would. */
    public void delegate(String id) {
        ce.delegate(id);
    }

    /** The same user with the same delegation on another connection. */
    public Client on(ComputingElement other) {
        return new Client(other, delegation, jdl);
    }

    /** Registers jobs in one call and starts them in another; their ids. */
    public List<String> submit(int jobs) {
        List<String> ids = register(jobs);
        accept(ce.start(ids));
        return ids;
    }

    /** Registers jobs in one call; their ids. */
    public List<String> register(int jobs) {
        List<String> ids = new ArrayList<>();
        for (Response<String> response : ce.register(Collections.nCopies(jobs, JobText.of(jdl)), delegation)) {
            refuse(response);
            ids.add(response.value());
        }
        return ids;
    }

    /** Tries to register a job with a delegation that may be any user's. */
    public Response<String> tryRegister(String delegationId) {
        return ce.register(List.of(JobText.of(jdl)), delegationId).get(0);
    }

    /** Registers a job whose description has further attributes, each ended by a semicolon; its id. */
    public String registerWith(MeasuredSite site, String attributes) {
        Response<String> response = ce.register(List.of(JobText.of(jdl(site, attributes))), delegation)
                .get(0);
        refuse(response);
        return response.value();
    }

    public String delegation() {
        return delegation;
    }

    /** The jobs of these that have not ended; one call. @throws IllegalStateException for one that failed */
    public List<String> notEnded(List<String> ids) {
        List<String> left = new ArrayList<>();
        for (Response<StatusReport> response : ce.status(JobSelector.of(ids))) {
            refuse(response);
            StatusReport status = response.value();
            if (!status.isFinal()) {
                left.add(response.subject());
            } else if (!status.isDoneOk()) {
                throw new IllegalStateException(
                        response.subject() + " ended as " + status.name() + ": " + status.failureReason());
            }
        }
        return left;
    }

    public void purge(List<String> ids) {
        accept(ce.purge(JobSelector.of(ids)));
    }

    /** @throws IllegalStateException when anything was refused */
    public static void accept(List<Response<Void>> refusals) {
        refusals.forEach(Client::refuse);
    }

    private static void refuse(Response<?> response) {
        response.refusal().ifPresent(fault -> {
            throw new IllegalStateException("the CE refused " + response.subject() + ": " + fault);
        });
    }
}
