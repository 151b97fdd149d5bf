package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.AccountCommands.FileVersion;
import org.gelato.ce.core.account.AccountCommands.Tree;
import org.gelato.ce.core.account.AccountCommands.TreeEntry;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.sandbox.JobSandbox;
import org.gelato.ce.description.FilePath;
import org.gelato.ce.ws.http.RefusalResponse;
import org.gelato.ce.ws.http.ResponseSource;
import org.gelato.ce.ws.web.Refusal;

/**
 * Both sides of a job's sandbox as one directory, as protocols have it that know a session directory: what the owner brought and
 * what the job left, which hides input of the same name; with folders, which are made with the files in them. Bytes, bounds and errors are those of the other ways to these files.
 */
public final class SessionFiles extends SandboxServlet {
    private static final long serialVersionUID = 1L;
    /** Of the names of a folder on one side: a transfer holds some megabytes at the most. */
    private static final long MAX_CHARACTERS = 2 << 20;
    /** RFC 6578 section 3.6 has it for lists that are longer than a server makes. */
    private static final int TOO_MUCH_TO_LIST = 507;
    /** Of the URL that a listing says with each file; no path that the CE takes is longer, however it is written. */
    private static final int MAX_URL = 4096;

    SessionFiles(Tools tools) {
        super(tools);
    }

    /**
     * Whose files are requested.
     *
     * @param caller a user; a job's wrapper does not come this way
     * @param path below the directory, in parts that are decoded; empty for the directory itself
     * @param url that is requested, absolute, its path as the client wrote it
     * @param left whether only what the job left is read
     */
    public record Session(Caller caller, JobId job, List<String> path, String url, boolean left) {}

    /**
     * A file that the protocol shows.
     *
     * @param mediaType of its bytes
     * @param modified when they last changed, in seconds of the epoch; {@link TreeEntry#UNKNOWN} for never yet
     */
    public record Shown(byte[] bytes, String mediaType, long modified) {
        /** The protocol has suspended the request: it comes again when there may be more. Only for the path that is read. */
        public static final Shown LATER = new Shown(new byte[0], "", TreeEntry.UNKNOWN);

        /** A text of the CE's own. */
        public static Shown text(String text, Instant modified) {
            return new Shown(
                    text.getBytes(StandardCharsets.UTF_8), "text/plain;charset=utf-8", modified.getEpochSecond());
        }

        private TreeEntry named(String name) {
            return new TreeEntry(name, bytes.length, modified);
        }
    }

    /** What the protocol does beside the transfer. */
    public interface Protocol {
        /**
         * Answers with what lies in a folder, by name.
         *
         * @return what follows the head, for long responses; null when the response is whole
         */
        ResponseSource list(List<TreeEntry> entries) throws IOException;

        /**
         * What the protocol shows as files of a job, by their paths, though they do not lie there; what lies there hides them.
         *
         * @param job one the caller may see
         * @param state the job's
         * @param path that is read, below the directory; empty for the directory itself
         */
        Map<String, Shown> shown(JobId job, JobState state, String path);

        /** A file of the input is complete; these are all that are there. */
        void arrived(JobId job, Set<String> names) throws IOException;

        /** Answers a transfer that ended well and has no content of its own. */
        void done() throws IOException;
    }

    /** As the protocols have all their errors; a client that resumes reads {@code Upload-Offset}. */
    @Override
    protected void writeError(
            HttpServletRequest request, HttpServletResponse response, int status, String reason, long present)
            throws IOException {
        RefusalResponse.send(request, response, status, reason);
    }

    /** Serves GET, HEAD, PUT, DELETE and PROPFIND; other methods get 501. */
    public void serve(HttpServletRequest request, HttpServletResponse response, Session where, Protocol protocol)
            throws IOException {
        switch (request.getMethod()) {
            case "GET" -> reading(request, response, transfer -> read(transfer, where, protocol));
            case "HEAD" -> reading(request, response, transfer -> describe(transfer, where, protocol));
            case "PROPFIND" -> reading(request, response, transfer -> properties(transfer, where, protocol));
            case "PUT" ->
                writing(request, response, transfer -> {
                    if (request.getRequestURI().endsWith("/")) {
                        throw new Refusal(400, "folders are made with the files in them: expected the name of a file");
                    }
                    write(transfer, where, protocol);
                });
            case "DELETE" ->
                writing(request, response, transfer -> {
                    remove(request, () -> open(where), path(where));
                    protocol.done();
                });
            default ->
                throw new Refusal(
                        HttpServletResponse.SC_NOT_IMPLEMENTED,
                        "Not Implemented: expected GET, HEAD, PUT, DELETE or PROPFIND");
        }
    }

    private void read(Transfer transfer, Session where, Protocol protocol) throws IOException {
        Found found = find(where, transfer.place(), protocol);
        if (found.isLater()) {
            return;
        }
        if (found.side() != null) {
            send(transfer, found.side(), path(where));
            return;
        }
        if (found.shown() != null) {
            head(transfer.response(), found.shown());
            transfer.response().getOutputStream().write(found.shown().bytes());
            return;
        }
        ResponseSource parts = protocol.list(found.entries());
        if (parts != null) {
            stream(transfer, parts);
        }
    }

    private void write(Transfer transfer, Session where, Protocol protocol) throws IOException {
        try {
            put(transfer, path(where), open(where), tools.limits().maxInput(), () -> open(where), (answer, present) -> {
                if (present.complete()) {
                    arrived(where, protocol);
                }
                protocol.done();
            });
        } catch (Refusal e) {
            if (e.status() == Preconditions.FAILED) {
                // It came once, and the CE may have ended before its job was started.
                arrived(where, protocol);
            }
            throw e;
        }
    }

    private void arrived(Session where, Protocol protocol) throws IOException {
        SandboxSide input = SandboxSide.input(sandbox(where));
        protocol.arrived(
                where.job(),
                tools.files().tree(input.account(), input.files(), FilePath.MAX_DEPTH).entries().stream()
                        .filter(entry -> !entry.isDirectory())
                        .map(TreeEntry::path)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    /**
     * What has a path.
     *
     * @param side that a file is read from; null for a folder, and for what the protocol shows
     * @param entries directly in a folder, by name
     * @param shown null for all else
     */
    private record Found(SandboxSide side, List<TreeEntry> entries, Shown shown) {
        boolean isLater() {
            return Shown.LATER.equals(shown);
        }

        /** When a folder last changed, as far as what is in it shows that. */
        long modified() {
            return entries.stream().mapToLong(TreeEntry::modified).max().orElse(TreeEntry.UNKNOWN);
        }
    }

    private static void head(HttpServletResponse response, Shown shown) {
        response.setContentType(shown.mediaType());
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(shown.bytes().length);
        Downloads.modified(response, shown.modified());
    }

    /**
     * A folder has what is in it on both sides; what the job left hides what the owner brought, and once the job has ended that
     * alone is there. Takes the user's share.
     */
    private Found find(Session where, Place place, Protocol protocol) {
        JobSandbox sandbox = sandbox(where);
        String path = where.path().isEmpty() ? "" : path(where);
        Map<String, TreeEntry> entries = new TreeMap<>();
        boolean folder = path.isEmpty();
        List<SandboxSide> sides = where.left() || sandbox.state().isFinal()
                ? List.of(SandboxSide.output(sandbox))
                : List.of(SandboxSide.output(sandbox), SandboxSide.input(sandbox));
        share(sides.get(0), place);
        for (SandboxSide side : sides) {
            if (!folder && tools.files().isFile(side.account(), side.file(path))) {
                return new Found(side, List.of(), null);
            }
            Optional<Tree> tree = tools.files().directory(side.account(), side.file(path), 1);
            folder = folder || tree.isPresent();
            tree.ifPresent(t -> {
                requireWhole(t);
                t.entries().forEach(entry -> entries.putIfAbsent(entry.path(), entry));
            });
        }
        Map<String, Shown> shown = protocol.shown(where.job(), sandbox.state(), path);
        if (!folder && shown.containsKey(path)) {
            return new Found(null, List.of(), shown.get(path));
        }
        String before = path.isEmpty() ? "" : path + "/";
        for (Map.Entry<String, Shown> file : shown.entrySet()) {
            if (file.getKey().startsWith(before)) {
                String name = file.getKey().substring(before.length());
                int slash = name.indexOf('/');
                TreeEntry entry = slash < 0
                        ? file.getValue().named(name)
                        : new TreeEntry(
                                name.substring(0, slash),
                                TreeEntry.DIRECTORY,
                                file.getValue().modified());
                entries.putIfAbsent(entry.path(), entry);
                folder = true;
            }
        }
        if (!folder) {
            throw new Refusal(404, "no such file");
        }
        return new Found(null, List.copyOf(entries.values()), null);
    }

    /** @throws Refusal when the list is not whole, which its reader would not see, or larger than a transfer may hold */
    private static void requireWhole(Tree tree) {
        long characters = tree.entries().stream()
                .mapToLong(entry -> entry.path().length())
                .sum();
        if (tree.cut() || characters > MAX_CHARACTERS) {
            throw new Refusal(
                    TOO_MUCH_TO_LIST,
                    "the folder holds more names than can be listed: at most " + SandboxFiles.MAX_FILES + " of "
                            + MAX_CHARACTERS + " characters together; its files can be read by their names");
        }
    }

    private JobSandbox sandbox(Session where) {
        return tools.clients().of(where.caller(), where.job());
    }

    private SandboxSide open(Session where) {
        JobSandbox sandbox = sandbox(where);
        if (sandbox.state() != JobState.REGISTERED) {
            // By 409 WebDAV says that a folder is missing: clients make it and come again, without end.
            throw closed(
                    HttpServletResponse.SC_FORBIDDEN,
                    sandbox,
                    "its input can be changed only before it starts, and what it leaves not at all");
        }
        return SandboxSide.input(sandbox);
    }

    /** The path of a file or folder, its names checked. */
    private static String path(Session where) {
        if (where.path().isEmpty()) {
            throw new Refusal(400, "expected the name of a file");
        }
        String path = String.join("/", where.path());
        String fault = FilePath.fault(path);
        if (fault != null) {
            throw new Refusal(400, fault);
        }
        return path;
    }

    private void describe(Transfer transfer, Session where, Protocol protocol) throws IOException {
        Found found = find(where, transfer.place(), protocol);
        if (found.isLater()) {
            return;
        }
        if (found.shown() != null) {
            head(transfer.response(), found.shown());
        } else if (found.side() == null) {
            transfer.response().setHeader("Cache-Control", "no-store");
            transfer.response().setContentLength(0);
            Downloads.modified(transfer.response(), found.modified());
        } else {
            describe(transfer, found.side(), path(where));
        }
    }

    /** WebDAV's listing, of depth 0 and 1; with status 200, as clients of A-REX have it. */
    private void properties(Transfer transfer, Session where, Protocol protocol) throws IOException {
        if (where.url().length() > MAX_URL) {
            throw new Refusal(HttpServletResponse.SC_REQUEST_URI_TOO_LONG, "the path is too long");
        }
        Found found = find(where, transfer.place(), protocol);
        if (found.isLater()) {
            return;
        }
        List<TreeEntry> inside = "0".equals(transfer.request().getHeader("Depth")) ? List.of() : found.entries();
        FolderProperties answer = new FolderProperties(where.url(), itself(where, found), inside);
        transfer.response().setContentType("application/xml");
        transfer.response().setHeader("Cache-Control", "no-store");
        if (inside.size() >= FolderProperties.MAX) {
            stream(transfer, answer);
            return;
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        answer.next(whole);
        transfer.response().setContentLength(whole.size());
        whole.writeTo(transfer.response().getOutputStream());
    }

    /** What is requested, by its name. */
    private TreeEntry itself(Session where, Found found) {
        String name =
                where.path().isEmpty() ? "" : where.path().get(where.path().size() - 1);
        if (found.shown() != null) {
            return found.shown().named(name);
        }
        if (found.side() == null) {
            return new TreeEntry(name, TreeEntry.DIRECTORY, found.modified());
        }
        FileVersion file = tools.files()
                .stat(found.side().account(), found.side().file(path(where)))
                .orElseThrow(() -> new Refusal(404, "no such file"));
        return new TreeEntry(name, file.size(), file.modified());
    }
}
