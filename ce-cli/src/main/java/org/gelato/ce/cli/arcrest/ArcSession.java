package org.gelato.ce.cli.arcrest;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.http.PathText;
import org.gelato.ce.cli.http.XmlReader;
import org.gelato.ce.cli.submission.InputService;
import org.gelato.ce.cli.submission.ResumingDownload;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.InputFile;
import org.gelato.ce.cli.wire.OutputFile;

/** The files of jobs: those brought before the start, and those there at the end. Used by one thread. */
final class ArcSession {
    private static final int MAX_FILES = 100_000;
    private static final int MAX_DEPTH = 32;

    private final ArcCalls calls;
    private final HttpsGet reader;
    private final InputService input;
    private final CliContext context;

    ArcSession(ArcCalls calls, HttpsGet reader, InputService input, CliContext context) {
        this.calls = calls;
        this.reader = reader;
        this.input = input;
        this.context = context;
    }

    private static String path(String job) {
        return "/jobs/" + job + "/session";
    }

    /** @param started whether the job has been started, by this file or another one */
    void upload(String job, InputFile file, BooleanSupplier started, LongConsumer progress) {
        input.upload(ArcCalls.ROOT + path(job), file, started, progress);
    }

    InputStream open(String job, String name) {
        return new ResumingDownload(
                reader, ArcCalls.ROOT + path(job) + "/" + PathText.encode(name), context.pause(), context::say);
    }

    /**
     * The files, also those in directories.
     *
     * @param all also what was brought; a CE of other software may list that anyway
     */
    List<OutputFile> list(String job, boolean all) {
        List<OutputFile> found = new ArrayList<>();
        list(path(job), all ? "" : "?side=output", "", 0, found);
        return found;
    }

    /** The form that has sizes is XML: in JSON a file is its name alone. */
    private void list(String base, String query, String directory, int depth, List<OutputFile> found) {
        if (depth > MAX_DEPTH) {
            throw new CliException("the session directory is deeper than " + MAX_DEPTH);
        }
        String path = base + (directory.isEmpty() ? "" : "/" + PathText.encode(directory)) + query;
        byte[] xml = calls.call("GET", path, "text/xml", null).body();
        List<String> directories = new ArrayList<>();
        try {
            XMLStreamReader in = XmlReader.of(xml);
            while (in.hasNext()) {
                if (in.next() != XMLStreamConstants.START_ELEMENT) {
                    continue;
                }
                String element = in.getLocalName();
                String size = in.getAttributeValue(null, "size");
                if (element.equals("file") || element.equals("dir")) {
                    String name = (directory.isEmpty() ? "" : directory + "/") + in.getElementText();
                    if (element.equals("dir")) {
                        directories.add(name);
                    } else {
                        found.add(new OutputFile(name, size(size)));
                    }
                }
                if (found.size() + directories.size() > MAX_FILES) {
                    throw new CliException("the session directory has more than " + MAX_FILES + " files");
                }
            }
        } catch (XMLStreamException e) {
            throw new CliException("the CE's list of files is not XML", e);
        }
        for (String below : directories) {
            list(base, query, below, depth + 1, found);
        }
    }

    private static long size(String text) {
        return text != null && text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
    }
}
