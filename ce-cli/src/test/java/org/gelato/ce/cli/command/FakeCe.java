package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.gelato.ce.cli.Main;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.StandardStreams;
import org.gelato.ce.cli.description.JdlText;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.GivenFile;
import org.gelato.ce.cli.terminal.ResultStream;
import org.gelato.ce.cli.terminal.Signals;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.EventBatch;
import org.gelato.ce.cli.wire.EventSelector;
import org.gelato.ce.cli.wire.InputFile;
import org.gelato.ce.cli.wire.JobReport;
import org.gelato.ce.cli.wire.JobSelector;
import org.gelato.ce.cli.wire.JobText;
import org.gelato.ce.cli.wire.LeaseCalls;
import org.gelato.ce.cli.wire.LiveEvents;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.OutputFile;
import org.gelato.ce.cli.wire.RandomText;
import org.gelato.ce.cli.wire.Response;
import org.gelato.ce.cli.wire.ServiceFault;
import org.gelato.ce.cli.wire.ServiceReport;
import org.gelato.ce.cli.wire.SiteJobFilter;
import org.gelato.ce.cli.wire.StatusReport;
import org.gelato.ce.cli.wire.WireFault;
import org.gelato.ce.json.Explanation;
import org.gelato.ce.json.JobDetail;
import org.gelato.ce.json.SiteJob;

/** A CE in memory and the command line run against it. Each poll of a job moves it to its next state. */
final class FakeCe implements ComputingElement {
    static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    final ByteArrayOutputStream out = new ByteArrayOutputStream();
    final ByteArrayOutputStream err = new ByteArrayOutputStream();
    final Map<String, String> environment = new HashMap<>();
    final List<String> calls = new ArrayList<>();
    final List<String> jdls = new ArrayList<>();
    /** Beside each of them; null for none. */
    final List<String> queues = new ArrayList<>();

    final Map<String, List<String>> script = new LinkedHashMap<>();
    /** Jobs that were not started. */
    private final Set<String> registered = new HashSet<>();

    final Map<String, String> files = new LinkedHashMap<>();
    final List<Duration> pauses = new ArrayList<>();
    final List<SiteJob> siteJobs = new ArrayList<>();
    List<StatusReport> history = List.of(state("REGISTERED"), state("DONE-OK"));
    /** Those of a job, at each look. */
    Supplier<List<JobReport.CommandReport>> commands = () -> List.of(command("JOB_START", "SUCCESSFULL", null));

    Path workingDirectory = Path.of("").toAbsolutePath();
    String input = "";
    GivenFile.Kind inputKind = GivenFile.Kind.OTHER;
    boolean terminal;
    /** Bytes that standard output takes; negative where not even a flush succeeds. */
    int room = Integer.MAX_VALUE;
    /** Whether standard output is a pipe, whose reader has gone when it takes no more. */
    boolean pipe;
    /** What happens while jobs are registered. */
    Runnable whileRegistering = () -> {};
    /** What happens while states are asked for. */
    Runnable whileAsking = () -> {};
    /** What happens while a file is uploaded. */
    Consumer<InputFile> whileUploading = file -> {};

    WireFault refusal;
    JobSelector selector;
    EventSelector eventSelector;
    FakeStream stream = selector -> new EventBatch(List.of(), "1");
    Function<String, Optional<LiveEvents>> liveEvents = cursor -> Optional.empty();
    String unwanted = "";
    int outages;
    int registersBeforeLoss = Integer.MAX_VALUE;
    /** Whether what is lost may have reached the CE. */
    boolean lossAfterTheRequest = true;

    /** Whether the CE answers what is lost with an internal error. */
    boolean lossIsAFault;

    boolean startsWithRegistration;
    /** The output file in whose middle the connection breaks. */
    String cutFile = "";
    /** Requests of commands that are carried out before the connection is lost; null for all. */
    Integer requestsBeforeLoss;
    /** The job that is refused where none is named. */
    String refusalOfAll;
    /** Jobs that have sent output; null for a CE without messages. */
    Set<String> sent;

    /** What the jobs print and send; null for a CE without messages. */
    List<MessageCalls.Item> live;
    /** Takes signals to the command; null while it takes none. */
    Consumer<Signals.Signal> signals;
    /** What happens while a command waits. */
    Runnable whilePausing = () -> {};
    /** What happens while a command reads a file. */
    Runnable whileReading = () -> {};
    /** Of every job. */
    String description = "[A=1;]";
    /** What jobs are called. */
    final Map<String, String> names = new HashMap<>();
    /** What a job's record has as its description. */
    final Map<String, String> jdlOf = new HashMap<>();
    /** In place of a job's state. */
    final Map<String, WireFault> faults = new HashMap<>();
    /** Of a job's program; 0 for others. */
    final Map<String, String> exitCodes = new HashMap<>();
    /** What it reports about itself. */
    final Map<String, String> service = new LinkedHashMap<>(Map.of("k", "v"));
    /** Why jobs wait that do not run. */
    String waits;

    List<String> states = List.of("PENDING", "IDLE", "REALLY-RUNNING", "DONE-OK");
    /** Of a job's id in its record. */
    final Map<String, String> properties = new HashMap<>();

    private Endpoint endpoint;
    private Instant now = NOON;
    private int next = 1;

    /** The events the CE returns, or what it throws. */
    interface FakeStream {
        EventBatch next(EventSelector selector);
    }

    int run(String... args) {
        Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
        CliContext context = new CliContext(
                new StandardStreams(
                        new PrintStream(new ResultStream(limited(), () -> pipe), true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        inputKind,
                        terminal),
                environment,
                workingDirectory,
                clock,
                time -> {
                    pauses.add(time);
                    now = now.plus(time);
                    whilePausing.run();
                    if (Thread.interrupted()) {
                        throw new InterruptedException();
                    }
                },
                (endpoint, options, c) -> {
                    this.endpoint = endpoint;
                    calls.add("connect " + endpoint);
                    return this;
                },
                new FakeSignals());
        return Main.run(context, args);
    }

    /** {@link #out}, which takes no more than a number of bytes. */
    private OutputStream limited() {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (out.size() + length > room) {
                    throw new IOException("No space left on device");
                }
                out.write(bytes, offset, length);
            }

            @Override
            public void flush() throws IOException {
                if (room < 0) {
                    throw new IOException("No space left on device");
                }
            }
        };
    }

    static JobReport.CommandReport command(String name, String status, String reason) {
        return new JobReport.CommandReport(name, "JOB_MANAGEMENT", status, reason, NOON, null);
    }

    void pass(long millis) {
        now = now.plusMillis(millis);
    }

    private final class FakeSignals implements Signals {
        @Override
        public Handling handle(Consumer<Signal> handler) {
            Consumer<Signal> former = signals;
            signals = handler;
            return () -> signals = former;
        }

        @Override
        public void leave(int exitCode) {
            calls.add("leave " + exitCode);
        }
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public void check(String description) {
        if (description.contains("other language")) {
            throw new CliException("not in this language");
        }
    }

    @Override
    public int registrationsAtOnce() {
        return 100;
    }

    @Override
    public boolean startsWithRegistration() {
        return startsWithRegistration;
    }

    @Override
    public Optional<String> delegate() {
        String id = RandomText.hex();
        delegate(id);
        return Optional.of(id);
    }

    @Override
    public void delegate(String delegationId) {
        calls.add("delegate " + delegationId);
    }

    @Override
    public List<Response<String>> register(List<JobText> descriptions, String delegationId) {
        calls.add("register " + descriptions.size() + " " + delegationId);
        whileRegistering.run();
        if (registersBeforeLoss == 0 && lossIsAFault) {
            throw lost();
        }
        if (registersBeforeLoss-- == 0) {
            throw new ConnectionFailure(endpoint + ": the connection broke", null, lossAfterTheRequest);
        }
        descriptions.forEach(description -> {
            jdls.add(description.text());
            queues.add(description.queue());
        });
        List<Response<String>> responses = new ArrayList<>();
        for (JobText description : descriptions) {
            if (description.text().contains("refuse")) {
                responses.add(Response.refused(
                        "x", new WireFault("GenericFault", "0", "system error", "Executable: no good")));
            } else {
                String id = String.format("CREAM%09d", next++);
                script.put(id, new ArrayList<>(states));
                registered.add(id);
                responses.add(Response.of("x", id));
            }
        }
        return responses;
    }

    private ServiceFault lost() {
        return new ServiceFault(
                endpoint,
                new WireFault(
                        "GenericFault",
                        "0",
                        "internal error",
                        "error 1a2b3c4d, see the log of the service",
                        "INTERNAL"));
    }

    @Override
    public void renew(String delegationId) {
        calls.add("renew " + delegationId);
        if (delegationId.equals("cut")) {
            throw new ConnectionFailure(endpoint + ": the connection broke", null);
        }
        if (delegationId.equals("unknown")) {
            throw new ServiceFault(endpoint, new WireFault("DelegationException", null, "not found", null));
        }
    }

    @Override
    public void upload(String localId, InputFile file, LongConsumer progress) {
        whileUploading.accept(file);
        if (Thread.currentThread().isInterrupted()) {
            throw new CliException("interrupted");
        }
        progress.accept(0);
        progress.accept(file.path().toFile().length());
        if (file.name().equals(unwanted)) {
            throw new CliException("HTTP 413: too large");
        }
        calls.add("upload " + localId + " " + file.name());
    }

    private List<Response<Void>> command(String name, JobSelector jobs) {
        List<String> ids = jobs.localIds();
        calls.add(name + " " + String.join(" ", ids));
        if (requestsBeforeLoss != null && requestsBeforeLoss-- == 0) {
            throw new ConnectionFailure(endpoint + ": the connection broke", null, lossAfterTheRequest);
        }
        selector = jobs;
        List<Response<Void>> refusals = new ArrayList<>();
        if (refusal != null) {
            refusals.add(Response.refused(ids.isEmpty() ? refusalOfAll : ids.get(0), refusal));
        }
        return refusals;
    }

    @Override
    public List<Response<Void>> start(List<String> ids) {
        List<Response<Void>> refusals = command("start", JobSelector.of(ids));
        if (refusals.isEmpty()) {
            ids.forEach(registered::remove);
        }
        return refusals;
    }

    @Override
    public List<Response<Void>> suspend(JobSelector jobs) {
        return command("suspend", jobs);
    }

    @Override
    public List<Response<Void>> resume(JobSelector jobs) {
        return command("resume", jobs);
    }

    @Override
    public void acceptJobs(boolean accept) {
        calls.add("acceptJobs " + accept);
    }

    @Override
    public Optional<LiveEvents> live(String cursor) {
        return liveEvents.apply(cursor);
    }

    @Override
    public EventBatch events(EventSelector selector) {
        calls.add("events " + selector.fromId() + " " + selector.size());
        eventSelector = selector;
        return stream.next(selector);
    }

    @Override
    public MessageCalls messages() {
        return new FakeMessages(sent, live, names);
    }

    @Override
    public LeaseCalls leases() {
        return new FakeLeases(calls, jobs -> command("attach", jobs));
    }

    @Override
    public List<Response<Void>> cancel(JobSelector jobs) {
        jobs.localIds()
                .forEach(id -> script.computeIfPresent(id, (job, ahead) -> new ArrayList<>(List.of("CANCELLED"))));
        return command("cancel", jobs);
    }

    @Override
    public List<Response<Void>> purge(JobSelector jobs) {
        return command("purge", jobs);
    }

    @Override
    public List<Response<StatusReport>> status(JobSelector jobs) {
        List<String> ids = jobs.localIds().isEmpty() ? List.copyOf(script.keySet()) : jobs.localIds();
        calls.add("status " + String.join(" ", jobs.localIds()));
        whileAsking.run();
        selector = jobs;
        if (outages > 0) {
            outages--;
            throw new ConnectionFailure(endpoint + ": can't connect", null);
        }
        List<Response<StatusReport>> responses = new ArrayList<>();
        for (String id : ids) {
            List<String> ahead = script.get(id);
            if (faults.containsKey(id)) {
                responses.add(Response.refused(id, faults.get(id)));
            } else if (ahead == null) {
                responses.add(Response.refused(id, new WireFault("JobUnknownFault", "2", "job not found", "N/A")));
            } else {
                StatusReport state = registered.contains(id)
                        ? state("REGISTERED")
                        : state(ahead.size() > 1 ? ahead.remove(0) : ahead.get(0));
                if (!jobs.states().isEmpty() && !jobs.states().contains(state.name())) {
                    if (!jobs.localIds().isEmpty()) {
                        responses.add(Response.refused(
                                id, new WireFault("JobStatusInvalidFault", "4", "job status mismatch", null)));
                    }
                    continue;
                }
                boolean idle = state.name().equals("IDLE");
                String code = state.exitCode() == null ? null : exitCodes.getOrDefault(id, state.exitCode());
                responses.add(Response.of(
                        id,
                        new StatusReport(
                                state.name(), state.time(), code, state.failureReason(), idle ? waits : null)));
            }
        }
        return responses;
    }

    static StatusReport state(String name) {
        boolean done = name.startsWith("DONE");
        return new StatusReport(
                name, NOON, done ? "0" : null, name.equals("DONE-FAILED") ? "no\nsuch file" : null, null);
    }

    @Override
    public List<Response<JobReport>> info(JobSelector jobs) {
        selector = jobs;
        List<String> ids = jobs.localIds().isEmpty() ? List.copyOf(script.keySet()) : jobs.localIds();
        return ids.stream()
                .map(id -> Response.of(
                        id,
                        new JobReport(
                                "N/A",
                                "[reserved]",
                                "id",
                                null,
                                "wn1",
                                "nobody",
                                "N/A",
                                jdlOf.getOrDefault(id, description),
                                "Normal",
                                null,
                                null,
                                history,
                                commands.get(),
                                JobDetail.ofProperties(properties),
                                names.get(id),
                                JdlText.strings(jdlOf.getOrDefault(id, description), "Labels"))))
                .toList();
    }

    @Override
    public List<String> list() {
        return List.of("CREAM000000007", "CREAM000000003");
    }

    @Override
    public ServiceReport serviceInfo() {
        return new ServiceReport("2.1", "1.16", "CREAM 2", NOON, true, "RUNNING", service, List.of("m"));
    }

    @Override
    public List<OutputFile> outputFiles(String localId, boolean all) {
        return files.keySet().stream()
                .map(name -> new OutputFile(name, files.get(name).length()))
                .toList();
    }

    @Override
    public InputStream output(String localId, String name) {
        InputStream content = new ByteArrayInputStream(files.get(name).getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] buffer, int offset, int length) {
                whileReading.run();
                return super.read(buffer, offset, length);
            }
        };
        InputStream cut = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("Connection reset");
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                return read();
            }
        };
        return name.equals(cutFile) ? new SequenceInputStream(content, cut) : content;
    }

    /** What the CE returns to {@link #control}. */
    String controlled = "{}";

    @Override
    public JsonNode control(String method, String what, Map<String, String> parameters) {
        Map<String, String> given = new LinkedHashMap<>(parameters);
        given.values().removeIf(v -> v == null);
        calls.add(method + " " + what + " " + given);
        try {
            return new ObjectMapper().readTree(controlled);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void siteJobs(SiteJobFilter filter, Consumer<SiteJob> jobs) {
        calls.add("siteJobs " + filter);
        siteJobs.forEach(jobs);
    }

    @Override
    public Explanation explain(String dn, List<String> fqans, String queue, Integer cores) {
        calls.add("explain " + dn + " " + fqans + (queue == null ? "" : " " + queue + " " + cores));
        boolean banned = dn.contains("Eve");
        return new Explanation(
                dn,
                dn,
                fqans,
                dn,
                "/dteam",
                !banned,
                banned ? "/ban:3" : null,
                null,
                "/gridmap:1: \"/dteam/*\" .dteam",
                "dteam001",
                "dteam",
                "/gridmapdir/%2fcn",
                false,
                banned ? "banned" : null,
                List.of("one", "two"),
                queue == null
                        ? null
                        : new Explanation.Routed(
                                List.of("multicore", "atlas"),
                                List.of(
                                        new Explanation.Value("set.qos", "large", "multicore"),
                                        new Explanation.Value("limits.cores", 64, "atlas"))));
    }
}
