package org.gelato.ce.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
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
     * @param names of jobs, by id; labels and name with semicolons between
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
    public Map<String, Map<String, String>> labels(JobNaming wanted) {
        Map<String, Map<String, String>> found = new TreeMap<>();
        names.forEach((job, text) -> {
            List<String> all = List.of(text.split(";"));
            if (all.containsAll(wanted.labels()) && (wanted.name() == null || all.contains(wanted.name()))) {
                found.put(
                        job,
                        all.stream()
                                .filter(label -> label.contains("="))
                                .collect(Collectors.toMap(
                                        label -> label.split("=", 2)[0], label -> label.split("=", 2)[1])));
            }
        });
        return found;
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
