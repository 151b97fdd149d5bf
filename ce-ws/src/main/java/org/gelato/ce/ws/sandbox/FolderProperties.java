package org.gelato.ce.ws.sandbox;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
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

    private final String base;
    private final List<TreeEntry> entries;
    private int written;

    /**
     * @param base URL of the session, without a slash at its end
     * @param entries by their paths in the session
     */
    FolderProperties(String base, List<TreeEntry> entries) {
        this.base = base;
        this.entries = entries;
    }

    @Override
    public boolean next(OutputStream out) throws IOException {
        StringBuilder text = new StringBuilder();
        if (written == 0) {
            text.append("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<d:multistatus xmlns:d=\"DAV:\">\n");
        }
        int end = Math.min(entries.size(), written + MAX);
        for (; written < end; written++) {
            property(text, entries.get(written));
        }
        if (end == entries.size()) {
            text.append("</d:multistatus>\n");
        }
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        return end < entries.size();
    }

    /** The account chooses this time: one that HTTP has no form for is left out. */
    private static String modified(TreeEntry entry) {
        return entry.modified() < 0 || entry.modified() > LAST
                ? ""
                : "<d:getlastmodified>"
                        + HTTP_DATE.format(
                                Instant.ofEpochSecond(entry.modified()).atZone(ZoneOffset.UTC))
                        + "</d:getlastmodified>";
    }

    private void property(StringBuilder text, TreeEntry entry) {
        String encoded = URLEncoder.encode(entry.path(), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
        String name = entry.path().substring(entry.path().lastIndexOf('/') + 1);
        String end = entry.isDirectory() && !name.isEmpty() ? "/" : "";
        text.append("  <d:response><d:href>")
                .append(XmlText.escaped(base + "/" + encoded + end))
                .append("</d:href><d:propstat><d:prop><d:displayname>")
                .append(XmlText.escaped(name.isEmpty() ? "session" : name))
                .append("</d:displayname>")
                .append(
                        entry.isDirectory()
                                ? "<d:resourcetype><d:collection/></d:resourcetype>"
                                : "<d:resourcetype/><d:getcontentlength>" + entry.size() + "</d:getcontentlength>")
                .append(modified(entry))
                .append("</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>\n");
    }
}
