package org.gelato.ce.lrms.slurm;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.gelato.ce.core.account.AccountCommands.HttpResponse;

/**
 * An exchange with slurmrestd 22.05.8 as it was on the wire, from a file: the request, a line of equals signs, the response.
 *
 * @param request body of the request; empty for none
 */
record RecordedExchange(String request, HttpResponse response) {
    static RecordedExchange of(String name) {
        try (InputStream in = RecordedExchange.class.getResourceAsStream("/slurmrest/" + name + ".http")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            int line = text.indexOf("\n=====\n");
            String response = line < 0 ? text : text.substring(line + 7);
            return new RecordedExchange(
                    line < 0 ? "" : body(text.substring(0, line)),
                    new HttpResponse(
                            Integer.parseInt(response.substring(9, 12)),
                            body(response).getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String body(String message) {
        int blank = message.indexOf("\n\n");
        return blank < 0 ? "" : message.substring(blank + 2);
    }
}
