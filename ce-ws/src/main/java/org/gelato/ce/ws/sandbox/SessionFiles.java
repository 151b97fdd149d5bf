package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.gelato.ce.core.account.AccountCommands.FileEntry;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.sandbox.JobSandbox;
import org.gelato.ce.ws.xml.XmlText;

/**
 * Both sides of a job's sandbox as one directory, as protocols have it that know a session directory: what the owner brought and
 * what the job left, which hides input of the same name. Bytes, bounds and errors are those of the other ways to these files.
 */
public final class SessionFiles extends SandboxServlet {
    private static final long serialVersionUID = 1L;

    SessionFiles(Tools tools) {
        super(tools);
    }

    /**
     * Whose files are requested.
     *
     * @param caller a user; a job's wrapper does not come this way
     * @param path below the directory, in parts that are decoded; empty for the directory itself
     * @param url of the directory, absolute and without a slash at its end
     */
    public record Session(Caller caller, JobId job, List<String> path, String url) {}

    /** What the protocol does beside the transfer. */
    public interface Protocol {
        /** Answers with the list of files, by name. */
        void list(List<FileEntry> files) throws IOException;

        /** A file of the input is complete; these are all that are there. */
        void arrived(JobId job, Set<String> names) throws IOException;

        /** Answers a transfer that ended well and has no content of its own. */
        void done() throws IOException;
    }

    /** Serves GET, HEAD, PUT, DELETE and PROPFIND; other methods get 501. */
    public void serve(HttpServletRequest request, HttpServletResponse response, Session where, Protocol protocol)
            throws IOException {
        switch (request.getMethod()) {
            case "GET" -> reading(request, response, place -> read(request, response, place, where, protocol));
            case "HEAD" ->
                reading(request, response, place -> {
                    SandboxSide side = sideOf(sandbox(where), name(where));
                    tools.downloads().describe(request, response, side.account(), side.file(name(where)));
                });
            case "PROPFIND" -> reading(request, response, place -> properties(request, response, where));
            case "PUT" ->
                writing(
                        request,
                        response,
                        place -> put(
                                request,
                                response,
                                place,
                                name(where),
                                open(where),
                                tools.limits().maxInput(),
                                () -> open(where),
                                (answer, present) -> arrived(where, protocol, present)));
            case "DELETE" ->
                writing(request, response, place -> {
                    tools.uploads().remove(open(where), name(where));
                    protocol.done();
                });
            default ->
                throw new Refusal(
                        HttpServletResponse.SC_NOT_IMPLEMENTED,
                        "Not Implemented: expected GET, HEAD, PUT, DELETE or PROPFIND");
        }
    }

    private void read(
            HttpServletRequest request, HttpServletResponse response, Place place, Session where, Protocol protocol)
            throws IOException {
        JobSandbox sandbox = sandbox(where);
        if (where.path().isEmpty()) {
            protocol.list(files(sandbox));
        } else {
            get(request, response, place, sideOf(sandbox, name(where)), name(where));
        }
    }

    private void arrived(Session where, Protocol protocol, Uploads.Present present) throws IOException {
        if (!present.complete()) {
            protocol.done();
            return;
        }
        Set<String> names = new TreeSet<>();
        JobSandbox sandbox = sandbox(where);
        SandboxSide input = SandboxSide.input(sandbox);
        tools.files().list(input.account(), input.files()).forEach(file -> names.add(file.name()));
        protocol.arrived(where.job(), names);
    }

    /** The files of both sides; a file of the output hides one of the input. */
    private List<FileEntry> files(JobSandbox sandbox) {
        Map<String, FileEntry> files = new TreeMap<>();
        for (SandboxSide side : List.of(SandboxSide.input(sandbox), SandboxSide.output(sandbox))) {
            tools.files().list(side.account(), side.files()).forEach(file -> files.put(file.name(), file));
        }
        return new ArrayList<>(files.values());
    }

    /** The side a file is read from. */
    private SandboxSide sideOf(JobSandbox sandbox, String name) {
        SandboxSide output = SandboxSide.output(sandbox);
        return tools.files().stat(output.account(), output.file(name)).isPresent()
                ? output
                : SandboxSide.input(sandbox);
    }

    private JobSandbox sandbox(Session where) {
        return tools.visitors().of(where.caller(), where.job());
    }

    private SandboxSide open(Session where) {
        JobSandbox sandbox = sandbox(where);
        if (sandbox.state() != JobState.REGISTERED) {
            throw closed(sandbox, "its input can be changed only before it starts");
        }
        return SandboxSide.input(sandbox);
    }

    private static String name(Session where) {
        if (where.path().size() != 1) {
            throw new Refusal(
                    HttpServletResponse.SC_BAD_REQUEST,
                    where.path().isEmpty() ? "expected the name of a file" : "a session directory has no folders");
        }
        String name = where.path().get(0);
        String fault = FileName.fault(name, true);
        if (fault != null) {
            throw new Refusal(HttpServletResponse.SC_BAD_REQUEST, fault);
        }
        return name;
    }

    /** WebDAV's listing, of depth 0 and 1; with status 200, as clients of A-REX have it. */
    private void properties(HttpServletRequest request, HttpServletResponse response, Session where)
            throws IOException {
        JobSandbox sandbox = sandbox(where);
        StringBuilder text = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n")
                .append("<d:multistatus xmlns:d=\"DAV:\">\n");
        if (where.path().isEmpty()) {
            property(text, where.url() + "/", "", -1);
            if (!"0".equals(request.getHeader("Depth"))) {
                files(sandbox).forEach(file -> property(text, where.url() + "/", file.name(), file.size()));
            }
        } else {
            String name = name(where);
            SandboxSide side = sideOf(sandbox, name);
            long size = tools.files()
                    .stat(side.account(), side.file(name))
                    .orElseThrow(() -> new Refusal(HttpServletResponse.SC_NOT_FOUND, "no such file"))
                    .size();
            property(text, where.url() + "/", name, size);
        }
        byte[] bytes = text.append("</d:multistatus>\n").toString().getBytes(StandardCharsets.UTF_8);
        response.setContentType("application/xml");
        response.setHeader("Cache-Control", "no-store");
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    /** @param size in bytes; -1 for the directory */
    private static void property(StringBuilder text, String base, String name, long size) {
        String href = base + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        text.append("  <d:response><d:href>")
                .append(XmlText.escaped(href))
                .append("</d:href><d:propstat><d:prop><d:displayname>")
                .append(XmlText.escaped(name.isEmpty() ? "session" : name))
                .append("</d:displayname>")
                .append(
                        size < 0
                                ? "<d:resourcetype><d:collection/></d:resourcetype>"
                                : "<d:resourcetype/><d:getcontentlength>" + size + "</d:getcontentlength>")
                .append("</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>\n");
    }
}
