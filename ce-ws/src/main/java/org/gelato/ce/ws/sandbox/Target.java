package org.gelato.ce.ws.sandbox;

import jakarta.servlet.http.HttpServletRequest;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.description.FilePath;
import org.gelato.ce.ws.web.Refusal;

/**
 * What a path requests.
 *
 * @param file empty for the list of files
 */
record Target(JobId job, String file) {
    /**
     * Reads {@code /<job>/} or {@code /<job>/<file>}, which may lie in folders. The container has decoded the path once; what it
     * could understand in two ways does not come here.
     *
     * @throws Refusal 400 with what is wrong
     */
    static Target of(HttpServletRequest request) {
        String path = request.getPathInfo() == null ? "" : request.getPathInfo().substring(1);
        int slash = path.indexOf('/');
        String file = slash < 0 ? "" : path.substring(slash + 1);
        String fault = file.isEmpty() ? null : FilePath.fault(file);
        if (fault != null) {
            throw bad(fault);
        }
        return JobId.parse(slash < 0 ? path : path.substring(0, slash))
                .map(job -> new Target(job, file))
                .orElseThrow(() -> bad("expected /<job id>/ or /<job id>/<file name>"));
    }

    /** The same, for requests that need a file. */
    static Target ofFile(HttpServletRequest request) {
        Target target = of(request);
        if (target.file().isEmpty()) {
            throw bad("expected /<job id>/<file name>");
        }
        return target;
    }

    private static Refusal bad(String words) {
        return new Refusal(400, words);
    }
}
