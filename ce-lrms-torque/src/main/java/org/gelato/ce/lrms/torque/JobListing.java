package org.gelato.ce.lrms.torque;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The jobs of one {@code qstat -f}, with or without {@code -x}. Of an attribute that is shown twice the first counts: those
 * a user can fill come after those that matter. A job shown twice counts as not readable, as one of the two is forged.
 *
 * @param jobs whose id and attributes could be read
 * @param damaged jobs that could not be read
 */
record JobListing(List<JobFields> jobs, int damaged) {
    private static final int LONGEST_NAME = 200;
    /** Of a value that goes on over several lines. */
    private static final int LONGEST_VALUE = 64 * 1024;

    /** Reads a listing as XML. */
    static JobListing ofXml(String output) {
        Reading reading = new Reading();
        int at = output.indexOf("<Job>");
        int end = 0;
        while (at >= 0) {
            int next = output.indexOf("<Job>", at + 5);
            if (end >= 0 && end <= at) {
                end = output.indexOf("</Job>", at);
            }
            if (end < 0 || (next >= 0 && next < end)) {
                reading.damaged++;
            } else {
                Map<String, String> fields = elements(output.substring(at + 5, end));
                reading.add(fields == null ? Map.of() : fields);
            }
            at = next;
        }
        return reading.listing();
    }

    /** The elements directly in a job, those with elements in them left out; null when they do not fit together. */
    private static Map<String, String> elements(String job) {
        Map<String, String> fields = new HashMap<>();
        int open = job.indexOf('<');
        while (open >= 0) {
            int close = job.indexOf('>', open);
            String name = close < 0 ? "/" : job.substring(open + 1, close);
            int last =
                    name.startsWith("/") || name.length() > LONGEST_NAME ? -1 : job.indexOf("</" + name + ">", close);
            if (last < 0) {
                return null;
            }
            if (JobFields.USED.contains(name)) {
                fields.putIfAbsent(name, unescaped(job.substring(close + 1, last)));
            }
            open = job.indexOf('<', last + name.length() + 3);
        }
        return fields;
    }

    private static String unescaped(String text) {
        // the ampersand last, or what it brings would be read twice
        return text.indexOf('&') < 0
                ? text
                : text.replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&quot;", "\"")
                        .replace("&apos;", "'")
                        .replace("&amp;", "&");
    }

    /**
     * Reads a listing as text.
     *
     * @param indent what attributes begin with: Torque goes on with a long value on lines that begin with a tab, where
     *     Slurm's qstat begins attributes with one
     */
    static JobListing ofText(String output, String indent) {
        Reading reading = new Reading();
        Map<String, String> fields = null;
        String last = null;
        int at = 0;
        while (at < output.length()) {
            int end = output.indexOf('\n', at);
            String line = output.substring(at, end < 0 ? output.length() : end);
            at = end < 0 ? output.length() : end + 1;
            if (line.startsWith("Job Id:")) {
                reading.add(fields);
                fields = new HashMap<>();
                fields.put(JobFields.ID, line.substring("Job Id:".length()).strip());
                last = null;
            } else if (fields != null) {
                last = attribute(line, indent, fields, last);
            }
        }
        if (fields != null) {
            reading.add(fields);
        }
        return reading.listing();
    }

    /** @return the attribute that the next line may go on with; null for none */
    private static String attribute(String line, String indent, Map<String, String> fields, String last) {
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

    private static final class Reading {
        private final List<JobFields> jobs = new ArrayList<>();
        private final Set<String> ids = new HashSet<>();
        private final Set<String> twice = new HashSet<>();
        private int damaged;

        void add(Map<String, String> fields) {
            if (fields == null) {
                return;
            }
            JobFields job = new JobFields(fields);
            if (job.id().isEmpty() || job.state().isEmpty() || job.tag().isEmpty()) {
                damaged++;
            } else {
                if (!ids.add(job.id())) {
                    twice.add(job.id());
                }
                jobs.add(job);
            }
        }

        JobListing listing() {
            if (!twice.isEmpty()) {
                jobs.removeIf(job -> twice.contains(job.id()));
                damaged += twice.size();
            }
            return new JobListing(List.copyOf(jobs), damaged);
        }
    }
}
