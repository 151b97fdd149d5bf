package org.gelato.ce.cli.loss;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Requests and responses of a test's server. */
final class Http {
    private Http() {}

    /** @param headers by name in lower case */
    record Request(String method, String target, Map<String, String> headers, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        /** Whether the method is this one, and the target has this form. */
        boolean is(String wanted, String form) {
            return method.equals(wanted) && target.matches(form);
        }

        String header(String name) {
            return headers.getOrDefault(name, "");
        }

        /** Null at the end of the connection. */
        static Request read(InputStream in) throws IOException {
            String first = line(in);
            if (first == null) {
                return null;
            }
            String[] words = first.split(" ");
            Map<String, String> headers = new LinkedHashMap<>();
            for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
                int colon = line.indexOf(':');
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
            int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
            return new Request(words[0], words[1], headers, in.readNBytes(length));
        }

        private static String line(InputStream in) throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    return null;
                }
                line.write(c);
            }
            return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
        }
    }

    /** @param location null for none */
    record Response(int status, String type, String location, String fault, byte[] body) {
        static Response of(int status, String type, String body) {
            return new Response(status, type, null, null, body.getBytes(StandardCharsets.UTF_8));
        }

        /** The same with a code in its head. */
        Response named(String code) {
            return new Response(status, type, location, code, body);
        }

        /** The line of the status and the headers, with the empty line after them. */
        byte[] head(String length) {
            return ("HTTP/1.1 " + status + " X\r\nContent-Type: " + type + "\r\n"
                            + (location == null ? "" : "location: " + location + "\r\n")
                            + (fault == null ? "" : "Gelato-Fault: " + fault + "\r\n") + length + "\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1);
        }
    }
}
