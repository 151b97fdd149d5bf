package org.gelato.ce.it.accounts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Local accounts made for a test, with names unique to this run, and removed with their processes. Needs root. */
final class LocalAccounts implements AutoCloseable {
    private static final String PREFIX = "gt" + ProcessHandle.current().pid() % 1_000_000;

    private final List<String> made = new ArrayList<>();

    /** What a program did. */
    record Ended(int exit, String said) {}

    LocalAccounts() {
        must("groupadd", group());
    }

    /** Makes an account in a group of the test's own. */
    String make(String name) {
        String account = PREFIX + name;
        must(
                "useradd",
                "--no-create-home",
                "--no-log-init",
                "--shell",
                "/usr/sbin/nologin",
                "--groups",
                group(),
                account);
        made.add(account);
        return account;
    }

    /** Makes an account that is not in the group. */
    String makeStranger(String name) {
        String account = PREFIX + name;
        must("useradd", "--no-create-home", "--no-log-init", "--shell", "/usr/sbin/nologin", account);
        made.add(account);
        return account;
    }

    static String group() {
        return PREFIX + "pool";
    }

    /** Runs a program as root. */
    static Ended call(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.onExit().join().exitValue(), said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same program as run by an account. */
    static List<String> as(String account, List<String> command) {
        List<String> line =
                new ArrayList<>(List.of("/usr/bin/setpriv", "--reuid", account, "--regid", account, "--init-groups"));
        line.addAll(command);
        return line;
    }

    static Ended callAs(String account, String... command) {
        return call(as(account, List.of(command)));
    }

    static String must(String... command) {
        Ended ended = call(List.of(command));
        if (ended.exit() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ": " + ended.said());
        }
        return ended.said();
    }

    static int uid(String account) {
        return Integer.parseInt(must("id", "-u", account).strip());
    }

    /** Command lines of what runs as an account; kernel's view, zombies left out. */
    static List<String> processes(int uid) {
        return ProcessHandle.allProcesses()
                .filter(p -> runsAs(p.pid()) == uid)
                .map(p -> p.info().commandLine().orElse(""))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** The account a process runs as, from its status: the files of one that hides its memory belong to root. */
    static int runsAs(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                    .filter(line -> line.startsWith("Uid:"))
                    .map(line -> Integer.parseInt(line.split("\\s+")[1]))
                    .findFirst()
                    .orElse(-1);
        } catch (IOException e) {
            return -1;
        }
    }

    @Override
    public void close() {
        for (String account : made) {
            int uid = uid(account);
            ProcessHandle.allProcesses().filter(p -> runsAs(p.pid()) == uid).forEach(ProcessHandle::destroyForcibly);
            must("userdel", "--force", account);
        }
        call(List.of("groupdel", group()));
    }
}
