package org.gelato.ce.cli.submission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.http.PathText;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.OutputFile;

/**
 * The output files of jobs over HTTPS: a list {@code [{"name":..,"size":..}]}, bare or as member {@code files} of an object, and each file
 * below it.
 */
public final class OutputService {
    private static final String PATH = "/ce-cream/output/";
    /** Bounds what a hostile or broken list can make us hold: tens of thousands of names. */
    static final int MAX_LIST_BYTES = 8 << 20;

    private final HttpsGet https;

    private final CliContext context;

    public OutputService(HttpsGet https, CliContext context) {
        this.https = https;
        this.context = context;
    }

    /** The files of a job, in the CE's order. */
    public List<OutputFile> list(String localId) {
        byte[] body;
        try (InputStream in = https.open(PATH + localId + "/")) {
            body = in.readNBytes(MAX_LIST_BYTES + 1);
        } catch (IOException e) {
            throw new ConnectionFailure("the connection broke: " + e.getMessage(), e);
        }
        if (body.length > MAX_LIST_BYTES) {
            throw new CliException("the list of output files is larger than " + MAX_LIST_BYTES + " bytes");
        }
        return parse(body);
    }

    /** The content of a file, verified when its end is reached; the caller closes it. */
    public InputStream open(String localId, String name) {
        return new ResumingDownload(https, PATH + localId + "/" + PathText.encode(name), context.pause(), context::say);
    }

    static List<OutputFile> parse(byte[] json) {
        try {
            JsonNode root = new ObjectMapper().readTree(new ByteArrayInputStream(json));
            JsonNode files = root.isArray() ? root : root.path("files");
            if (!files.isArray()) {
                throw new CliException("the CE's list of output files is no list");
            }
            List<OutputFile> found = new ArrayList<>();
            for (JsonNode file : files) {
                if (!file.path("name").isTextual()) {
                    throw new CliException("the CE's list of output files holds an entry without name");
                }
                found.add(new OutputFile(
                        file.path("name").textValue(), file.path("size").asLong()));
            }
            return found;
        } catch (IOException e) {
            throw new CliException("the CE's list of output files is not JSON: " + e.getMessage(), e);
        }
    }
}
