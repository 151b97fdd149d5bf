package org.gelato.ce.ws.arcrest;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.ws.web.Refusal;

/**
 * A request as its resource sees it.
 *
 * @param caller without an administrator's rights: this protocol shows everybody his own jobs alone
 * @param base the path of the interface with its version, as {@code /arex/rest/1.0}
 * @param path below the version, its parts decoded; empty for the version itself
 * @param action of the query; empty without one
 */
record ArcCall(
        HttpServletRequest request,
        ArcResponse response,
        Caller caller,
        String base,
        List<String> path,
        String action) {
    static final String ROOT = "/arex/rest";

    private static final int MAX_PARTS = 200;

    /** @param path below {@value #ROOT}, with the version */
    static ArcCall of(HttpServletRequest request, ArcResponse response, Caller caller, List<String> path) {
        String base = ROOT + "/" + path.get(0);
        String action = parameter(request, "action");
        return new ArcCall(request, response, caller, base, path.subList(1, path.size()), action == null ? "" : action);
    }

    /** The parts of the path below {@value #ROOT}. */
    static List<String> parts(HttpServletRequest request) {
        String path = request.getPathInfo() == null ? "" : request.getPathInfo();
        List<String> parts = List.of(path.split("/", MAX_PARTS)).stream()
                .filter(part -> !part.isEmpty())
                .toList();
        if (parts.size() >= MAX_PARTS - 1) {
            throw new Refusal(400, "the path has too many parts");
        }
        return parts;
    }

    /** A parameter of the query string, never of a body; null when absent. */
    static String parameter(HttpServletRequest request, String name) {
        String query = request.getQueryString();
        for (String pair : (query == null ? "" : query).split("&", MAX_PARTS)) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).equals(name)) {
                try {
                    return URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8);
                } catch (IllegalArgumentException e) {
                    throw new Refusal(400, "parameter " + name + " is not percent-encoded UTF-8");
                }
            }
        }
        return null;
    }

    /** As {@link #parameter(HttpServletRequest, String)}. */
    String parameter(String name) {
        return parameter(request, name);
    }

    /** Whose memory and permits the request takes. */
    String person() {
        return caller.identity().subject();
    }
}
