package org.gelato.ce.cli.arcrest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.gelato.ce.cli.http.Access;
import org.gelato.ce.cli.http.HttpsEvents;
import org.gelato.ce.cli.http.HttpsMessages;
import org.gelato.ce.cli.http.RefusalText;
import org.gelato.ce.cli.http.ResponseBody;
import org.gelato.ce.cli.http.TransportErrors;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.ConnectionFailure;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.LiveEvents;
import org.gelato.ce.cli.wire.MessageCalls;
import org.gelato.ce.cli.wire.ServiceFault;

/** Calls of one CE over a kept connection; answers are bounded. A call is never repeated by itself. Used by one thread. */
final class ArcCalls {
    static final String ROOT = "/arex/rest/1.0";

    /** Far above a list of all jobs of a user. */
    private static final int MAX_ANSWER = 64 << 20;

    private static final int MAX_REASON = 4096;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Endpoint endpoint;
    private final Access access;
    private final Duration timeout;
    private final HttpClient client;

    ArcCalls(Endpoint endpoint, Access access, Duration timeout) {
        this.endpoint = endpoint;
        this.access = access;
        this.timeout = timeout;
        this.client = HttpClient.newBuilder()
                .sslContext(access.tls())
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timeout)
                .build();
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /**
     * What a CE answered.
     *
     * @param location the part of that header after its last slash; null when not sent
     * @param fault the code of what was refused, though the call was not; null when not sent
     */
    record Reply(byte[] body, String location, String fault) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /**
     * Makes a call whose response is JSON.
     *
     * @param path below {@link #ROOT}
     * @param body null for none
     */
    JsonNode json(String method, String path, String body) {
        return json(call(method, path, "application/json", body));
    }

    /** The JSON of a response. */
    JsonNode json(Reply reply) {
        try {
            return JSON.readTree(reply.body());
        } catch (IOException e) {
            throw TransportErrors.unreadable(endpoint, "the CE's response is not JSON: " + e.getMessage(), e);
        }
    }

    /**
     * Makes a call.
     *
     * @param accept media type of the response
     * @param content of the request; null for none
     * @throws ServiceFault when the CE refuses the call
     * @throws ConnectionFailure when it can't be reached, is too busy, or its response was lost
     */
    Reply call(String method, String path, String accept, String content) {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint.resolve(ROOT + path))
                .timeout(timeout)
                .header("Accept", accept)
                .method(method, content == null ? BodyPublishers.noBody() : BodyPublishers.ofString(content));
        access.headers().forEach(request::header);
        try {
            HttpResponse<InputStream> response = client.send(request.build(), BodyHandlers.ofInputStream());
            boolean done = response.statusCode() / 100 == 2;
            byte[] body = ResponseBody.inTime(
                    response.body(),
                    timeout,
                    in -> done ? ResponseBody.whole(endpoint, in, -1, MAX_ANSWER) : in.readNBytes(MAX_REASON));
            if (!done) {
                throw refused(response, body);
            }
            return new Reply(
                    body,
                    response.headers()
                            .firstValue("location")
                            .map(l -> l.substring(l.lastIndexOf('/') + 1))
                            .orElse(null),
                    TransportErrors.fault(response));
        } catch (IOException e) {
            throw TransportErrors.of(endpoint, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CliException(endpoint + ": interrupted", e);
        }
    }

    /** Events as they happen, which are beside the protocol. */
    Optional<LiveEvents> live(String cursor) {
        return HttpsEvents.open(endpoint, access, timeout, cursor);
    }

    /** MessageCalls of jobs, which are beside the protocol, too. */
    MessageCalls messages() {
        return new HttpsMessages(endpoint, access, timeout);
    }

    private CliException refused(HttpResponse<?> response, byte[] body) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        String reason = RefusalText.of(type, body);
        return TransportErrors.of(endpoint, response, reason);
    }
}
