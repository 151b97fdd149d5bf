package org.gelato.ce.perf.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.perf.load.Client;
import org.gelato.ce.perf.site.PerfSite;
import org.gelato.ce.testkit.pki.VomsIssuer;

/** A user of a VO in one role: an owner of its own to the CE. Used by one thread at a time. */
final class Member {
    private final String person;
    private final Client client;
    private final List<String> jobs = new ArrayList<>();

    private Member(String person, Client client) {
        this.person = person;
        this.client = client;
    }

    /** Makes its proxy, and delegates it. */
    static Member join(PerfSite site, String vo, int user, String role) {
        VomsIssuer issuer = site.pki().vo(vo);
        String name = vo + "-" + user;
        return new Member(
                name,
                Client.of(
                        site,
                        site.pki()
                                .proxy(site.pki().member("Member " + name))
                                .issuer(issuer)
                                .fqans("/" + vo + "/Role=" + role, "/" + vo)
                                .make(),
                        name + "-" + role));
    }

    Client client() {
        return client;
    }

    /** All its jobs; the first is never started. */
    List<String> jobs() {
        return jobs;
    }

    String registered() {
        return jobs.get(0);
    }

    /** Registers so many jobs one by one, and starts all but the first. */
    void work(int number, RunRecord protocol) {
        for (int i = 0; i < number; i++) {
            jobs.addAll(protocol.latencies("register").time(() -> client.register(1)));
        }
        for (String id : jobs.subList(1, jobs.size())) {
            protocol.latencies("start").timed(() -> Client.accept(client.ce().start(List.of(id))));
            protocol.latencies("status").time(() -> client.notEnded(List.of(id)));
        }
    }

    /** Whether the CE lists its jobs and no others. */
    boolean seesItsOwn() {
        List<String> seen = client.ce().list();
        return seen.size() == jobs.size() && Set.copyOf(seen).equals(Set.copyOf(jobs));
    }

    /**
     * Tries everything there is on others' jobs.
     *
     * @param tried counts attempts
     * @return those that were not refused
     */
    long tryOn(List<Member> others, AtomicLong tried) {
        // One that is not started and one that has ended: between them they allow every command but those of running
        // jobs.
        List<String> ids = others.stream()
                .flatMap(o -> List.of(o.registered(), o.jobs.get(o.jobs.size() - 1)).stream())
                .toList();
        JobSelector them = JobSelector.of(ids);
        long missing = 0;
        missing += missing(ids.size(), tried, () -> client.ce().status(them));
        missing += missing(ids.size(), tried, () -> client.ce().info(them));
        missing += missing(ids.size(), tried, () -> client.ce().start(ids));
        missing += missing(ids.size(), tried, () -> client.ce().cancel(them));
        missing += missing(ids.size(), tried, () -> client.ce().suspend(them));
        missing += missing(ids.size(), tried, () -> client.ce().resume(them));
        missing += missing(ids.size(), tried, () -> client.ce().purge(them));
        for (Member other : others) {
            missing += missing(1, tried, () -> {
                client.ce().outputFiles(other.registered(), false);
                return List.<Response<Void>>of();
            });
            // A delegation is a user's, in whatever role: only other users' must be refused.
            if (!other.person.equals(person)) {
                missing += missing(1, tried, () -> List.of(client.tryRegister(other.client.delegation())));
            }
        }
        return missing;
    }

    private static <T> long missing(int attempts, AtomicLong tried, Supplier<List<Response<T>>> call) {
        tried.addAndGet(attempts);
        try {
            return attempts
                    - call.get().stream().filter(a -> a.refusal().isPresent()).count();
        } catch (CliException e) {
            return 0; // the whole call was refused
        }
    }
}
