package org.gelato.ce.cli.soap;

import com.sun.xml.ws.developer.JAXWSProperties;
import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.handler.MessageContext;
import java.net.URL;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSocketFactory;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wsdl.cream2.Cream2;
import org.gelato.ce.cli.wsdl.cream2.Cream2Service;
import org.gelato.ce.cli.wsdl.cream2.JobFilter;
import org.gelato.ce.cli.wsdl.cream2.JobId;
import org.gelato.ce.cli.wsdl.delegation.Delegation;
import org.gelato.ce.cli.wsdl.delegation.DelegationService;

/**
 * The two services of one CE. Making a port from its WSDL takes longer than a call: that of the job service, which nearly every command uses, is
 * made in the background while the proxy is read and the connection is prepared, the other one when first used. Used by one thread.
 */
final class SoapPorts {
    private static final String CREAM2_PATH = "/ce-cream/services/CREAM2";
    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    private static final String DELEGATION_PATH = "/ce-cream/services/gridsite-delegation";

    private final Endpoint endpoint;
    private final SSLSocketFactory sockets;
    private final Map<String, List<String>> always;
    private final Duration timeout;
    private final Future<Cream2> unaddressed;
    private Cream2 cream2;
    private Delegation delegation;

    /**
     * @param headers of every request
     * @param cream2 from {@link #prepare}
     */
    SoapPorts(
            Endpoint endpoint,
            SSLSocketFactory sockets,
            Map<String, String> headers,
            Duration timeout,
            Future<Cream2> cream2) {
        this.endpoint = endpoint;
        this.sockets = sockets;
        this.always = headers.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, header -> List.of(header.getValue())));
        this.timeout = timeout;
        this.unaddressed = cream2;
    }

    /** Starts to make a port of the job service; it has no address yet. */
    static Future<Cream2> prepare() {
        return CompletableFuture.supplyAsync(() -> new Cream2Service(wsdl("cream2.wsdl")).getPort(Cream2.class));
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** The address of the job service, as the wire's creamURL wants it. */
    String creamUrl() {
        return endpoint.resolve(CREAM2_PATH).toString();
    }

    /** The wire's form of a selection. */
    JobFilter filter(JobSelector jobs) {
        jobs.requireNoNaming();
        JobFilter filter = new JobFilter();
        for (String id : jobs.localIds()) {
            JobId jobId = new JobId();
            jobId.setId(id);
            jobId.setCreamURL(creamUrl());
            filter.getJobId().add(jobId);
        }
        filter.getStatus().addAll(jobs.states());
        filter.setFromDate(WireTimes.of(jobs.from()));
        filter.setToDate(WireTimes.of(jobs.to()));
        filter.setDelegationId(jobs.delegationId());
        filter.setLeaseId(jobs.leaseId());
        return filter;
    }

    /** Makes one call. @throws CliException for every way it can fail */
    <T> T call(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw Faults.of(endpoint, e);
        }
    }

    Cream2 cream2() {
        if (cream2 == null) {
            cream2 = address(await(unaddressed), CREAM2_PATH);
        }
        return cream2;
    }

    /** Makes a call of the job service with a key in its HTTP header. */
    <T> T keyed(String key, Callable<T> call) throws Exception {
        Map<String, Object> context = ((BindingProvider) cream2()).getRequestContext();
        Map<String, List<String>> headers = new HashMap<>(always);
        headers.put(IDEMPOTENCY_KEY, List.of(key));
        context.put(MessageContext.HTTP_REQUEST_HEADERS, headers);
        try {
            return call.call();
        } finally {
            context.put(MessageContext.HTTP_REQUEST_HEADERS, always);
        }
    }

    Delegation delegation() {
        if (delegation == null) {
            delegation =
                    address(new DelegationService(wsdl("delegation.wsdl")).getPort(Delegation.class), DELEGATION_PATH);
        }
        return delegation;
    }

    private static <T> T await(Future<T> port) {
        try {
            return port.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the service's own description can't be used", e);
        }
    }

    private <T> T address(T port, String path) {
        Map<String, Object> request = ((BindingProvider) port).getRequestContext();
        int millis = Math.toIntExact(timeout.toMillis());
        request.put(
                BindingProvider.ENDPOINT_ADDRESS_PROPERTY,
                endpoint.resolve(path).toString());
        request.put(MessageContext.HTTP_REQUEST_HEADERS, always);
        request.put(JAXWSProperties.SSL_SOCKET_FACTORY, sockets);
        request.put(JAXWSProperties.CONNECT_TIMEOUT, millis);
        request.put(JAXWSProperties.REQUEST_TIMEOUT, millis);
        return port;
    }

    private static URL wsdl(String name) {
        return Objects.requireNonNull(SoapPorts.class.getResource("/org/gelato/ce/cli/wsdl/" + name), name);
    }
}
