package org.gelato.ce.lrms.torque;

import java.util.HashMap;
import java.util.Map;
import org.gelato.ce.core.account.OutputLines;

/** A listing as text. */
final class TextListing extends ListingReader {
    private static final int LONGEST_LINE = 64 * 1024;
    /** Of a value that continues over several lines. */
    private static final int LONGEST_VALUE = 64 * 1024;

    private final OutputLines lines = new OutputLines(LONGEST_LINE, this::line);
    private final String indent;
    private Map<String, String> fields;
    /** The attribute that the next line may go on with; null for none. */
    private String last;

    /**
     * @param indent what attributes begin with: Torque continues a long value on lines that begin with a tab, where
     *     Slurm's qstat begins attributes with one
     */
    TextListing(QstatListing.Reading jobs, String indent) {
        super(jobs);
        this.indent = indent;
    }

    @Override
    void read(byte[] piece) {
        lines.take(piece);
    }

    private void line(String line) {
        if (line.startsWith("Job Id:")) {
            if (fields != null) {
                jobs.add(fields, true);
            }
            fields = new HashMap<>();
            fields.put(JobFields.ID, line.substring("Job Id:".length()).strip());
            last = null;
        } else if (fields != null) {
            last = attribute(line);
        }
    }

    private String attribute(String line) {
        // Behind the indent, whose last blank may be the one of a line without a name.
        int equals = line.indexOf(" = ", indent.length());
        if (line.startsWith(indent) && equals > 0) {
            String name = line.substring(indent.length(), equals);
            boolean first = JobFields.USED.contains(name) && !fields.containsKey(name);
            if (first) {
                fields.put(name, line.substring(equals + 3));
            }
            return first ? name : null;
        }
        if (last != null && line.startsWith("\t")) {
            fields.merge(last, line.substring(1), String::concat);
            return fields.get(last).length() > LONGEST_VALUE ? null : last;
        }
        return null;
    }

    @Override
    boolean isWhole() {
        return !lines.isOpen() && fields != null;
    }

    @Override
    QstatListing end() {
        lines.end();
        if (fields != null) {
            jobs.add(fields, true);
        }
        return jobs.listing();
    }
}
