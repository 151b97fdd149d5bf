package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.JobNaming;
import org.gelato.ce.cli.wire.MessageCalls;

/** One piece of output of each of some jobs. */
final class FakeMessages implements MessageCalls {
    private final Set<String> sent;
    private final List<Item> items;
    private final Map<String, String> names;

    /**
     * @param sent the jobs; null for a CE that has no messages
     * @param items what comes over the one connection; null likewise
     * @param names of jobs, by id; a label is a name here
     */
    FakeMessages(Set<String> sent, List<Item> items, Map<String, String> names) {
        this.names = names;
        this.sent = sent;
        this.items = items;
    }

    @Override
    public boolean wantOutput(String localId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Page page(Query query, String after, int limit, Consumer<Report> reader) {
        if (sent == null) {
            throw new CliException("this CE has no messages of jobs");
        }
        query.jobs().stream()
                .filter(sent::contains)
                .forEach(job -> reader.accept(new Report(
                        "1",
                        job,
                        "stdout",
                        0,
                        FakeCe.NOON,
                        null,
                        null,
                        new byte[1],
                        JsonNodeFactory.instance.nullNode())));
        return new Page("1", false);
    }

    @Override
    public List<String> find(JobNaming wanted) {
        return names.entrySet().stream()
                .filter(job -> wanted.name() == null || wanted.name().equals(job.getValue()))
                .filter(job -> wanted.labels().stream().allMatch(job.getValue()::equals))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    @Override
    public void latest(Query query, Consumer<Report> reader) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Live live(Query query, String after) {
        if (items == null) {
            throw new CliException("this CE has no messages of jobs");
        }
        Iterator<Item> ahead = items.iterator();
        return new Live() {
            @Override
            public Item next() {
                return ahead.hasNext() ? ahead.next() : null;
            }

            @Override
            public String cursor() {
                return "1";
            }

            @Override
            public void close() {}
        };
    }
}
