package org.gelato.ce.it.compatibility;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads a table whose first line names the callers and whose other lines list what each of them gets for a request. */
final class AuthorityTable {
    private AuthorityTable() {}

    record Cell(String request, String caller, String expected) {
        @Override
        public String toString() {
            return request + " by " + caller;
        }
    }

    static Stream<Cell> cells(String table) {
        List<String[]> lines = table.lines().map(l -> l.strip().split(" +")).toList();
        String[] callers = lines.get(0);
        List<Cell> cells = new ArrayList<>();
        for (String[] line : lines.subList(1, lines.size())) {
            if (line.length != callers.length) {
                throw new IllegalArgumentException("not a full line: " + String.join(" ", line));
            }
            for (int i = 1; i < line.length; i++) {
                cells.add(new Cell(line[0], callers[i], line[i]));
            }
        }
        return cells.stream();
    }
}
