package org.gelato.ce.it.arex;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request that both servers get. {@code {JOB}}, {@code {DELEGATION}} and {@code {UNKNOWN}} in target and body stand for the
 * ids of the server.
 *
 * @param group what a difference is listed under
 * @param target below {@code /arex/rest}
 * @param accept null for no such header
 * @param type Content-Type; null for none
 * @param body null for none
 */
record Case(String group, String method, String target, String accept, String type, String body) {
    Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        if (accept != null) {
            headers.put("Accept", accept);
        }
        if (type != null) {
            headers.put("Content-Type", type);
        }
        return headers;
    }

    @Override
    public String toString() {
        String start = body == null ? "" : " <" + body.substring(0, Math.min(60, body.length())) + ">";
        return method + " " + target + " accept " + accept + " type " + type + start;
    }
}
