package org.gelato.ce.ws.server;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.admission.Admission;
import org.gelato.ce.core.delegation.Delegations;
import org.gelato.ce.core.event.WrapperEvent;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobOutput;
import org.gelato.ce.core.job.Jobs;
import org.gelato.ce.core.job.ServiceException;
import org.gelato.ce.core.lease.Leases;
import org.gelato.ce.ws.CallerResolver;
import org.gelato.ce.ws.CeServices;

/** One job, CREAM000000042 of alice, with files in memory; a caller is who the header {@code X-Caller} says. */
public final class FakeServices {
    static final String JOB = "CREAM000000042";
    static final String GOOD_TOKEN = "opensesame";

    final Map<String, byte[]> files = new LinkedHashMap<>();
    final List<WrapperEvent> believed = new CopyOnWriteArrayList<>();
    final List<Integer> parts = new CopyOnWriteArrayList<>();
    /** Called before each part is read. */
    volatile Runnable beforePart = () -> {};

    /** The services a composition root would make. */
    public CeServices services() {
        CallerResolver callers = request -> {
            String name = request.getHeader("X-Caller");
            if (name == null) {
                throw new ServiceException.NotAuthorized("a client certificate is needed");
            }
            return new Caller(
                    new GridIdentity("CN=" + name, List.of(), null, false, Instant.MAX, List.of()), "dteam001", false);
        };
        return new CeServices(
                URI.create("https://ce.example.org:8443"),
                "1.16",
                Instant.EPOCH,
                callers,
                only(Jobs.class, "output", this::output),
                only(Delegations.class, "none", args -> null),
                only(Admission.class, "none", args -> null),
                this::apply,
                accounts(),
                only(Leases.class, "none", args -> null));
    }

    private Object output(Object[] args) {
        Caller caller = (Caller) args[0];
        if (!caller.identity().dn().equals("CN=alice")
                || !args[1].equals(JobId.parse(JOB).orElseThrow())) {
            throw new ServiceException.InvalidArgument("unknown job");
        }
        return new JobOutput("dteam001", Path.of("/sandbox/OSB"));
    }

    private int apply(List<WrapperEvent> events) {
        List<WrapperEvent> good =
                events.stream().filter(e -> e.token().equals(GOOD_TOKEN)).toList();
        believed.addAll(good);
        return good.size();
    }

    private AccountCommands accounts() {
        Map<String, Answer> answers = Map.of(
                "list", args -> CompletableFuture.completedFuture(list()),
                "get", args -> get(((Path) args[1]), (long) args[2], (int) args[3]),
                "ping", args -> CompletableFuture.completedFuture(null));
        return proxy(AccountCommands.class, answers);
    }

    private List<AccountCommands.FileEntry> list() {
        List<AccountCommands.FileEntry> entries = new ArrayList<>();
        files.forEach((name, content) -> entries.add(new AccountCommands.FileEntry(name, content.length)));
        return entries;
    }

    private CompletableFuture<AccountCommands.FilePart> get(Path file, long offset, int max) {
        beforePart.run();
        parts.add(max);
        byte[] content = files.get(file.getFileName().toString());
        if (content == null || !file.getParent().equals(Path.of("/sandbox/OSB"))) {
            return CompletableFuture.failedFuture(new AccountCommandException(Code.NO_SUCH_FILE, "no such file"));
        }
        int from = (int) Math.min(offset, content.length);
        int to = Math.min(content.length, from + max);
        return CompletableFuture.completedFuture(
                new AccountCommands.FilePart(Arrays.copyOfRange(content, from, to), content.length));
    }

    private interface Answer {
        Object to(Object[] args);
    }

    private static <T> T only(Class<T> port, String method, Answer answer) {
        return proxy(port, Map.of(method, answer));
    }

    private static <T> T proxy(Class<T> port, Map<String, Answer> answers) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (Object proxy, Method method, Object[] args) -> {
                    Answer answer = answers.get(method.getName());
                    if (answer == null) {
                        throw new UnsupportedOperationException(method.toString());
                    }
                    return answer.to(args);
                }));
    }
}
