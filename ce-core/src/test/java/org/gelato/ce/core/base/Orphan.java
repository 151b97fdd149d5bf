package org.gelato.ce.core.base;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** A process whose parent never waits for it, so that it stays as a zombie when it ends; until this is closed. */
public final class Orphan implements AutoCloseable {
    private final Process parent;
    private final ProcessHandle handle;

    private Orphan(Process parent, ProcessHandle handle) {
        this.parent = parent;
        this.handle = handle;
    }

    /** Starts a command, which must run for a while. */
    public static Orphan start(String... command) throws IOException {
        List<String> line = new ArrayList<>(
                List.of("bash", "-c", "\"$@\" </dev/null >/dev/null 2>&1 & echo $!; exec sleep 600", "parent"));
        line.addAll(List.of(command));
        Process parent = new ProcessBuilder(line).start();
        try (BufferedReader out = parent.inputReader(StandardCharsets.US_ASCII)) {
            ProcessHandle child =
                    ProcessHandle.of(Long.parseLong(out.readLine().strip())).orElseThrow();
            // Until then the parent is a shell, which waits for a child that ends.
            Path name = Path.of("/proc/" + parent.pid() + "/comm");
            Awaitility.await()
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> Files.readString(name).strip().equals("sleep"));
            return new Orphan(parent, child);
        }
    }

    public ProcessHandle handle() {
        return handle;
    }

    @Override
    public void close() {
        handle.destroyForcibly();
        parent.destroyForcibly();
    }
}
