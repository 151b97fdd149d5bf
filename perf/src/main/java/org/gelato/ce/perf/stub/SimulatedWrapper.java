package org.gelato.ce.perf.stub;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.intake.WrapperEvent.Kind;

/**
 * Leaves in the file system what a job wrapper would: the claim, its events in the spool, the exit record; runs nothing. What
 * it must know it reads from the wrapper's text, as bash would. A kill leaves at the most a file in the spool's {@code tmp},
 * as with a real wrapper.
 */
public final class SimulatedWrapper {
    private static final Pattern VALUE =
            Pattern.compile("^__gelato_(job|attempt|events|token|sandbox)='([^']*)'$", Pattern.MULTILINE);
    private static final int VALUES = 5;

    // Tens of thousands are in the memory of the JVM that is measured.
    private final String job;
    private final String attempt;
    private final String token;
    private final Path sandbox;
    /** The same object for all of an owner. */
    private final String events;

    private final String lrmsId;
    private final UserPrincipal owner;
    private final Clock clock;
    private boolean spoolIsThere;

    private SimulatedWrapper(Map<String, String> values, String lrmsId, UserPrincipal owner, Clock clock) {
        this.job = values.get("job");
        this.attempt = values.get("attempt");
        this.token = values.get("token");
        this.sandbox = Path.of(values.get("sandbox"));
        this.events = values.get("events").intern();
        this.lrmsId = lrmsId;
        this.owner = owner;
        this.clock = clock;
    }

    /**
     * @param script of the job
     * @param owner whose files they become; null for this process's own
     * @throws IllegalArgumentException for a wrapper that does not report by the spool of a shared sandbox
     */
    public static SimulatedWrapper of(String script, String lrmsId, UserPrincipal owner, Clock clock) {
        Map<String, String> values = new HashMap<>();
        Matcher m = VALUE.matcher(script);
        while (values.size() < VALUES && m.find()) {
            values.putIfAbsent(m.group(1), m.group(2));
        }
        if (values.size() < VALUES || values.containsValue("")) {
            throw new IllegalArgumentException(
                    "the stub batch system runs only wrappers that report by the spool of a shared sandbox");
        }
        return new SimulatedWrapper(values, lrmsId, owner, clock);
    }

    /** @return whether this hand-over is the one that runs */
    boolean claim() throws IOException {
        Path claim = sandbox.resolve("claim");
        try {
            Files.createDirectory(claim);
        } catch (FileAlreadyExistsException e) {
            return false;
        }
        own(claim);
        String text = "pid=0\nstart=0\nattempt=" + attempt + "\nlrmsid=" + lrmsId + "\nnode=" + StubJob.NODE + "\n";
        write(claim.resolve(".owner"), claim.resolve("owner"), text);
        return true;
    }

    /** The id of the job. */
    public String job() {
        return job;
    }

    void tell(Kind kind) throws IOException {
        spool(kind.name(), event(kind, "", ""));
    }

    /** The end: record first, event second. */
    void done(String exit, String reason) throws IOException {
        end(event(Kind.DONE, exit, reason));
    }

    /**
     * The end of a job that sent messages, by itself.
     *
     * @param messages lines of its journal
     */
    public void done(long messages) throws IOException {
        end(event(Kind.DONE, "0", "") + (messages == 0 ? "" : "messages=" + messages + "\n"));
    }

    /** The journal, new and empty, to append lines to, each with its line feed. */
    public OutputStream journal() throws IOException {
        Path journal = sandbox.resolve("messages");
        OutputStream lines = Files.newOutputStream(journal, StandardOpenOption.CREATE_NEW, StandardOpenOption.APPEND);
        own(journal);
        return lines;
    }

    /**
     * Sends lines of the journal, as the messenger does: to be called when the last ones have been taken.
     *
     * @param first number of the first line
     * @return the file, which the CE removes when it has the lines
     */
    public Path messages(long first, String lines) throws IOException {
        return spool(
                "MESSAGES", "job=" + job + "\nevent=MESSAGES\nfirst=" + first + "\ntoken=" + token + "\n\n" + lines);
    }

    private void end(String event) throws IOException {
        write(sandbox.resolve(".exit.0"), sandbox.resolve("exit"), event);
        spool(Kind.DONE.name(), event);
    }

    private String event(Kind kind, String exit, String reason) {
        Instant now = clock.instant();
        return "job=" + job + "\nattempt=" + attempt + "\nevent=" + kind + "\ntime="
                + (now.getEpochSecond() * 1_000_000 + now.getNano() / 1000) + "\nnode=" + StubJob.NODE + "\nexit="
                + exit + "\nreason=" + reason + "\nlrmsid=" + lrmsId + "\ntoken=" + token + "\n";
    }

    private Path spool(String kind, String event) throws IOException {
        Path spool = Path.of(events);
        Path tmp = spool.resolve("tmp");
        if (!spoolIsThere && !Files.isDirectory(tmp)) {
            Files.createDirectories(tmp);
            own(spool);
            own(tmp);
        }
        spoolIsThere = true;
        String name = lrmsId + "." + job + "." + attempt + "." + kind;
        write(tmp.resolve(name), spool.resolve(name), event);
        return spool.resolve(name);
    }

    private void write(Path by, Path to, String text) throws IOException {
        Files.write(by, text.getBytes(StandardCharsets.UTF_8));
        own(by);
        Files.move(by, to, StandardCopyOption.ATOMIC_MOVE);
    }

    private void own(Path file) throws IOException {
        if (owner != null) {
            Files.setOwner(file, owner);
        }
    }
}
