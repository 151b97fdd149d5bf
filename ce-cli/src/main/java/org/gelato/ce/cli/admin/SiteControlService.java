package org.gelato.ce.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.gelato.ce.cli.http.HttpsGet;

/** Drains, enables, bans, unbans and accounts on a CE; only administrators may, except for their own usage. */
public final class SiteControlService {
    private static final int MAX_BYTES = 16 * 1024 * 1024;

    private final AdminPages pages;

    public SiteControlService(HttpsGet https) {
        this.pages = new AdminPages(https);
    }

    /**
     * Sends a request.
     *
     * @param method {@code GET}, {@code PUT} or {@code DELETE}
     * @param what {@code drains}, {@code bans}, {@code usage} or {@code accounting}
     * @param parameters those that are null are left out
     * @return the CE's JSON
     * @throws org.gelato.ce.cli.terminal.CliException when the CE refuses the request or does not respond
     */
    public JsonNode control(String method, String what, Map<String, String> parameters) {
        // What everybody may request, too, is beside what administrators have.
        StringBuilder path = new StringBuilder(what.equals("usage") ? "/ce-cream/" : "/ce-cream/admin/").append(what);
        char separator = '?';
        for (Map.Entry<String, String> p : parameters.entrySet()) {
            if (p.getValue() != null) {
                path.append(separator).append(p.getKey()).append('=').append(AdminPages.encode(p.getValue()));
                separator = '&';
            }
        }
        return method.equals("GET")
                ? pages.read(path.toString(), MAX_BYTES, JsonNode.class)
                : pages.change(method, path.toString(), MAX_BYTES, JsonNode.class);
    }
}
