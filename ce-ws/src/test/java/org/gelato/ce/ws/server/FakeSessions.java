package org.gelato.ce.ws.server;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.gelato.ce.core.account.AccountCommands.TreeEntry;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.ws.http.Exchange;
import org.gelato.ce.ws.http.ResponseSource;
import org.gelato.ce.ws.sandbox.SessionFiles;
import org.gelato.ce.ws.sandbox.TransferLimits;
import org.gelato.ce.ws.web.ServicePath;

/** A protocol with session directories, at {@code /session/JOB/}. */
final class FakeSessions extends HttpServlet implements ServletContextListener {
    private static final long serialVersionUID = 1L;

    /** Files that the protocol shows, by their paths. */
    final transient Map<String, SessionFiles.Shown> shown = new ConcurrentHashMap<>();
    /** How often a file was there, after which the job may start. */
    final transient AtomicInteger arrived = new AtomicInteger();

    /** Whether each request comes a second time, as one does that has waited. */
    volatile boolean again;

    private final transient FakeServices fake;
    private final transient SessionFiles files;

    FakeSessions(FakeServices fake, TransferLimits limits) {
        this.fake = fake;
        this.files = fake.sandboxes(limits).sessions();
    }

    @Override
    public void contextInitialized(ServletContextEvent event) {
        ServletRegistration.Dynamic sessions = event.getServletContext().addServlet("sessions", this);
        sessions.addMapping("/session/*");
        sessions.setAsyncSupported(true);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (again && request.getDispatcherType() != DispatcherType.ASYNC) {
            Exchange exchange = Exchange.of(request);
            exchange.again(exchange.suspend());
            return;
        }
        List<String> path = Arrays.stream(request.getPathInfo().split("/"))
                .filter(part -> !part.isEmpty())
                .toList();
        files.serve(
                request,
                response,
                new SessionFiles.Session(
                        fake.callers().resolve(request),
                        JobId.parse(path.get(0)).orElseThrow(),
                        path.subList(1, path.size()),
                        "https://ce" + ServicePath.requested(request),
                        false),
                new OneProtocol());
    }

    private final class OneProtocol implements SessionFiles.Protocol {
        @Override
        public ResponseSource list(List<TreeEntry> entries) {
            Iterator<TreeEntry> rest = entries.iterator();
            return out -> {
                for (int n = 0; n < 500 && rest.hasNext(); n++) {
                    out.write((rest.next().path() + "\n").getBytes(StandardCharsets.UTF_8));
                }
                return rest.hasNext();
            };
        }

        @Override
        public Map<String, SessionFiles.Shown> shown(JobId job, JobState state, String path) {
            return shown;
        }

        @Override
        public void arrived(JobId job, Set<String> names) {
            arrived.incrementAndGet();
        }

        @Override
        public void done() {}
    }
}
