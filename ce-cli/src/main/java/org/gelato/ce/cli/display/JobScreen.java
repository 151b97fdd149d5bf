package org.gelato.ce.cli.display;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.EventReport;
import org.gelato.ce.cli.wire.LiveEvents;
import org.gelato.ce.cli.wire.StatusReport;

/**
 * Jobs by state and their last changes, on a terminal, drawn anew until it is interrupted. What it shows is the CE's response, never a
 * sum of events: an event only says that it is time for the next. The thread that draws and the one that reads events share the last
 * changes alone.
 */
public final class JobScreen {
    /** Between two drawings: ages grow, and changes are shown together. */
    static final Duration TICK = Duration.ofSeconds(1);

    /** Between two queries without any event, and of a CE that sends none. */
    static final Duration SELDOM = Duration.ofSeconds(30);

    static final Duration WITHOUT_EVENTS = Duration.ofSeconds(5);

    /** A query may take this part of the time: thousands of jobs are not queried as often as ten. */
    private static final int SHARE = 10;

    private static final int CHANGES = 8;
    private static final int WIDTH = 100;
    private static final String FROM_THE_TOP = "\u001b[H\u001b[J";

    private final CliContext context;
    private final String title;
    private final Supplier<List<StatusReport>> query;
    private final Deque<EventReport> changes = new ArrayDeque<>();
    private boolean changed = true;
    private boolean events;
    private String trouble = "";

    /**
     * @param title what is watched
     * @param query the states of all jobs that are meant, from the CE
     */
    public JobScreen(CliContext context, String title, Supplier<List<StatusReport>> query) {
        this.context = context;
        this.title = title;
        this.query = query;
    }

    /**
     * Draws until this thread is interrupted, or nobody reads any more.
     *
     * @param source a connection of its own for the events
     */
    public void run(ComputingElement source) throws InterruptedException {
        Thread reader = new Thread(() -> read(source), "events");
        reader.setDaemon(true);
        reader.start();
        try {
            draw();
        } finally {
            reader.interrupt();
        }
    }

    private void draw() throws InterruptedException {
        List<StatusReport> states = List.of();
        Instant next = context.clock().instant();
        while (!context.out().checkError()) {
            Instant now = context.clock().instant();
            if (!now.isBefore(next) && isDue(now, next)) {
                try {
                    states = query.get();
                    say("");
                } catch (CliException e) {
                    say(e.getMessage());
                }
                Instant end = context.clock().instant();
                next = end.plus(Duration.between(now, end).multipliedBy(SHARE));
            }
            context.out().print(frame(states, context.clock().instant()));
            context.out().flush();
            context.pause().sleep(TICK);
        }
    }

    /** @param next the earliest time for the next query */
    private synchronized boolean isDue(Instant now, Instant next) {
        boolean due = changed || !now.isBefore(next.plus(events ? SELDOM : WITHOUT_EVENTS));
        changed = false;
        return due;
    }

    private synchronized String frame(List<StatusReport> states, Instant now) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream frame = new PrintStream(bytes, false, StandardCharsets.UTF_8);
        frame.print(FROM_THE_TOP);
        frame.println(line(title + "  " + now.truncatedTo(ChronoUnit.SECONDS) + "  " + states.size()
                + (states.size() == 1 ? " job" : " jobs") + "  (Ctrl-C ends this, jobs go on)"));
        frame.println(line(trouble));
        StateSummary.print(frame, states, now);
        frame.println();
        frame.println(events ? "LAST CHANGES" : "LAST CHANGES are not shown: this CE sends no events");
        changes.forEach(change -> frame.println(line(change.localId() + " " + Lines.status(change.status()))));
        frame.flush();
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String line(String text) {
        String line = Printable.line(text);
        return line.codePointCount(0, line.length()) <= WIDTH
                ? line
                : line.substring(0, line.offsetByCodePoints(0, WIDTH - 3)) + "...";
    }

    private void read(ComputingElement source) {
        try {
            String cursor = null;
            while (true) {
                try (LiveEvents live = source.live(cursor).orElse(null)) {
                    if (live == null) {
                        return;
                    }
                    note(null);
                    for (EventReport event = live.next(); event != null; event = live.next()) {
                        note(event);
                        cursor = live.dbId() + "-" + event.id();
                    }
                } catch (LiveEvents.Restarted e) {
                    cursor = null;
                } catch (CliException e) {
                    // The query meets the same, and says it.
                    lost();
                    context.pause().sleep(WITHOUT_EVENTS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void lost() {
        events = false;
    }

    /** @param event null for a connection that was opened: what happened before is in no event */
    private synchronized void note(EventReport event) {
        events = true;
        changed = true;
        Optional.ofNullable(event).ifPresent(changes::addFirst);
        if (changes.size() > CHANGES) {
            changes.removeLast();
        }
    }

    private synchronized void say(String text) {
        trouble = text;
    }
}
