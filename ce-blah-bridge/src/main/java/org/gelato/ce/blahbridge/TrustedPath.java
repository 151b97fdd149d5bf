package org.gelato.ce.blahbridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/**
 * The helper's rule on paths that root relies on ({@code trusted.c}), for those who want to know before the helper starts: all the way
 * from {@code /} they belong to root, links among them, and nobody else may write. {@code HelperPathsTest} holds both to the same.
 * Functions without state.
 */
public final class TrustedPath {
    private static final int LINKS_MAX = 40;
    private static final int KIND = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int LINK = 0120000;
    private static final int REGULAR = 0100000;
    private static final int STICKY = 01000;
    private static final int GROUP_WRITES = 0020;
    private static final int OTHERS_WRITE = 0002;

    private TrustedPath() {}

    /**
     * What root does not rely on.
     *
     * @param place the part of a path that is wrong
     * @param what is wrong with it, in the helper's words
     * @param mode permissions in octal digits; empty where there is nothing
     * @param command what root types to correct it; empty where no single command does
     */
    public record Fault(Path place, String what, String mode, String command) {}

    /** What the file system says of a place. */
    private record Stat(int uid, int gid, int mode) {
        static Stat of(Path place) throws IOException {
            Map<String, Object> read = Files.readAttributes(place, "unix:uid,gid,mode", LinkOption.NOFOLLOW_LINKS);
            return new Stat((int) read.get("uid"), (int) read.get("gid"), (int) read.get("mode"));
        }

        boolean is(int kind) {
            return (mode & KIND) == kind;
        }

        /** Whether others than root may write. */
        boolean isOpen() {
            return (mode & OTHERS_WRITE) != 0 || ((mode & GROUP_WRITES) != 0 && gid != 0);
        }

        String permissions() {
            return "%04o".formatted(mode & 07777);
        }
    }

    /**
     * Of a directory that root makes where it is absent.
     *
     * @return empty where all is root's, and where this process may not look
     */
    public static Optional<Fault> ofDirectory(Path path) {
        return new Walk(path, true).fault();
    }

    /** The same for a file, which must be there or where root alone can make it. */
    public static Optional<Fault> ofFile(Path path) {
        return new Walk(path, false).fault();
    }

    private static final class Walk {
        private final boolean toBeMade;
        private final Deque<String> rest = new ArrayDeque<>();
        private Path done = Path.of("/");
        private int links;
        /** Whether others can make files in the directory that was walked last. */
        private boolean shared;

        Walk(Path path, boolean toBeMade) {
            this.toBeMade = toBeMade;
            path.toAbsolutePath().forEach(part -> rest.add(part.toString()));
        }

        Optional<Fault> fault() {
            try {
                Optional<Fault> fault = check(done, rest.isEmpty());
                while (fault.isEmpty() && !rest.isEmpty()) {
                    fault = step(rest.remove());
                }
                return fault;
            } catch (IOException e) {
                // It is not for this process to see.
                return Optional.empty();
            }
        }

        private Optional<Fault> step(String part) throws IOException {
            if (part.isEmpty() || part.equals(".")) {
                return Optional.empty();
            }
            if (part.equals("..")) {
                done = done.getParent() == null ? done : done.getParent();
                return Optional.empty();
            }
            Path place = done.resolve(part);
            Stat stat;
            try {
                stat = Stat.of(place);
            } catch (NoSuchFileException e) {
                rest.clear();
                return toBeMade || !shared
                        ? Optional.empty()
                        : Optional.of(new Fault(place, "is not there, and others than root can make it", "", ""));
            }
            Optional<Fault> fault = check(place, rest.isEmpty());
            if (fault.isPresent()) {
                return fault;
            }
            if (stat.is(LINK)) {
                return follow(place);
            }
            done = place;
            shared = stat.is(DIRECTORY) && stat.isOpen();
            return Optional.empty();
        }

        private Optional<Fault> follow(Path link) throws IOException {
            if (++links > LINKS_MAX) {
                return Optional.of(new Fault(link, "Too many levels of symbolic links", "", ""));
            }
            Path target = Files.readSymbolicLink(link);
            Deque<String> parts = new ArrayDeque<>();
            target.forEach(part -> parts.addFirst(part.toString()));
            parts.forEach(rest::addFirst);
            if (target.isAbsolute()) {
                done = Path.of("/");
            }
            return Optional.empty();
        }

        private static Optional<Fault> check(Path place, boolean last) throws IOException {
            Stat stat = Stat.of(place);
            if (stat.uid == 0 && stat.is(DIRECTORY)) {
                // What is mounted there when somebody goes in counts.
                stat = Stat.of(place.resolve("."));
            }
            if (stat.uid != 0) {
                boolean link = stat.is(LINK);
                return Optional.of(new Fault(
                        place,
                        (link ? "is a symbolic link of" : "belongs to") + " uid " + stat.uid,
                        stat.permissions(),
                        "chown " + (link ? "-h " : "") + "root " + place));
            }
            boolean others = (stat.is(DIRECTORY) || stat.is(REGULAR)) && stat.isOpen();
            boolean kept = !last && stat.is(DIRECTORY) && (stat.mode & STICKY) != 0;
            return others && !kept
                    ? Optional.of(new Fault(
                            place, "can be written by others than root", stat.permissions(), "chmod go-w " + place))
                    : Optional.empty();
        }
    }
}
