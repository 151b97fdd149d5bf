package org.gelato.ce.blahbridge;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.gelato.ce.core.account.AccountCommandException;
import org.gelato.ce.core.account.AccountCommandException.Code;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.ChannelLostException;
import org.gelato.ce.core.account.DiskFullException;
import org.gelato.ce.core.account.NotPlainFileException;
import org.gelato.ce.core.account.OtherSizeException;
import org.gelato.ce.core.fault.Causes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Work as a local account through the helper: one message per call, in the verbs of docs/developer/helper.md.
 *
 * <p>Called from any thread; keeps no state. Futures complete on the channel's reader thread and fail with the exception
 * itself, not wrapped. When the helper or the account's worker dies, what was under way fails with
 * {@link ChannelLostException}. So does what has no result for longer than it may take, on a thread of the JVM's own: a worker
 * whose file system hangs must not keep its callers for ever. Its entry in the channel stays until the helper responds.
 */
public final class HelperAccountCommands implements AccountCommands {
    private static final Logger log = LoggerFactory.getLogger(HelperAccountCommands.class);

    /** Bytes; the helper's configuration sets less. */
    private static final long MAX_LISTING = 1L << 50;

    /** Beyond the time of a command: for what the account's worker does before it. */
    private static final Duration MARGIN = Duration.ofMinutes(5);

    private static final Duration FILE_WORK = Duration.ofMinutes(10);
    /** A tree may be large and its file system slow. */
    private static final Duration REMOVAL = Duration.ofHours(2);

    private final HelperRequests channel;
    private final Duration margin;
    private final Duration fileWork;

    public HelperAccountCommands(HelperRequests channel) {
        this(channel, MARGIN, FILE_WORK);
    }

    /**
     * @param margin beyond the time of a command after which no result is expected any more
     * @param fileWork the same for work on files, the removal of trees apart
     */
    HelperAccountCommands(HelperRequests channel, Duration margin, Duration fileWork) {
        this.channel = channel;
        this.margin = margin;
        this.fileWork = fileWork;
    }

    @Override
    public CompletableFuture<Completed> run(String account, Run run) {
        return call(
                "GELATO_RUN",
                run.timeout().plus(margin),
                () -> command(account, run, Math.max(0, run.maxOutput())),
                r -> new Completed(
                        Integer.parseInt(r.get(0)),
                        r.get(1).equals("1"),
                        GahpValues.text(r.get(2)),
                        GahpValues.text(r.get(3)),
                        Long.parseLong(r.get(4))));
    }

    @Override
    public CompletableFuture<Completed> stream(String account, Run run, Executor work, Consumer<byte[]> pieces) {
        return new HelperStream(
                        (verb, args) -> call(verb, run.timeout().plus(margin), () -> args, Function.identity()),
                        account,
                        run.argv().get(0),
                        work,
                        pieces)
                .of(call(
                        "GELATO_STREAM",
                        run.timeout().plus(margin),
                        () -> command(account, run, MAX_LISTING),
                        r -> r.get(0)));
    }

    private static List<String> command(String account, Run run, long maxOutput) {
        List<String> args = program(account, run.cwd(), run.argv(), run.environment());
        args.add(GahpValues.content(run.stdin()));
        args.add(Long.toString(Math.max(1, run.timeout().toMillis())));
        args.add(Long.toString(maxOutput));
        addFiles(args, run.files());
        return args;
    }

    @Override
    public CompletableFuture<HttpResponse> http(String account, HttpCall call) {
        return call(
                "GELATO_HTTP",
                call.timeout().plus(margin),
                () -> List.of(
                        account,
                        call.directory() == null ? "/" : call.directory().toString(),
                        call.service(),
                        call.method(),
                        call.target(),
                        GahpValues.content(call.body()),
                        Long.toString(Math.max(1, call.timeout().toMillis())),
                        Integer.toString(Math.max(0, call.maxResponse()))),
                r -> new HttpResponse(Integer.parseInt(r.get(0)), GahpValues.content(r.get(1))));
    }

    @Override
    public CompletableFuture<Long> spawn(String account, Spawn spawn) {
        return call(
                "GELATO_SPAWN",
                () -> {
                    List<String> args = program(account, spawn.cwd(), spawn.argv(), spawn.environment());
                    args.add(spawn.stdout().toString());
                    args.add(spawn.stderr().toString());
                    addFiles(args, spawn.files());
                    return args;
                },
                r -> Long.valueOf(r.get(0)));
    }

    @Override
    public CompletableFuture<Void> signal(String account, long pid, int signal) {
        return simple("GELATO_SIGNAL", account, Long.toString(pid), Integer.toString(signal));
    }

    @Override
    public CompletableFuture<Void> makeDirectory(String account, Path directory) {
        return simple("GELATO_MKDIR", account, directory.toString());
    }

    @Override
    public CompletableFuture<Void> put(String account, FileContent file) {
        return call(
                "GELATO_PUT",
                () -> {
                    List<String> args = new ArrayList<>(List.of(account));
                    addFiles(args, List.of(file));
                    return args;
                },
                r -> null);
    }

    @Override
    public CompletableFuture<FilePart> get(String account, Path file, long offset, int max) {
        return call(
                "GELATO_GET",
                () -> List.of(account, file.toString(), Long.toString(offset), Integer.toString(max)),
                r -> new FilePart(GahpValues.content(r.get(1)), Long.parseLong(r.get(0))));
    }

    @Override
    public CompletableFuture<List<FileEntry>> list(String account, Path directory, int max) {
        return call("GELATO_LIST", () -> List.of(account, directory.toString(), Integer.toString(max)), r -> {
            List<FileEntry> files = new ArrayList<>();
            for (int i = 0; i < Integer.parseInt(r.get(0)); i++) {
                files.add(new FileEntry(GahpValues.text(r.get(1 + 2 * i)), Long.parseLong(r.get(2 + 2 * i))));
            }
            return files;
        });
    }

    @Override
    public CompletableFuture<Tree> tree(String account, Path directory, int depth, int max) {
        return call(
                "GELATO_TREE",
                () -> List.of(account, directory.toString(), Integer.toString(depth), Integer.toString(max)),
                r -> {
                    List<TreeEntry> entries = new ArrayList<>();
                    for (int i = 0; i < Integer.parseInt(r.get(1)); i++) {
                        String size = r.get(3 + 3 * i);
                        entries.add(new TreeEntry(
                                GahpValues.text(r.get(2 + 3 * i)),
                                size.equals("-") ? TreeEntry.DIRECTORY : Long.parseLong(size),
                                Long.parseLong(r.get(4 + 3 * i))));
                    }
                    return new Tree(entries, r.get(0).equals("1"));
                });
    }

    @Override
    public CompletableFuture<List<FileContent>> collect(String account, Path directory, int maxFiles, int maxBytes) {
        return call(
                "GELATO_COLLECT",
                () -> List.of(account, directory.toString(), Integer.toString(maxFiles), Integer.toString(maxBytes)),
                r -> {
                    List<FileContent> files = new ArrayList<>();
                    for (int i = 0; i < Integer.parseInt(r.get(0)); i++) {
                        files.add(new FileContent(
                                Path.of(GahpValues.text(r.get(1 + 3 * i))),
                                Integer.parseInt(r.get(2 + 3 * i), 8),
                                GahpValues.content(r.get(3 + 3 * i))));
                    }
                    return files;
                });
    }

    @Override
    public CompletableFuture<Void> discard(String account, Path directory, List<String> names) {
        return call("GELATO_DISCARD", () -> List.of(account, directory.toString(), GahpValues.list(names)), r -> null);
    }

    @Override
    public CompletableFuture<Void> renameAway(String account, Path from, Path to) {
        return simple("GELATO_RENAME", account, from.toString(), to.toString());
    }

    @Override
    public CompletableFuture<Void> remove(String account, Path tree) {
        return call("GELATO_REMOVE", REMOVAL, () -> List.of(account, tree.toString()), r -> null);
    }

    @Override
    public CompletableFuture<Long> append(String account, Path file, long offset, byte[] bytes) {
        return call(
                "GELATO_APPEND",
                () -> List.of(account, file.toString(), Long.toString(offset), GahpValues.content(bytes)),
                r -> Long.valueOf(r.get(0)));
    }

    @Override
    public CompletableFuture<Void> finish(String account, Path part, Path file, long size) {
        return simple("GELATO_FINISH", account, part.toString(), file.toString(), Long.toString(size));
    }

    @Override
    public CompletableFuture<FileVersion> stat(String account, Path file) {
        return call(
                "GELATO_STAT",
                () -> List.of(account, file.toString()),
                r -> new FileVersion(Long.parseLong(r.get(0)), r.get(1), modified(r.get(1))));
    }

    /** Of a version, as upload.c makes it: inode, size, seconds and their fraction, in hexadecimal digits. */
    private static long modified(String version) {
        return Long.parseUnsignedLong(version, version.lastIndexOf('-') + 1, version.lastIndexOf('.'), 16);
    }

    @Override
    public CompletableFuture<Void> ping() {
        return call("GELATO_PING", List::of, r -> null);
    }

    private static List<String> program(String account, Path cwd, List<String> argv, Map<String, String> environment) {
        List<String> variables = new ArrayList<>();
        environment.forEach((name, value) -> {
            if (name.isEmpty() || name.indexOf('=') >= 0) {
                throw new IllegalArgumentException("no name of an environment variable: '" + name + "'");
            }
            variables.add(name + "=" + value);
        });
        return new ArrayList<>(List.of(
                account, cwd == null ? "/" : cwd.toString(), GahpValues.list(argv), GahpValues.list(variables)));
    }

    private static void addFiles(List<String> args, Collection<FileContent> files) {
        for (FileContent file : files) {
            args.add(file.path().toString());
            args.add(Integer.toOctalString(file.mode()));
            args.add(GahpValues.content(file.content()));
        }
    }

    private CompletableFuture<Void> simple(String verb, String account, String... rest) {
        List<String> args = new ArrayList<>(List.of(rest));
        args.add(0, account);
        return call(verb, () -> args, r -> null);
    }

    private <T> CompletableFuture<T> call(String verb, Supplier<List<String>> args, Function<List<String>, T> parse) {
        return call(verb, fileWork, args, parse);
    }

    /** Arguments that cannot be expressed in the grammar fail the future, as everything else does, and never the call. */
    private <T> CompletableFuture<T> call(
            String verb, Duration limit, Supplier<List<String>> args, Function<List<String>, T> parse) {
        CompletableFuture<T> response = new CompletableFuture<>();
        List<String> words;
        try {
            words = args.get();
        } catch (IllegalArgumentException e) {
            response.completeExceptionally(new AccountCommandException(Code.REFUSED, e.getMessage()));
            return response;
        }
        CompletableFuture<List<String>> limited = channel.request(verb, words).copy();
        limited.orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).whenComplete((result, failure) -> {
            if (failure != null) {
                response.completeExceptionally(cause(failure, verb, limit));
                return;
            }
            try {
                response.complete(parse.apply(fields(result)));
            } catch (AccountCommandException | ChannelLostException e) {
                response.completeExceptionally(e);
            } catch (RuntimeException e) {
                log.warn("unreadable result of {}", verb, e);
                response.completeExceptionally(new ChannelLostException("unreadable result of " + verb, e));
            }
        });
        return response;
    }

    private static Throwable cause(Throwable failure, String verb, Duration limit) {
        Throwable cause = Causes.of(failure);
        return cause instanceof TimeoutException
                ? new ChannelLostException("the helper returned no result of " + verb + " within " + limit.toSeconds()
                        + " s; the work may or may not have been done")
                : cause;
    }

    /** The fields after code and text of a successful result; the code's exception otherwise. */
    private static List<String> fields(List<String> result) {
        String code = result.get(0);
        String text = result.get(1);
        return switch (code) {
            case "0" -> result.subList(2, result.size());
            case "2" -> throw new AccountCommandException(Code.NO_SUCH_FILE, text);
            case "3" -> throw new AccountCommandException(Code.REFUSED, text);
            case "4" -> throw new AccountCommandException(Code.BUSY, text);
            case "5" -> throw new ChannelLostException(text);
            case "6" -> throw new DiskFullException(text);
            case "7" -> throw new OtherSizeException(text, Long.parseLong(result.get(2)));
            case "8" -> throw new NotPlainFileException(text);
            default -> throw new AccountCommandException(Code.FAILED, text);
        };
    }
}
