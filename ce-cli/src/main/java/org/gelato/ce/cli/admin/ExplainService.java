package org.gelato.ce.cli.admin;

import java.util.List;
import org.gelato.ce.cli.http.HttpsGet;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.json.Explanation;

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
     * @param queue of a job; null for none
     * @param cores of the job; null for one
     * @throws CliException when the CE refuses the request or does not respond
     */
    public Explanation explain(String dn, List<String> fqans, String queue, Integer cores) {
        StringBuilder path = new StringBuilder(PATH).append("?dn=").append(AdminPages.encode(dn));
        fqans.forEach(fqan -> path.append("&fqan=").append(AdminPages.encode(fqan)));
        if (queue != null) {
            path.append("&queue=").append(AdminPages.encode(queue));
        }
        if (cores != null) {
            path.append("&cores=").append(cores);
        }
        return pages.read(path.toString(), MAX_BYTES, Explanation.class);
    }
}
