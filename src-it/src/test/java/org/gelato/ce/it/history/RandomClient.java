package org.gelato.ce.it.history;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/**
 * One client of one owner: what it does next, to which job and after which pause comes from its seed alone; which jobs there are
 * does not. After a request without an answer it mostly reads until it gets one, so that few operations are open.
 */
final class RandomClient {
    /** How often each is drawn. */
    private static final Map<Operation, Integer> WEIGHTS = Map.ofEntries(
            Map.entry(Operation.REGISTER, 10),
            Map.entry(Operation.SUBMIT, 12),
            Map.entry(Operation.START, 14),
            Map.entry(Operation.CANCEL, 7),
            Map.entry(Operation.KILL, 7),
            Map.entry(Operation.PURGE, 8),
            Map.entry(Operation.CLEAN, 8),
            Map.entry(Operation.SUSPEND, 4),
            Map.entry(Operation.RESUME, 2),
            Map.entry(Operation.STATUS, 20),
            Map.entry(Operation.LIST, 5),
            Map.entry(Operation.EVENTS, 8),
            Map.entry(Operation.MESSAGES, 14),
            Map.entry(Operation.LEASE_BRIEFLY, 3),
            Map.entry(Operation.LEASE_LONG, 2),
            Map.entry(Operation.UNLEASE, 1),
            Map.entry(Operation.ATTACH, 4),
            Map.entry(Operation.DETACH, 1),
            Map.entry(Operation.RENEW, 4));

    private static final int SHORTEST_PAUSE_MS = 40;
    private static final int LONGEST_PAUSE_MS = 250;
    private static final int PROBE_PAUSE_MS = 500;
    private static final int TRIES_OF_A_KEY = 3;
    private static final int MAX_DELEGATIONS = 5;
    private static final int ENDLESS_SECONDS = 900;
    private static final int SHORT_SECONDS = 3;

    private static final Duration BRIEF = Duration.ofSeconds(8);
    /** How many operations it is until a delegation that ends soon is renewed, on average. */
    private static final int RENEWED_ONCE_IN = 25;
    /** Fewer of an owner are a short history, in which there is no time for jobs whose proxies end. */
    private static final int MANY_JOBS = 20;

    private static final int MAX_MESSAGES = 6;
    private static final List<String> LEASES = List.of("one", "two");
    private static final String OWN_LEASE = "own-";

    private final String name;
    private final String owner;
    private final CeClient ce;
    private final HistoryLog log;
    private final Portfolio jobs;
    private final Portfolio foreign;
    private final BiFunction<Integer, Integer, String> description;
    private final SplittableRandom random;
    private final int mostJobs;
    private final List<Operation> deck = new ArrayList<>();
    private Proxy main;
    private int keys;
    private long cursor;
    /** A delegation of its own that ends soon, has ended or was renewed; null for none. */
    private Proxy brief;
    /** After which message it reads on, by job; of all jobs by an empty text. */
    private final Map<String, Long> read = new HashMap<>();

    /**
     * A client.
     *
     * @param jobs those of its owner, which its other clients use too
     * @param foreign those of another owner, which it must not see
     * @param description of a job that sleeps so many seconds and sends so many messages before
     * @param mostJobs of the owner
     */
    RandomClient(
            String name,
            String owner,
            CeClient ce,
            HistoryLog log,
            Portfolio jobs,
            Portfolio foreign,
            BiFunction<Integer, Integer, String> description,
            SplittableRandom random,
            int mostJobs) {
        this.name = name;
        this.owner = owner;
        this.ce = ce;
        this.log = log;
        this.jobs = jobs;
        this.foreign = foreign;
        this.description = description;
        this.random = random;
        this.mostJobs = mostJobs;
        ce.operations().stream().sorted().forEach(o -> {
            for (int i = 0; i < WEIGHTS.getOrDefault(o, 0); i++) {
                deck.add(o);
            }
        });
    }

    /** Delegates, which must succeed: it comes before the first fault. On a busy machine an answer may be late. */
    void delegate() {
        Answer answer = Answer.of(Answer.Kind.NONE, "");
        for (int i = 0; i < MAX_DELEGATIONS && answer.kind() == Answer.Kind.NONE; i++) {
            String id = "d-" + name + (i == 0 ? "" : "-" + i);
            answer = log.record(name, owner, Operation.DELEGATE, null, name, () -> ce.delegate(id, CeClient.LONG));
        }
        if (answer.kind() != Answer.Kind.DONE) {
            throw new IllegalStateException(name + " cannot delegate: " + answer);
        }
        main = new Proxy(answer.text(), HistoryLog.Ends.NEVER, false, new ArrayList<>());
    }

    void run(BooleanSupplier over) {
        while (!over.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
            if (random.nextInt(10) == 0) {
                ce.wallet().take(random);
            }
            Operation next = deck.get(random.nextInt(deck.size()));
            boolean answered = step(next);
            while (!answered && !over.getAsBoolean()) {
                pause(PROBE_PAUSE_MS);
                answered = random.nextInt(4) == 0
                        ? step(deck.get(random.nextInt(deck.size())))
                        : read(Operation.LIST, null);
            }
            pause(SHORTEST_PAUSE_MS + random.nextInt(LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS));
        }
    }

    private Answer record(Operation operation, String job, String argument, HistoryLog.Request request) {
        return record(operation, job, argument, HistoryLog.Ends.NEVER, request);
    }

    /**
     * Sends a request; who is refused for a proxy that has ended goes on with another one, sooner or later.
     *
     * @param ends when the delegation ends that it is about
     */
    private Answer record(
            Operation operation, String job, String argument, HistoryLog.Ends ends, HistoryLog.Request request) {
        Answer answer = log.record(
                name, owner, operation, job, argument, ends.or(ce.wallet().end()), request);
        if (answer.kind() == Answer.Kind.NOT_ADMITTED && random.nextInt(2) == 0) {
            ce.wallet().take(random);
        }
        return answer;
    }

    private static void pause(int milliseconds) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }

    /** Does one operation; returns whether it was answered. */
    private boolean step(Operation drawn) {
        // before its end, after it, or never
        boolean renewed = random.nextInt(RENEWED_ONCE_IN) == 0 && brief != null && !brief.renewed();
        Operation other = renewed ? Operation.RENEW : drawn;
        Operation operation = other.makesJobs() && jobs.size() >= mostJobs ? Operation.STATUS : other;
        return switch (operation) {
            case REGISTER, SUBMIT -> make(operation);
            case RENEW -> renew();
            case LIST, EVENTS -> read(operation, null);
            case LEASE_BRIEFLY, LEASE_LONG, UNLEASE -> lease(operation);
            case MESSAGES -> messages();
            default -> {
                boolean others = operation == Operation.STATUS && random.nextInt(20) == 0;
                String job = (others ? foreign : jobs).choose(operation, random);
                yield job == null || (others ? read(operation, job) : command(operation, job));
            }
        };
    }

    /**
     * A delegation for jobs.
     *
     * @param renewed whether it may have been renewed: then its end ends no job
     * @param jobs that have it
     */
    private record Proxy(String id, HistoryLog.Ends ends, boolean renewed, List<String> jobs) {}

    /** Mostly that of all jobs; else one that ends soon, has ended or was renewed. */
    private Proxy delegationOfNewJob() {
        if (brief != null && random.nextInt(5) == 0) {
            return brief;
        }
        if (mostJobs < MANY_JOBS || random.nextInt(6) > 0) {
            return main;
        }
        // ends of certificates are whole seconds
        Instant first = Instant.now().plus(BRIEF).minusSeconds(1);
        String id = "b-" + name + "-" + (keys + 1);
        Answer answer = record(Operation.DELEGATE, null, id, () -> ce.delegate(id, BRIEF));
        if (answer.kind() != Answer.Kind.DONE) {
            return main;
        }
        log.ends(answer.text(), first);
        HistoryLog.Ends ends = new HistoryLog.Ends(first, Instant.now().plus(BRIEF));
        brief = new Proxy(answer.text(), ends, false, new ArrayList<>());
        return brief;
    }

    /** The delegation of all jobs, or the one that ends soon or has ended. Refused is that alone once it has ended. */
    private boolean renew() {
        Proxy proxy = brief != null && random.nextInt(4) > 0 ? brief : main;
        HistoryLog.Ends refusable = new HistoryLog.Ends(proxy.ends().first(), Instant.MAX);
        Answer answer = record(Operation.RENEW, null, proxy.id(), refusable, () -> ce.renew(proxy.id()));
        if (proxy.equals(brief) && answer.kind() == Answer.Kind.REFUSED) {
            brief = null;
        } else if (proxy.equals(brief) && answer.kind() != Answer.Kind.NOT_ADMITTED) {
            proxy.jobs().forEach(jobs::unleash);
            HistoryLog.Ends ends = answer.isKnown() ? HistoryLog.Ends.NEVER : refusable;
            brief = new Proxy(proxy.id(), ends, true, proxy.jobs());
        }
        return answer.isKnown();
    }

    private boolean make(Operation operation) {
        Proxy proxy = delegationOfNewJob();
        boolean mortal = !proxy.equals(main);
        String lease = mortal ? "" : leaseOfNewJob();
        // an end alone has to end it
        boolean leashed = lease.startsWith(OWN_LEASE) || (mortal && !proxy.renewed());
        boolean endless = leashed || random.nextInt(4) == 0;
        int messages = random.nextInt(3) == 0 ? 1 + random.nextInt(MAX_MESSAGES) : 0;
        String text = description.apply(endless ? ENDLESS_SECONDS : random.nextInt(SHORT_SECONDS), messages);
        String key = name + "-" + ++keys + (mortal ? "~" + proxy.id() : "") + (lease.isEmpty() ? "" : "@" + lease);
        boolean keyed = ce.operations().contains(Operation.REGISTER);
        // the same request under the same key makes no second job
        for (int attempt = 1; attempt <= (keyed ? TRIES_OF_A_KEY : 1); attempt++) {
            Answer answer =
                    record(operation, null, key, proxy.ends(), () -> ce.make(operation, text, proxy.id(), key, lease));
            if (answer.isKnown()) {
                String job = answer.text();
                if (answer.kind() == Answer.Kind.DONE) {
                    if (endless) {
                        log.endless(job);
                    }
                    if (messages > 0) {
                        log.says(job, messages);
                    }
                    proxy.jobs().add(job);
                    if (leashed) {
                        jobs.leash(job);
                    }
                    jobs.note(operation, job, answer);
                }
                return true;
            }
            pause(LONGEST_PAUSE_MS);
            if (mortal && proxy.ends().isOver()) {
                // the answer may be that of the first time
                break;
            }
        }
        return false;
    }

    /** Mostly none; else one that other jobs have and that may be over, or one that is made now and that nobody renews. */
    private String leaseOfNewJob() {
        int draw = ce.operations().contains(Operation.LEASE_BRIEFLY) ? random.nextInt(10) : Integer.MAX_VALUE;
        if (draw == 0) {
            String own = OWN_LEASE + name + "-" + (keys + 1);
            record(Operation.LEASE_BRIEFLY, null, own, () -> ce.lease(Operation.LEASE_BRIEFLY, own));
            return own;
        }
        return draw < 4 ? LEASES.get(random.nextInt(LEASES.size())) : "";
    }

    private boolean command(Operation operation, String job) {
        if (operation == Operation.STATUS) {
            return read(operation, job);
        }
        if (operation == Operation.ATTACH || operation == Operation.DETACH) {
            jobs.unleash(job);
        }
        if (operation == Operation.ATTACH) {
            String lease = LEASES.get(random.nextInt(LEASES.size()));
            return record(operation, job, lease, () -> ce.attach(job, lease)).isKnown();
        }
        Answer answer = record(operation, job, "", () -> ce.command(operation, job));
        jobs.note(operation, job, answer);
        return answer.isKnown();
    }

    private boolean lease(Operation operation) {
        String lease = LEASES.get(random.nextInt(LEASES.size()));
        return record(operation, null, lease, () -> ce.lease(operation, lease)).isKnown();
    }

    /** The next page, mostly; of a job, of all, or of another owner's. */
    private boolean messages() {
        int draw = random.nextInt(20);
        String job = draw == 0
                ? foreign.choose(Operation.MESSAGES, random)
                : draw < 7 ? null : jobs.talking(log::isTalking, random);
        String place = job == null ? "" : job;
        long after = random.nextInt(5) == 0 ? 0 : read.getOrDefault(place, 0L);
        int most = 1 + random.nextInt(10);
        Answer answer = record(Operation.MESSAGES, job, Long.toString(after), () -> ce.messages(job, after, most));
        if (answer.kind() == Answer.Kind.MESSAGES) {
            read.put(place, answer.page().next());
        }
        return answer.isKnown();
    }

    private boolean read(Operation operation, String job) {
        if (operation == Operation.LIST) {
            return record(operation, null, "", ce::list).isKnown();
        }
        if (operation == Operation.STATUS) {
            Answer answer = record(operation, job, "", () -> ce.status(job));
            jobs.note(operation, job, answer);
            return answer.isKnown();
        }
        long from = random.nextInt(5) == 0 ? random.nextLong(cursor + 1) : cursor;
        int most = 3 + random.nextInt(40);
        Answer answer = record(operation, null, Long.toString(from), () -> ce.events(from, most));
        for (SeenEvent event : answer.events()) {
            cursor = Math.max(cursor, event.id() + 1);
        }
        return answer.isKnown();
    }
}
