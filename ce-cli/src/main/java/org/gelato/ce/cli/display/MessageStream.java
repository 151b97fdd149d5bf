package org.gelato.ce.cli.display;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.LiveEvents;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.ServiceFault;

/**
 * Reads messages of one CE, each once, connection after connection: a lost one is replaced by another one after the last message that
 * came whole. Used by one thread.
 */
public final class MessageStream {
    static final Duration SHORTEST = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int PAGE = 1000;

    private final CliContext context;
    private final MessageCalls messages;
    private final Consumer<String> notice;
    private final Set<String> ended = new HashSet<>();
    private String cursor;
    private Duration pause = SHORTEST;

    /**
     * @param after cursor to begin after
     * @param notice receives what the user should know while the stream continues
     */
    public MessageStream(CliContext context, MessageCalls messages, String after, Consumer<String> notice) {
        this.context = context;
        this.messages = messages;
        this.cursor = after;
        this.notice = notice;
    }

    /** After what was read. */
    String cursor() {
        return cursor;
    }

    /**
     * Reads what there is.
     *
     * @param most null for everything
     * @return whether there is more
     */
    boolean read(MessageCalls.Query query, Integer most, Consumer<MessageCalls.Report> reader) {
        long left = most == null ? Long.MAX_VALUE : most;
        boolean more = true;
        while (more && left > 0 && !context.out().checkError()) {
            long[] delivered = new long[1];
            MessageCalls.Page page = messages.page(query, cursor, (int) Math.min(PAGE, left), report -> {
                delivered[0]++;
                reader.accept(report);
            });
            left -= delivered[0];
            more = page.more();
            cursor = page.next();
            context.out().flush();
        }
        return more;
    }

    /** Reads what there is and what comes, until all jobs of the query have ended, or the reader of the output has gone. */
    public void follow(MessageCalls.Query query, Consumer<MessageCalls.Item> reader) throws InterruptedException {
        while (!isOver(query) && !context.out().checkError()) {
            try (MessageCalls.Live live = messages.live(query, cursor)) {
                if (!connection(live, query, reader) && !isOver(query)) {
                    context.pause().sleep(SHORTEST);
                }
            } catch (LiveEvents.Restarted e) {
                notice.accept("the CE has a new database: its messages begin anew");
                cursor = "0";
            } catch (CliException e) {
                if (!mayPass(e)) {
                    throw e;
                }
                notice.accept(Printable.line(e.getMessage()) + "; trying again in " + pause.toSeconds() + " s");
                rest();
            }
        }
    }

    private boolean isOver(MessageCalls.Query query) {
        return !query.jobs().isEmpty() && ended.containsAll(query.jobs());
    }

    /** @return whether anything came */
    private boolean connection(MessageCalls.Live live, MessageCalls.Query query, Consumer<MessageCalls.Item> reader)
            throws InterruptedException {
        boolean came = false;
        while (!isOver(query) && !context.out().checkError()) {
            MessageCalls.Item item = live.next();
            cursor = live.cursor() == null ? cursor : live.cursor();
            if (item == null) {
                return came;
            }
            came = true;
            pause = SHORTEST;
            // A connection that replaces another one repeats the ends.
            if (!(item instanceof MessageCalls.End end) || ended.add(end.localId())) {
                reader.accept(item);
                context.out().flush();
            }
        }
        return came;
    }

    /** Pauses ever longer. */
    private void rest() throws InterruptedException {
        context.pause().sleep(pause);
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
    }

    private static boolean mayPass(CliException e) {
        return e instanceof ConnectionFailure
                || (e instanceof ServiceFault fault && fault.fault().kind().equals("GenericFault"));
    }
}
