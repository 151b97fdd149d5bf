package org.gelato.ce.ws.sandbox;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.gelato.ce.core.account.AccountCommands.TreeEntry;
import org.gelato.ce.ws.http.ResponseSource;
import org.gelato.ce.ws.web.XmlText;

/** The answer to PROPFIND, written in parts: names of jobs' files are as long and as odd as a job makes them. For one thread. */
final class FolderProperties implements ResponseSource {
    /** Entries of a part. */
    static final int MAX = 500;

    /** The end of the year 9999. */
    private static final long LAST = 253_402_300_799L;

    /** RFC 9110 section 5.6.7, whose day has two digits. */
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ROOT);

    private final String url;
    private final String folder;
    private final List<TreeEntry> entries;
    private int written;

    /**
     * @param url that was requested, as its client wrote it, with all its slashes: ARC's client takes it off what it reads here, and
     *     has names of files left
     * @param own what was requested, by its name; the session directory has none
     * @param inside what lies directly in it, by names
     */
    FolderProperties(String url, TreeEntry own, List<TreeEntry> inside) {
        this.url = url;
        this.folder = url.endsWith("/") ? url : url + "/";
        this.entries = new ArrayList<>(inside);
        entries.add(0, own);
    }

    @Override
    public boolean next(OutputStream out) throws IOException {
        StringBuilder text = new StringBuilder();
        if (written == 0) {
            text.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<d:multistatus xmlns:d=\"DAV:\">\n");
        }
        int end = Math.min(entries.size(), written + MAX);
        for (; written < end; written++) {
            TreeEntry entry = entries.get(written);
            if (written > 0) {
                property(text, folder + encoded(entry), entry);
            } else {
                property(text, entry.isDirectory() ? folder : url, entry);
            }
        }
        if (end == entries.size()) {
            text.append("</d:multistatus>\n");
        }
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        return end < entries.size();
    }

    /** Whether HTTP has a form for a time, in seconds of the epoch. */
    static boolean isDate(long seconds) {
        return seconds >= 0 && seconds <= LAST;
    }

    private static String modified(TreeEntry entry) {
        return isDate(entry.modified())
                ? "<d:getlastmodified>"
                        + HTTP_DATE.format(
                                Instant.ofEpochSecond(entry.modified()).atZone(ZoneOffset.UTC))
                        + "</d:getlastmodified>"
                : "";
    }

    private static String encoded(TreeEntry entry) {
        String name = URLEncoder.encode(entry.path(), StandardCharsets.UTF_8).replace("+", "%20");
        return entry.isDirectory() ? name + "/" : name;
    }

    private static void property(StringBuilder text, String href, TreeEntry entry) {
        text.append("  <d:response><d:href>")
                .append(XmlText.escaped(href))
                .append("</d:href><d:propstat><d:prop><d:displayname>")
                .append(XmlText.escaped(entry.path().isEmpty() ? "session" : entry.path()))
                .append("</d:displayname>")
                .append(
                        entry.isDirectory()
                                ? "<d:resourcetype><d:collection/></d:resourcetype>"
                                : "<d:resourcetype/><d:getcontentlength>" + entry.size() + "</d:getcontentlength>")
                .append(modified(entry))
                .append("</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>\n");
    }
}
