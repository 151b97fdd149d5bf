package org.gelato.ce.core.account;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Files in memory and no commands: for tests of what stands above the helper. For any thread. */
public class MemoryAccounts extends UnusedAccounts {
    private final Map<Path, FileContent> files = new ConcurrentSkipListMap<>();
    private final List<String> log = Collections.synchronizedList(new ArrayList<>());
    private final Map<Path, AccountCommandException> unreadable = new ConcurrentHashMap<>();
    private volatile boolean broken;
    private final Map<String, Runnable> before = new ConcurrentHashMap<>();
    private final Set<String> hung = ConcurrentHashMap.newKeySet();

    /** Reads and renames of an account get no result from now on, or get one again. */
    public void hang(String account, boolean hangs) {
        if (hangs) {
            hung.add(account);
        } else {
            hung.remove(account);
        }
    }

    /** The calls, for example {@code rename /a /b}. */
    public List<String> log() {
        return List.copyOf(log);
    }

    /** Whether everything fails from now on. */
    public void broken(boolean isBroken) {
        broken = isBroken;
    }

    /** Runs something before each call of a kind, which waits for it; the kinds are the first words of {@link #log}. */
    public void before(String kind, Runnable run) {
        before.put(kind, run);
    }

    /** Puts a file there as a wrapper would. */
    public void write(Path path, byte[] content) {
        files.put(path, new FileContent(path, 0600, content));
    }

    /** Reading this file fails so from now on; null for no more. */
    public void unreadable(Path path, AccountCommandException why) {
        if (why == null) {
            unreadable.remove(path);
        } else {
            unreadable.put(path, why);
        }
    }

    public Map<Path, FileContent> files() {
        return files;
    }

    private <T> CompletableFuture<T> answer(String what, T value) {
        before.getOrDefault(what.substring(0, what.indexOf(' ')), () -> {}).run();
        log.add(what);
        return broken
                ? CompletableFuture.failedFuture(
                        new AccountCommandException(AccountCommandException.Code.FAILED, "no space left"))
                : CompletableFuture.completedFuture(value);
    }

    @Override
    public CompletableFuture<Void> makeDirectory(String account, Path directory) {
        return answer("mkdir " + directory, null);
    }

    private boolean isDirectory(Path path) {
        return files.keySet().stream().anyMatch(file -> file.startsWith(path) && !file.equals(path));
    }

    @Override
    public CompletableFuture<Long> append(String account, Path file, long offset, byte[] bytes) {
        FileContent is = files.get(file);
        if (isDirectory(file)) {
            return CompletableFuture.failedFuture(
                    new AccountCommandException(AccountCommandException.Code.FAILED, "Is a directory"));
        }
        if (offset != (is == null ? 0 : is.content().length)) {
            return CompletableFuture.failedFuture(new OtherSizeException("another size", is.content().length));
        }
        if (!broken) {
            write(file, bytes);
        }
        return answer("append " + file, (long) bytes.length);
    }

    @Override
    public CompletableFuture<Void> finish(String account, Path part, Path file, long size) {
        if (isDirectory(file)) {
            return CompletableFuture.failedFuture(
                    new AccountCommandException(AccountCommandException.Code.FAILED, "Is a directory"));
        }
        if (!broken) {
            write(file, files.remove(part).content());
        }
        return answer("finish " + file, null);
    }

    @Override
    public CompletableFuture<FileVersion> stat(String account, Path file) {
        FileContent found = files.get(file);
        if (unreadable.containsKey(file)) {
            return CompletableFuture.failedFuture(unreadable.get(file));
        }
        if (found != null) {
            return CompletableFuture.completedFuture(new FileVersion(found.content().length, "1", 0));
        }
        return CompletableFuture.failedFuture(
                isDirectory(file)
                        ? new NotPlainFileException("is a directory")
                        : new AccountCommandException(AccountCommandException.Code.NO_SUCH_FILE, "no such file"));
    }

    @Override
    public CompletableFuture<Void> put(String account, FileContent file) {
        files.put(file.path(), file);
        return answer("put " + file.path(), null);
    }

    @Override
    public CompletableFuture<FilePart> get(String account, Path file, long offset, int max) {
        if (hung.contains(account)) {
            log.add("hung " + file);
            return new CompletableFuture<>();
        }
        FileContent found = files.get(file);
        if (unreadable.containsKey(file)) {
            return CompletableFuture.failedFuture(unreadable.get(file));
        }
        return found == null
                ? CompletableFuture.failedFuture(
                        new AccountCommandException(AccountCommandException.Code.NO_SUCH_FILE, file.toString()))
                : answer("get " + file, new FilePart(part(found.content(), offset, max), found.content().length));
    }

    private static byte[] part(byte[] content, long offset, int max) {
        int from = (int) Math.min(offset, content.length);
        return Arrays.copyOfRange(content, from, (int) Math.min(content.length, (long) from + max));
    }

    @Override
    public CompletableFuture<List<FileEntry>> list(String account, Path directory, int max) {
        return answer("list " + directory, List.of());
    }

    /** What lies directly in the directory; a directory is there while it holds a file. */
    @Override
    public CompletableFuture<Tree> tree(String account, Path directory, int depth, int max) {
        List<TreeEntry> entries = files.values().stream()
                .filter(f -> f.path().startsWith(directory) && !f.path().equals(directory))
                .map(f -> {
                    Path below = directory.relativize(f.path());
                    return new TreeEntry(
                            below.getName(0).toString(),
                            below.getNameCount() == 1 ? f.content().length : TreeEntry.DIRECTORY);
                })
                .distinct()
                .toList();
        return entries.isEmpty()
                ? CompletableFuture.failedFuture(
                        new AccountCommandException(AccountCommandException.Code.NO_SUCH_FILE, directory.toString()))
                : answer("tree " + directory, new Tree(entries, false));
    }

    @Override
    public CompletableFuture<List<FileContent>> collect(String account, Path directory, int maxFiles, int maxBytes) {
        return answer(
                "collect " + directory,
                files.values().stream()
                        .filter(f -> directory.equals(f.path().getParent()))
                        .limit(maxFiles)
                        .map(f -> new FileContent(f.path().getFileName(), f.mode(), f.content()))
                        .toList());
    }

    @Override
    public CompletableFuture<Void> discard(String account, Path directory, List<String> names) {
        names.forEach(n -> files.remove(directory.resolve(n)));
        return answer("discard " + directory, null);
    }

    @Override
    public CompletableFuture<Void> renameAway(String account, Path from, Path to) {
        if (hung.contains(account)) {
            return new CompletableFuture<>();
        }
        return answer("rename " + from + " " + to, null);
    }

    @Override
    public CompletableFuture<Void> remove(String account, Path tree) {
        return answer("remove " + tree, null);
    }

    @Override
    public CompletableFuture<Void> ping() {
        return answer("ping", null);
    }
}
