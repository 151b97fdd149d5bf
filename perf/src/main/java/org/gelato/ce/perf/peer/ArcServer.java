package org.gelato.ce.perf.peer;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.gelato.ce.perf.load.ArcClient;
import org.gelato.ce.perf.load.Crew;
import org.gelato.ce.perf.measure.Rates;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.pki.GridPki;

/**
 * One of the servers that are compared, with a user's connections to it, which are made and kept. What is done to one is done to the
 * other by the same code. Used by one thread.
 */
public final class ArcServer implements AutoCloseable {
    /** Connections of a submitter. */
    public static final int CONNECTIONS = 8;

    private static final int CONNECTS = 10;
    private static final long REST = 200_000_000;

    private final int port;
    private final GridPki pki;
    private final List<ArcClient> clients;
    private final String description;
    private final DoubleSupplier cpuMillis;

    /**
     * Connects, and delegates the user's proxy.
     *
     * @param queue that jobs name
     * @param cpuMillis of all the server's processes, since any moment
     */
    public ArcServer(int port, GridPki pki, GridCredential proxy, String queue, DoubleSupplier cpuMillis) {
        this.port = port;
        this.pki = pki;
        this.cpuMillis = cpuMillis;
        clients = IntStream.range(0, CONNECTIONS)
                .mapToObj(i -> new ArcClient(port, pki, proxy, null))
                .toList();
        connect(clients.subList(0, 1));
        description = ArcClient.description(queue, clients.get(0).delegate());
    }

    /**
     * What some work took.
     *
     * @param number of jobs or requests
     * @param cpuMillis of the server, its background with it
     */
    public record Took(int number, long nanos, double cpuMillis) {
        public double perSecond() {
            return Rates.perSecond(number, nanos);
        }

        public double cpuMillisEach() {
            return cpuMillis / number;
        }
    }

    /** While the other server had its turn this one may have ended connections; A-REX also refuses some new ones. */
    private static void connect(List<ArcClient> some) {
        for (ArcClient client : some) {
            for (int tries = 1; ; tries++) {
                try {
                    client.connect();
                    break;
                } catch (UncheckedIOException e) {
                    if (tries == CONNECTS) {
                        throw e;
                    }
                    Crew.rest(REST);
                }
            }
        }
    }

    private Took took(int number, Runnable work) {
        double cpu = cpuMillis.getAsDouble();
        long begin = System.nanoTime();
        work.run();
        long nanos = System.nanoTime() - begin;
        return new Took(number, nanos, cpuMillis.getAsDouble() - cpu);
    }

    /** Submits about so many jobs, one in each request, by all connections at once. */
    public Took singles(Crew crew, int jobs) {
        int share = Math.max(1, jobs / CONNECTIONS);
        connect(clients);
        return took(
                share * CONNECTIONS,
                () -> crew.each(clients, client -> {
                    for (int i = 0; i < share; i++) {
                        client.submit(description, 1);
                    }
                }));
    }

    /**
     * Submits jobs in so many requests, by some of the connections at once.
     *
     * @param posts of each connection
     * @param bunch jobs in a request
     */
    public Took bunches(Crew crew, int connections, int posts, int bunch) {
        List<ArcClient> some = clients.subList(0, connections);
        connect(some);
        return took(
                connections * posts * bunch,
                () -> crew.each(some, client -> {
                    for (int i = 0; i < posts; i++) {
                        client.submit(description, bunch);
                    }
                }));
    }

    /** Submits so many jobs in one request. */
    public List<String> submit(int jobs) {
        connect(clients.subList(0, 1));
        return clients.get(0).submit(description, jobs);
    }

    /** Has so many requests for new delegations made for another user, one after the other on a connection of its own. */
    public Took delegations(GridCredential user, int number) {
        try (ArcClient client = new ArcClient(port, pki, user, null)) {
            connect(List.of(client));
            return took(number, () -> {
                for (int i = 0; i < number; i++) {
                    client.requestDelegation();
                }
            });
        }
    }

    @Override
    public void close() {
        clients.forEach(ArcClient::close);
    }
}
