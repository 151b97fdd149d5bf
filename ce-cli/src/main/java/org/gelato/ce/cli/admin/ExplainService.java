package org.gelato.ce.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.MappingReport;

/** Requests from a CE how it would authorize a user; only administrators may. */
public final class ExplainService {
    private static final String PATH = "/ce-cream/admin/explain";
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private final AdminPages pages;

    public ExplainService(HttpsGet https) {
        this.pages = new AdminPages(https);
    }

    /**
     * Sends the request.
     *
     * @param dn in slash form or RFC 2253
     * @throws CliException when the CE refuses the request or does not respond
     */
    public MappingReport explain(String dn, List<String> fqans) {
        StringBuilder path = new StringBuilder(PATH).append("?dn=").append(AdminPages.encode(dn));
        fqans.forEach(fqan -> path.append("&fqan=").append(AdminPages.encode(fqan)));
        return report(pages.read(path.toString(), MAX_BYTES));
    }

    static MappingReport parse(byte[] json) {
        return report(AdminPages.parse(json));
    }

    private static MappingReport report(JsonNode root) {
        if (!root.path("authorized").isBoolean() || !root.path("dn").isTextual()) {
            throw new CliException("the CE's explanation does not say whether the user is authorized");
        }
        return new MappingReport(
                root.path("authorized").booleanValue(),
                text(root, "dn"),
                texts(root, "fqans"),
                text(root, "owner"),
                text(root, "group"),
                text(root, "banned"),
                text(root, "admin"),
                text(root, "mapping"),
                text(root, "account"),
                text(root, "pool"),
                text(root, "lease"),
                root.path("leased").asBoolean(),
                text(root, "refusal"),
                texts(root, "steps"));
    }

    private static String text(JsonNode root, String name) {
        return root.path(name).textValue();
    }

    private static List<String> texts(JsonNode root, String name) {
        List<String> texts = new ArrayList<>();
        root.path(name).forEach(t -> texts.add(t.asText()));
        return texts;
    }
}
