package org.gelato.ce.core.wrapper.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Commands for a wrapper to find before the real ones. Storage is a directory; a transfer fails as often as
 * {@code failures} has lines; what was called and how long somebody slept is written down.
 */
public final class FakeGrid {
    private final Path root;

    /** Puts a command's script before those of the system. */
    public interface Commands {
        void add(String name, String script) throws IOException;
    }

    public FakeGrid(Path root, Commands commands) throws IOException {
        this.root = root;
        Files.createDirectories(root.resolve("remote"));
        commands.add("globus-url-copy", """
                cd '%s'
                printf '%%s\\n' "$*" >> copies
                if [[ -s failures ]]; then
                    sed -i 1d failures
                    printf 'error: end of file\\nfrom %%s\\n' server >&2
                    exit 1
                fi
                [[ $1 != -?s ]] || shift 2
                from=${1/#gsiftp:\\/\\//remote/} to=${2/#gsiftp:\\/\\//remote/}
                from=${from#file://} to=${to#file://}
                [[ $to != remote/* ]] || mkdir -p "${to%%/*}"
                exec cp "$from" "$to"
                """.formatted(root));
        commands.add("sleep", "echo \"$1\" >> '" + root + "/slept'; exec /bin/sleep 0.02");
    }

    public void put(String place, String content) throws IOException {
        Path file = root.resolve("remote").resolve(place);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    public String get(String place) throws IOException {
        return Files.readString(root.resolve("remote").resolve(place));
    }

    public Path path(String place) {
        return root.resolve("remote").resolve(place);
    }

    public void fail(int times) throws IOException {
        Files.writeString(root.resolve("failures"), "x\n".repeat(times));
    }

    public List<String> copies() throws IOException {
        return lines("copies");
    }

    public List<String> slept() throws IOException {
        return lines("slept");
    }

    private List<String> lines(String file) throws IOException {
        Path path = root.resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }
}
