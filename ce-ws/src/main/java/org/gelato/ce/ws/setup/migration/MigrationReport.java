package org.gelato.ce.ws.setup.migration;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import org.gelato.ce.core.fault.Messages;

/** What became of each thing of the old files, by its place; bounded. Used by one thread. */
final class MigrationReport {
    private static final int MAX_LINES = 2000;
    private static final int LONGEST = 200;

    /** What such a line says an administrator has to do: it is shown however many others there are. */
    private static final String ACT = "act: ";

    private record Line(SourcePlace place, String text) {}

    private final List<Line> lines = new ArrayList<>();
    private int acts;
    private int more;

    /** @param what as it stands there; cut, and without what is not printable */
    void add(SourcePlace place, String what, String fate) {
        boolean act = fate.startsWith(ACT);
        if (act ? acts == MAX_LINES : lines.size() - acts >= MAX_LINES) {
            more++;
            return;
        }
        acts += act ? 1 : 0;
        lines.add(new Line(place, place + " " + Messages.line(what, LONGEST) + " -> " + fate));
    }

    /** In the order of the files, none twice. */
    List<String> lines() {
        LinkedHashSet<String> texts = new LinkedHashSet<>();
        lines.stream().sorted(Comparator.comparing(Line::place)).map(Line::text).forEach(texts::add);
        List<String> all = new ArrayList<>(texts);
        if (more > 0) {
            all.add("and " + more + " more, which are not shown");
        }
        return all;
    }
}
