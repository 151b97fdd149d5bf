package org.gelato.ce.it.kill;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSocketFactory;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionEvaluationListener;
import org.awaitility.core.EvaluatedCondition;
import org.awaitility.core.TimeoutEvent;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.StandardStreams;
import org.gelato.ce.cli.credential.TlsClient;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.soap.SoapConnector;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobText;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.StatusReport;
import picocli.CommandLine;

/**
 * A client that repeats calls without a response. A registration without a response is repeated by our client itself,
 * under the same key, and so is one that met an error of the CE; here its pauses last until the CE is ready. One that is
 * refused is made anew, under a new key. After a cut command it sends the command again, as a user would, where a refusal
 * because of the job's state shows that the first one was done. Used by one thread at a time.
 */
final class PatientClient {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final String WRONG_STATE = "JobStatusInvalidFault";
    private static final String UNKNOWN = "JobUnknownFault";

    private final ComputingElement ce;
    private final Endpoint endpoint;
    private final Duration patience;

    /** A call got no response, from a client that does not repeat. */
    static final class Unanswered extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unanswered(Throwable cause) {
            super(cause);
        }
    }

    PatientClient(Path proxy, Path authorities, int port) {
        this(proxy, authorities, port, PATIENCE);
    }

    /**
     * @param patience how long a call is repeated; zero for {@link Unanswered} at the first failure
     */
    PatientClient(Path proxy, Path authorities, int port, Duration patience) {
        this.patience = patience;
        Map<String, String> environment =
                Map.of("X509_USER_PROXY", proxy.toString(), "X509_CERT_DIR", authorities.toString());
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        CliContext context = new CliContext(
                new StandardStreams(nowhere, nowhere, new ByteArrayInputStream(new byte[0]), false),
                environment,
                proxy.getParent(),
                Clock.systemUTC(),
                pause(authorities, port),
                new SoapConnector());
        endpoint = new Endpoint("localhost", port);
        CommonOptions options = CommandLine.populateCommand(new CommonOptions(), "--timeout", "30");
        ce = context.connector().connect(endpoint, options, context);
    }

    private CliContext.Pause pause(Path authorities, int port) {
        if (patience.isZero()) {
            return time -> {};
        }
        SSLSocketFactory tls = TlsClient.socketFactory(authorities);
        HttpsGet page = new HttpsGet(new Endpoint("localhost", port), tls, Duration.ofSeconds(10));
        return time -> Awaitility.await("the CE is ready again")
                .pollInSameThread()
                .atMost(patience)
                .until(() -> isReady(page));
    }

    private static boolean isReady(HttpsGet page) {
        try (InputStream response = page.open("/health/ready")) {
            return response.read() >= 0;
        } catch (CliException | IOException e) {
            return false;
        }
    }

    void delegate(String id) {
        try {
            ce.delegate(id);
        } catch (CliException e) {
            if (patience.isZero()) {
                throw new Unanswered(e);
            }
            // it may be there by now, then it is renewed
            patiently(() -> {
                try {
                    ce.renew(id);
                } catch (CliException absent) {
                    ce.delegate(id);
                }
                return null;
            });
        }
    }

    void renew(String id) {
        patiently(() -> {
            ce.renew(id);
            return null;
        });
    }

    /** Registers and starts jobs; returns the ids it learned. */
    List<String> submit(int count, String jdl, String delegation) {
        List<String> ids = register(count, jdl, delegation);
        start(ids);
        return ids;
    }

    List<String> register(int count, String jdl, String delegation) {
        List<Response<String>> responses = patiently(() -> {
            List<Response<String>> all = ce.register(Collections.nCopies(count, JobText.of(jdl)), delegation);
            for (Response<String> a : all) {
                if (a.fault() != null) {
                    throw new CliException(a.fault().message());
                }
            }
            return all;
        });
        return responses.stream().map(Response::value).toList();
    }

    void start(List<String> ids) {
        command(ids, () -> ce.start(ids), WRONG_STATE);
    }

    void cancel(List<String> ids) {
        command(ids, () -> ce.cancel(JobSelector.of(ids)), WRONG_STATE);
    }

    void purge(List<String> ids) {
        command(ids, () -> ce.purge(JobSelector.of(ids)), UNKNOWN);
    }

    private void command(List<String> ids, Callable<List<Response<Void>>> call, String doneBefore) {
        // The first sending may have been done without a response, also one that the JDK repeated behind our back.
        // Whether it
        // was done is seen at the job's end.
        for (Response<Void> r : patiently(call)) {
            if (!r.fault().kind().equals(doneBefore)) {
                throw new AssertionError(r.subject() + " of " + ids + ": " + r.fault());
            }
        }
    }

    /** The state of each job, or the kind of the fault. */
    Map<String, StatusReport> states(Collection<String> ids) {
        Map<String, StatusReport> states = new LinkedHashMap<>();
        for (Response<StatusReport> a : patiently(() -> ce.status(JobSelector.of(List.copyOf(ids))))) {
            states.put(
                    a.subject(),
                    a.fault() == null
                            ? a.value()
                            : new StatusReport(
                                    a.fault().kind(), null, null, a.fault().message(), null));
        }
        return states;
    }

    List<String> list() {
        return patiently(ce::list);
    }

    private <T> T patiently(Callable<T> call) {
        if (patience.isZero()) {
            try {
                return call.call();
            } catch (CliException e) {
                throw new Unanswered(e);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        AtomicReference<T> response = new AtomicReference<>();
        AtomicReference<String> refusal = new AtomicReference<>();
        Awaitility.await("a response of " + endpoint)
                .conditionEvaluationListener(new ConditionEvaluationListener<Object>() {
                    @Override
                    public void conditionEvaluated(EvaluatedCondition<Object> condition) {
                        // only the end is reported
                    }

                    @Override
                    public void onTimeout(TimeoutEvent timeout) {
                        throw new AssertionError("no response of " + endpoint + ", the last refusal: " + refusal.get());
                    }
                })
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(300))
                .atMost(patience)
                .until(() -> {
                    try {
                        response.set(call.call());
                        return true;
                    } catch (CliException e) {
                        refusal.set(e.getMessage());
                        return false;
                    }
                });
        return response.get();
    }
}
