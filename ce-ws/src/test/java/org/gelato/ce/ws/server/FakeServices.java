package org.gelato.ce.ws.server;

import jakarta.servlet.ServletContextListener;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.DiskFullException;
import org.gelato.ce.core.account.OtherSizeException;
import org.gelato.ce.core.admission.DiskSpace;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.Explainer;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.identity.Permission;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.core.intake.FenceRequest;
import org.gelato.ce.core.intake.StartFence;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.message.MessageBatch;
import org.gelato.ce.core.message.MessageIntake;
import org.gelato.ce.core.sandbox.JobSandbox;
import org.gelato.ce.core.sandbox.Sandboxes;
import org.gelato.ce.core.sandbox.UploadedBytes;
import org.gelato.ce.core.service.SiteAdministration;
import org.gelato.ce.json.Explanation;
import org.gelato.ce.json.FaultCode;
import org.gelato.ce.ws.admin.AdminEndpoints;
import org.gelato.ce.ws.sandbox.SandboxEndpoints;
import org.gelato.ce.ws.sandbox.TransferLimits;
import org.gelato.ce.ws.sandbox.WrapperEndpoints;
import org.gelato.ce.ws.web.Authentication.Accepted;
import org.gelato.ce.ws.web.Authentication.Credential;
import org.gelato.ce.ws.web.Authentication.Refused;
import org.gelato.ce.ws.web.CallerResolver;

/** One job, CREAM000000042 of alice, with files in memory; the caller is named by the header {@code X-Caller}. */
public final class FakeServices {
    public static final String JOB = "CREAM000000042";
    /** Of alice, too, under another FQAN. */
    static final String OTHER_JOB = "CREAM000000043";

    static final String JOB_OF_BOB = "CREAM000000044";
    private static final String BY = " by ";
    static final String GOOD_TOKEN = "opensesame";
    static final Path ROOT = Path.of("/sandbox");

    /** What administrators close; null where no test does. */
    SiteAdministration control;

    /** Which requests are of root on this host. */
    volatile Predicate<HttpServletRequest> root = request -> false;

    /** The complete output, by its path. */
    public final Map<String, byte[]> files = Collections.synchronizedMap(new LinkedHashMap<>());
    /** When all files were changed, in seconds of the epoch. */
    volatile long modified = 1_700_000_000;
    /** All other files of the sandbox. */
    final Map<Path, byte[]> others = new ConcurrentSkipListMap<>();

    volatile JobState state = JobState.REGISTERED;
    /** Whether lists of directories are not whole. */
    volatile boolean cut;
    /** Happens after each look-up of a job. */
    volatile Runnable afterLookUp = () -> {};
    /** Bytes after which the disk is full. */
    volatile long room = Long.MAX_VALUE;

    /** The file system of the sandboxes. */
    volatile DiskSpace.Space space = new DiskSpace.Space(0, 0);

    final DiskSpace disk = new DiskSpace(() -> space, 90);
    /** Bytes of sides of sandboxes that were noted. */
    final Map<String, Long> uploaded = new ConcurrentSkipListMap<>();

    /** What becomes of batches of messages with the good token. */
    volatile MessageIntake.Result taken = MessageIntake.Result.STORED;
    /** Whether their jobs' output is wanted. */
    volatile boolean live;

    /** Called before what a wrapper reports is taken. */
    volatile Runnable beforeReport = () -> {};

    final List<WrapperEvent> believed = new CopyOnWriteArrayList<>();
    private final AtomicReference<String> claimant = new AtomicReference<>();
    final List<Integer> parts = new CopyOnWriteArrayList<>();
    /** Called before each part is read. */
    volatile Runnable beforePart = () -> {};

    /** Knows callers by a header: a name, or a name by the scope of a token. */
    public CallerResolver callers() {
        return request -> {
            String name = request.getHeader("X-Caller");
            if (name == null) {
                return new Refused(
                        new ServiceException.NotAuthorized("a client certificate is needed"), Credential.NONE);
            }
            if (name.contains(BY)) {
                String[] parts = name.split(BY);
                Identity token = new TokenIdentity(
                        "https://iam.example.org/",
                        parts[0],
                        null,
                        Set.of(Permission.ofScope(parts[1]).orElseThrow()),
                        true,
                        List.of(),
                        "",
                        null,
                        Instant.MAX);
                return new Accepted(new Caller(token, "dteam001", parts[0].equals("admin")), Credential.NONE);
            }
            return new Accepted(
                    new Caller(
                            new GridIdentity("CN=" + name, List.of(), null, false, Instant.MAX, List.of()),
                            "dteam001",
                            name.equals("admin")),
                    Credential.NONE);
        };
    }

    /** What a composition root would make of these. */
    public List<ServletContextListener> endpoints(TransferLimits limits) {
        return List.of(
                new WrapperEndpoints(this::apply, this::claim, this::take),
                new AdminEndpoints(
                        callers(),
                        FakeServices::explain,
                        null,
                        criteria -> {},
                        new AdminEndpoints.Local(
                                request -> request.getHeader("X-Here") != null, request -> root.test(request)),
                        control,
                        Set.of("long"),
                        new AdminEndpoints.Accounting(null, null, null, null)),
                sandboxes(limits));
    }

    /** The files of jobs. */
    SandboxEndpoints sandboxes(TransferLimits limits) {
        return new SandboxEndpoints(new OneSandbox(), callers(), accounts(), new Uploaded(), disk, limits);
    }

    /** Who this is named cannot be explained. */
    static final String DEFECT = "defect";

    /** For this name the disk is full. */
    static final String FULL = "full";

    private static Explanation explain(String dn, List<String> fqans, Explainer.Job job) {
        if (dn.endsWith(FULL)) {
            throw new UncheckedIOException(new IOException("/var/spool/x: No space left on device"));
        }
        if (dn.endsWith(DEFECT)) {
            throw new UnsupportedOperationException("an immutable list");
        }
        String name = DnForms.rfc2253(dn);
        return new Explanation(
                name,
                dn,
                fqans,
                "owner",
                "/dteam",
                true,
                null,
                null,
                "/map:1: x y",
                "y",
                null,
                null,
                false,
                null,
                List.of("one"),
                job == null
                        ? null
                        : new Explanation.Routed(
                                List.of(job.queue()), List.of(new Explanation.Value("cores", job.cores(), "r"))));
    }

    /** As the database has it. */
    private final class Uploaded implements UploadedBytes {
        @Override
        public Stored stored(JobId job, int subject, boolean output) {
            return new Stored(
                    uploaded.entrySet().stream()
                            .filter(side -> side.getKey().startsWith(subject + " "))
                            .mapToLong(Map.Entry::getValue)
                            .sum(),
                    uploaded.getOrDefault(subject + " " + job + " " + output, 0L));
        }

        @Override
        public void note(JobId job, int subject, boolean output, long bytes) {
            uploaded.put(subject + " " + job + " " + output, bytes);
        }
    }

    private final class OneSandbox implements Sandboxes {
        @Override
        public JobSandbox of(Caller caller, JobId job) {
            boolean owned = caller.identity().subject().equals(owner(job));
            if (!(owned || caller.admin()) || owner(job) == null) {
                throw new ServiceException(FaultCode.JOB_UNKNOWN, "no such job");
            }
            return sandbox(job, owned);
        }

        @Override
        public JobSandbox ofWrapper(JobId job, String token) {
            if (!token.equals(GOOD_TOKEN) || !job.toString().equals(JOB)) {
                throw new ServiceException.NotAuthorized("not its token");
            }
            return sandbox(job, false);
        }

        private JobSandbox sandbox(JobId job, boolean owned) {
            Path root = job.toString().equals(JOB) ? ROOT : ROOT.resolve(job.toString());
            JobSandbox found = new JobSandbox(
                    job, owner(job), owner(job).hashCode(), "dteam001", root, state, owned, ROOT.resolve("proxy"));
            afterLookUp.run();
            return found;
        }

        private static String owner(JobId job) {
            return switch (job.toString()) {
                case JOB, OTHER_JOB -> "CN=alice";
                case JOB_OF_BOB -> "CN=bob";
                default -> null;
            };
        }
    }

    private int apply(List<WrapperEvent> events) {
        beforeReport.run();
        List<WrapperEvent> good =
                events.stream().filter(e -> e.token().equals(GOOD_TOKEN)).toList();
        believed.addAll(good);
        return good.size();
    }

    private List<MessageIntake.Response> take(List<MessageBatch> batches) {
        beforeReport.run();
        return batches.stream()
                .map(batch -> new MessageIntake.Response(
                        batch.token().equals(GOOD_TOKEN) ? taken : MessageIntake.Result.REFUSED, 7, live))
                .toList();
    }

    private StartFence.Verdict claim(FenceRequest claim) {
        beforeReport.run();
        if (!claim.token().equals(GOOD_TOKEN)) {
            return StartFence.Verdict.REFUSED;
        }
        claimant.compareAndSet(null, claim.claimant());
        return claimant.get().equals(claim.claimant()) ? StartFence.Verdict.GRANTED : StartFence.Verdict.TAKEN;
    }

    private AccountCommands accounts() {
        Map<String, Response> responses = Map.of(
                "tree", args -> tree((Path) args[1]),
                "list", args -> CompletableFuture.completedFuture(list((Path) args[1])),
                "stat", args -> stat((Path) args[1]),
                "append", args -> append((Path) args[1], (long) args[2], (byte[]) args[3]),
                "finish", args -> finish((Path) args[1], (Path) args[2]),
                "discard", args -> discard((Path) args[1], (List<?>) args[2]),
                "get", args -> get(((Path) args[1]), (long) args[2], (int) args[3]),
                "ping", args -> CompletableFuture.completedFuture(null));
        return proxy(AccountCommands.class, responses);
    }

    private List<AccountCommands.FileEntry> list(Path directory) {
        List<AccountCommands.FileEntry> entries = new ArrayList<>();
        if (directory.equals(ROOT.resolve("OSB"))) {
            files.forEach((name, content) -> entries.add(new AccountCommands.FileEntry(name, content.length)));
        }
        others.forEach((path, content) -> {
            if (directory.equals(path.getParent())) {
                entries.add(new AccountCommands.FileEntry(path.getFileName().toString(), content.length));
            }
        });
        return entries;
    }

    /** There are no folders: one that has files is a directory itself. */
    private CompletableFuture<AccountCommands.Tree> tree(Path directory) {
        List<AccountCommands.FileEntry> entries = list(directory);
        return entries.isEmpty()
                ? CompletableFuture.failedFuture(new AccountCommandException(Code.NO_SUCH_FILE, "no such directory"))
                : CompletableFuture.completedFuture(new AccountCommands.Tree(
                        entries.stream()
                                .map(entry -> new AccountCommands.TreeEntry(entry.name(), entry.size(), modified))
                                .toList(),
                        cut));
    }

    private byte[] content(Path file) {
        byte[] output = ROOT.resolve("OSB").equals(file.getParent())
                ? files.get(file.getFileName().toString())
                : null;
        return output == null ? others.get(file) : output;
    }

    private CompletableFuture<AccountCommands.FileVersion> stat(Path file) {
        byte[] content = content(file);
        return content == null
                ? CompletableFuture.failedFuture(new AccountCommandException(Code.NO_SUCH_FILE, "no such file"))
                : CompletableFuture.completedFuture(new AccountCommands.FileVersion(
                        content.length, Integer.toHexString(Arrays.hashCode(content)), modified));
    }

    private CompletableFuture<Long> append(Path file, long offset, byte[] bytes) {
        byte[] before = others.getOrDefault(file, new byte[0]);
        if (before.length != offset) {
            return CompletableFuture.failedFuture(new OtherSizeException("another size", before.length));
        }
        if (before.length + bytes.length > room) {
            return CompletableFuture.failedFuture(new DiskFullException("no space"));
        }
        byte[] after = Arrays.copyOf(before, before.length + bytes.length);
        System.arraycopy(bytes, 0, after, before.length, bytes.length);
        others.put(file, after);
        return CompletableFuture.completedFuture((long) after.length);
    }

    private CompletableFuture<Void> finish(Path part, Path file) {
        others.put(file, others.remove(part));
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> discard(Path directory, List<?> names) {
        for (Object name : names) {
            others.remove(directory.resolve(name.toString()));
            if (directory.equals(ROOT.resolve("OSB"))) {
                files.remove(name.toString());
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<AccountCommands.FilePart> get(Path file, long offset, int max) {
        beforePart.run();
        parts.add(max);
        byte[] content = content(file);
        if (content == null) {
            return CompletableFuture.failedFuture(new AccountCommandException(Code.NO_SUCH_FILE, "no such file"));
        }
        int from = (int) Math.min(offset, content.length);
        int to = Math.min(content.length, from + max);
        return CompletableFuture.completedFuture(
                new AccountCommands.FilePart(Arrays.copyOfRange(content, from, to), content.length));
    }

    private interface Response {
        Object to(Object[] args);
    }

    private static <T> T proxy(Class<T> port, Map<String, Response> responses) {
        return port.cast(Proxy.newProxyInstance(
                port.getClassLoader(), new Class<?>[] {port}, (Object proxy, Method method, Object[] args) -> {
                    Response response = responses.get(method.getName());
                    if (response == null) {
                        throw new UnsupportedOperationException(method.toString());
                    }
                    return response.to(args);
                }));
    }
}
