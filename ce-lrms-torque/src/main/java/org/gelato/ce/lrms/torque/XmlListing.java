package org.gelato.ce.lrms.torque;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A listing as XML. An XML parser would stop at a user's first character that is invalid in XML, and then show no job at
 * all. Elements directly in a job are read, and those in {@code resources_used}; other nested ones are left out. A job that is not well-formed is damaged, and the
 * next one is read.
 */
final class XmlListing extends ListingReader {
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_VALUE = 64 * 1024;

    private final ByteArrayOutputStream tag = new ByteArrayOutputStream();
    private final ByteArrayOutputStream value = new ByteArrayOutputStream();
    private boolean inTag;
    /** Of the job that is read; null outside of jobs. */
    private Map<String, String> fields;

    private boolean damaged;
    /** The element that is read; null between elements. */
    private String element;
    /** The element in {@code resources_used} that is read; null outside of them. */
    private String inner;

    private boolean begun;
    private boolean closed;

    XmlListing(QstatListing.Reading jobs) {
        super(jobs);
    }

    @Override
    void read(byte[] piece) {
        int at = 0;
        while (at < piece.length) {
            at = inTag ? tagFrom(piece, at) : textFrom(piece, at);
        }
    }

    /** Returns where to continue. */
    private int textFrom(byte[] piece, int from) {
        int at = from;
        while (at < piece.length && piece[at] != '<') {
            closed &= piece[at] <= ' ' && piece[at] >= 0;
            at++;
        }
        keep(piece, from, at);
        if (at < piece.length) {
            inTag = true;
            tag.reset();
            at++;
        }
        return at;
    }

    private void keep(byte[] bytes, int from, int to) {
        String name = inner == null ? element : inner;
        if (name != null && JobFields.USED.contains(name)) {
            value.write(bytes, from, Math.min(to - from, LONGEST_VALUE - value.size()));
        }
    }

    private int tagFrom(byte[] piece, int from) {
        int at = from;
        while (at < piece.length && piece[at] != '>' && piece[at] != '<') {
            if (tag.size() <= LONGEST_NAME) {
                tag.write(piece[at]);
            }
            at++;
        }
        if (at < piece.length && piece[at] == '>') {
            inTag = false;
            tag(tag.toString(StandardCharsets.UTF_8));
            at++;
        } else if (at < piece.length) {
            tag.reset(); // what went before was text
            at++;
        }
        return at;
    }

    private void tag(String name) {
        closed = false;
        if (name.equals("Job")) {
            endJob(true);
            fields = new HashMap<>();
        } else if (fields == null) {
            begun |= name.equals("Data") || name.equals("Data/");
            closed = name.equals("/Data") || name.equals("Data/");
        } else if (name.equals("/Job")) {
            endJob(element != null);
        } else if (element == null) {
            damaged |= name.startsWith("/") || name.length() > LONGEST_NAME;
            element = damaged ? null : name;
            value.reset();
        } else if (name.equals("/" + element)) {
            if (JobFields.USED.contains(element)) {
                fields.putIfAbsent(element, unescaped(value.toString(StandardCharsets.UTF_8)));
            }
            element = null;
            inner = null;
        } else if (element.equals(JobFields.RESOURCES)) {
            tagOfResource(name);
        }
    }

    private void tagOfResource(String name) {
        if (inner != null && name.equals(inner.replaceFirst("^.*\\.", "/"))) {
            if (JobFields.USED.contains(inner)) {
                fields.putIfAbsent(inner, unescaped(value.toString(StandardCharsets.UTF_8)));
            }
            inner = null;
        } else if (inner == null && !name.startsWith("/")) {
            inner = JobFields.RESOURCES + '.' + name;
            value.reset();
        }
    }

    private void endJob(boolean broken) {
        if (fields != null) {
            jobs.add(fields, !broken && !damaged);
        }
        fields = null;
        element = null;
        inner = null;
        damaged = false;
    }

    private static String unescaped(String text) {
        // the ampersand last, or its replacement would be decoded twice
        return text.indexOf('&') < 0
                ? text
                : text.replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&quot;", "\"")
                        .replace("&apos;", "'")
                        .replace("&amp;", "&");
    }

    @Override
    boolean isWhole() {
        return closed && (begun || !jobs.isEmpty());
    }

    @Override
    QstatListing end() {
        endJob(true);
        return jobs.listing();
    }
}
