package org.gelato.ce.ws.arcrest;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.core.account.AccountCommands.TreeEntry;
import org.gelato.ce.ws.http.ResponseSource;

/** What is in a folder as a response, written in parts: names of jobs' files are as long and as odd as a job makes them. For one thread. */
final class FolderList implements ResponseSource {
    /** Entries of a part. */
    static final int MAX = 500;

    private static final Form.ListName LIST = new Form.ListName("list", "file");

    private final Form form;
    private final List<TreeEntry> entries;
    private int written;

    FolderList(Form form, List<TreeEntry> entries) {
        this.form = form;
        this.entries = form == Form.JSON ? byKind(entries) : entries;
    }

    /** JSON has a list of each kind. */
    private static List<TreeEntry> byKind(List<TreeEntry> entries) {
        List<TreeEntry> ordered =
                new ArrayList<>(entries.stream().filter(TreeEntry::isDirectory).toList());
        entries.stream().filter(entry -> !entry.isDirectory()).forEach(ordered::add);
        return ordered;
    }

    static Part part(TreeEntry entry) {
        return entry.isDirectory()
                ? Part.of("dir", entry.path())
                : Part.of("file", entry.path()).withAttribute("size", Long.toString(entry.size()));
    }

    @Override
    public boolean next(OutputStream out) throws IOException {
        StringBuilder text = new StringBuilder();
        if (written == 0 && form != Form.JSON) {
            form.begin(LIST, text);
        }
        int end = Math.min(entries.size(), written + MAX);
        for (; written < end; written++) {
            TreeEntry entry = entries.get(written);
            if (form == Form.JSON) {
                jsonBefore(entry, text);
            }
            form.item(part(entry), true, text);
        }
        if (end == entries.size()) {
            if (form == Form.JSON) {
                text.append("]}");
            } else {
                form.end(LIST, text);
            }
        }
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        return end < entries.size();
    }

    private void jsonBefore(TreeEntry entry, StringBuilder text) {
        if (written > 0 && entries.get(written - 1).isDirectory() == entry.isDirectory()) {
            text.append(',');
        } else {
            text.append(written == 0 ? "{" : "],").append(entry.isDirectory() ? "\"dir\":[" : "\"file\":[");
        }
    }
}
