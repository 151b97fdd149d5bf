package org.gelato.ce.ws.server;

import java.io.CharArrayWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.AbstractAccessLogValve;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.ws.audit.AuditFile;
import org.gelato.ce.ws.audit.AuditSettings;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.soap.CapturedFault;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tomcat's access log, written into files as those of the audit log: bounded, and opened for each line. A line has neither the
 * query nor a header that a client chose. A file that cannot be written costs no request. Any thread.
 */
final class AccessLines extends AbstractAccessLogValve {
    private static final Logger log = LoggerFactory.getLogger(AccessLines.class);
    // Address, request's id, status, bytes of the response, milliseconds, method, path.
    private static final String PATTERN = "%a %{X-Request-Id}o %s %B %{ms}T %m %U";
    private static final int LONGEST = 2048;
    private static final int FAULT = 500;

    private final AuditSettings settings;
    private final AuditFile file;
    private boolean failing;

    AccessLines(AuditSettings settings) {
        this.settings = settings;
        this.file = new AuditFile(settings);
        setPattern(PATTERN);
    }

    @Override
    protected AccessLogElement createAccessLogElement(char pattern) {
        return pattern == 's' ? new Status() : super.createAccessLogElement(pattern);
    }

    /** What the client got: a kept fault has another number inside, and of a connection that ends with it Tomcat knows an error of its own. */
    private static final class Status implements AccessLogElement {
        @Override
        public void addElement(CharArrayWriter line, Request request, Response response, long time) {
            Exchange exchange = Exchange.ofNullable(request);
            int sent = exchange == null ? 0 : exchange.context().status();
            int status = sent > 0 ? sent : response.getStatus();
            line.append(Integer.toString(status == CapturedFault.STATUS ? FAULT : status));
        }
    }

    @Override
    protected void log(CharArrayWriter message) {
        String text = message.toString();
        StringBuilder line =
                new StringBuilder(Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
        line.append(' ');
        for (int i = 0; i < Math.min(LONGEST, text.length()); i++) {
            char c = text.charAt(i);
            line.append(c < ' ' || c > '~' ? '?' : c);
        }
        write(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
    }

    private synchronized void write(byte[] line) {
        try {
            file.append(line);
            failing = false;
        } catch (IOException e) {
            if (!failing) {
                log.error(
                        "The access log {} cannot be written, and requests go on without: {}",
                        settings.file(),
                        Messages.of(e));
            }
            failing = true;
        }
    }
}
