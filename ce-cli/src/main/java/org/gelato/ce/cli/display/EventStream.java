package org.gelato.ce.cli.display;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ComputingElement;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.EventBatch;
import org.gelato.ce.cli.wire.EventReport;
import org.gelato.ce.cli.wire.EventSelector;
import org.gelato.ce.cli.wire.LiveEvents;
import org.gelato.ce.cli.wire.ServiceFault;

/**
 * Reads events of one CE, each once. When it follows, it waits at the end for more, retries a CE that is out
 * of reach again and again, and begins anew when the CE has a new database. Used by one thread.
 */
public final class EventStream {
    public static final Duration INTERVAL = Duration.ofSeconds(2);
    public static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    /** The most events a CE returns at once (docs/developer/protocol/cream2-wire.md section 7). */
    public static final int PAGE = 500;

    /** Faults that the same question will meet again. */
    private static final Set<String> LASTING =
            Set.of("AuthorizationFault", "InvalidArgumentFault", "OperationNotSupportedFault");

    private final CliContext context;
    private final ComputingElement ce;
    private final EventSelector wanted;
    private final Consumer<String> message;
    private long next;
    private String dbId;
    private Duration pause = INTERVAL;

    /** @param message receives notices for the user while the stream continues */
    public EventStream(CliContext context, ComputingElement ce, EventSelector wanted, Consumer<String> message) {
        this.context = context;
        this.ce = ce;
        this.wanted = wanted;
        this.message = message;
        this.next = wanted.fromId();
    }

    /** Which database the events came from; null before the first response. */
    public String dbId() {
        return dbId;
    }

    /**
     * Reads what there is.
     *
     * @param most null for everything
     */
    public void read(Integer most, Consumer<EventReport> reader) {
        long left = most == null ? Long.MAX_VALUE : most;
        while (left > 0 && !isBeyondEnd()) {
            int requested = (int) Math.min(left, PAGE);
            int delivered = page(ask(requested), left, reader);
            left -= delivered;
            if (delivered < requested) {
                return;
            }
        }
    }

    /**
     * Reads present and new events, until the number or the last id is reached, or the reader stops. The CE sends them as they
     * happen where it can; another one is queried again and again.
     *
     * @param most null for no end
     */
    public void follow(Integer most, Consumer<EventReport> reader) throws InterruptedException {
        long left = most == null ? Long.MAX_VALUE : most;
        while (left > 0 && !isBeyondEnd() && !context.out().checkError()) {
            Long delivered = live(left, reader);
            if (delivered == null) {
                poll(left, reader);
                return;
            }
            left -= delivered;
        }
    }

    /**
     * Reads what one connection brings.
     *
     * @return how many events were new; null when the CE can only be queried
     */
    private Long live(long most, Consumer<EventReport> reader) throws InterruptedException {
        long delivered = 0;
        long last = Math.max(0, next - 1);
        try (LiveEvents live =
                ce.live(dbId == null ? Long.toString(last) : dbId + "-" + last).orElse(null)) {
            if (live == null) {
                return null;
            }
            while (delivered < most && !isBeyondEnd() && !context.out().checkError()) {
                EventReport event = live.next();
                dbId = live.dbId();
                if (event == null) {
                    return delivered;
                }
                pause = INTERVAL;
                if (event.id() < next || isBeyond(event)) {
                    continue;
                }
                next = event.id() + 1;
                if (matches(event)) {
                    delivered++;
                    reader.accept(event);
                    context.out().flush();
                }
            }
        } catch (LiveEvents.Restarted e) {
            message.accept("the CE has a new database: its events begin anew");
            dbId = null;
            next = 0;
        } catch (CliException e) {
            waitAfter(e);
        }
        return delivered;
    }

    private boolean isBeyond(EventReport event) {
        if (wanted.toId() == null || event.id() <= wanted.toId()) {
            return false;
        }
        next = event.id();
        return true;
    }

    /** Of live events the CE sends all. */
    private boolean matches(EventReport event) {
        return (wanted.states().isEmpty()
                        || wanted.states().contains(event.status().name()))
                && (wanted.from() == null || !event.status().time().isBefore(wanted.from()))
                && (wanted.to() == null || !event.status().time().isAfter(wanted.to()));
    }

    private void poll(long most, Consumer<EventReport> reader) throws InterruptedException {
        long left = most;
        while (left > 0 && !isBeyondEnd() && !context.out().checkError()) {
            EventBatch batch = patiently();
            if (batch == null) {
                continue;
            }
            int delivered = page(batch, left, reader);
            left -= delivered;
            if (delivered < PAGE && left > 0 && !isBeyondEnd()) {
                context.pause().sleep(INTERVAL);
            }
        }
    }

    /** Pauses after a failure that may pass, ever longer. */
    private void waitAfter(CliException e) throws InterruptedException {
        if (!mayPass(e)) {
            throw e;
        }
        message.accept(e.getMessage() + "; trying again in " + pause.toSeconds() + " s");
        context.pause().sleep(pause);
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }

    /** The next events; null when there is no usable response yet. */
    private EventBatch patiently() throws InterruptedException {
        EventBatch batch;
        try {
            batch = ask(PAGE);
        } catch (CliException e) {
            waitAfter(e);
            return null;
        }
        pause = INTERVAL;
        if (dbId != null && !dbId.equals(batch.dbId())) {
            message.accept("the CE has a new database (" + Printable.line(String.valueOf(batch.dbId())) + " instead of "
                    + Printable.line(dbId) + "): its events begin anew");
            dbId = batch.dbId();
            next = 0;
            return null;
        }
        return batch;
    }

    private static boolean mayPass(CliException e) {
        return e instanceof ConnectionFailure
                || (e instanceof ServiceFault fault
                        && !LASTING.contains(fault.fault().kind()));
    }

    private EventBatch ask(int size) {
        return ce.events(wanted.startingAt(next, size));
    }

    private boolean isBeyondEnd() {
        return wanted.toId() != null && next > wanted.toId();
    }

    /** @return how many events were new */
    private int page(EventBatch batch, long most, Consumer<EventReport> reader) {
        dbId = batch.dbId();
        int delivered = 0;
        List<EventReport> events = batch.events();
        for (EventReport event : events) {
            // Events that a CE sends again must not be printed again.
            if (event.id() >= next && delivered < most) {
                next = event.id() + 1;
                delivered++;
                reader.accept(event);
            }
        }
        context.out().flush();
        return delivered;
    }
}
