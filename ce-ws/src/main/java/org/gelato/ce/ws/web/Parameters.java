package org.gelato.ce.ws.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collection;

/** The parameters of a request. Stateless. */
public final class Parameters {
    private Parameters() {}

    /** @throws IllegalArgumentException with a text for the client when there is one of another name */
    public static void only(HttpServletRequest request, Collection<String> known) {
        for (String name : request.getParameterMap().keySet()) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("there is no such parameter; there are " + String.join(", ", known));
            }
        }
    }

    /**
     * The value of a parameter that may be given once.
     *
     * @return stripped; null when it is not there
     * @throws IllegalArgumentException with a text for the client
     */
    public static String single(HttpServletRequest request, String name) {
        String[] values = request.getParameterValues(name);
        if (values == null) {
            return null;
        }
        if (values.length != 1 || values[0].isBlank()) {
            throw new IllegalArgumentException("parameter " + name + " is empty or given more than once");
        }
        return values[0].strip();
    }
}
