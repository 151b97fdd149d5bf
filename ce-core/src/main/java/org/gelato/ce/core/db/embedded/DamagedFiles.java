package org.gelato.ce.core.db.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gelato.ce.core.fault.Manual;
import org.gelato.ce.core.fault.Messages;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that keep the server from starting after a full disk and a crash, and that no job is in: they are moved aside, and
 * the server makes new ones. InnoDB's are never touched. Messages and remedies were tried with MariaDB 11.4.5: it mends
 * {@code ibtmp1}, {@code ddl_recovery.log}, {@code ib_buffer_pool}, {@code multi-master.info}, {@code *.pid} and
 * {@code db.opt} itself. One object serves one start, in one thread.
 *
 * <p>Files are renamed, which needs no space; only the directory does, and without that the server does not start either.
 * Each step may be the last: with some of the files gone the next start works, or fails with the same message and goes on.
 *
 * <p>What Aria's log still had for tables is lost. Those are MariaDB's own tables in the schema {@code mysql}; the server checks
 * and repairs each that was open ({@code aria-recover-options}). The CE needs two, {@code global_priv} with its accounts
 * and {@code db} with their rights, and writes its rows at each start. Without the others the server works: there are no
 * procedures, plugins or rights on single tables.
 */
public final class DamagedFiles {
    private static final Logger log = LoggerFactory.getLogger(DamagedFiles.class);
    private static final String PREFIX = "set-aside-";
    /** A start that needs more of them has another fault. */
    private static final int MAX_DIRECTORIES = 10;
    /** Of one page, the header; the server's own has two at least. */
    private static final long EMPTY_LOG = 8192;

    private static final String RESTORE = "restore the backup (" + Manual.page("docs/admin/databases.md") + ")";
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
    private static final Pattern NO_SPACE =
            Pattern.compile("No space left|Disk quota|Errcode: (?:28|122)\\b|error 28\\b");

    private enum Fault {
        /** A new control file begins its numbers anew, so the old log must not stay. Logs sort first, and go first. */
        ARIA_CONTROL(
                "the control file of Aria's log is damaged",
                "Got error '(?:Size of control|Missing valid id|Sizes stored|[^']*checksum)[^']*' when trying to use aria control",
                "aria_log\\.[0-9]+|aria_log_control"),
        ARIA_LOG(
                "Aria's log is damaged",
                "Aria recovery failed|Aria engine: log initialization failed",
                "aria_log\\.[0-9]+"),
        /** It decides transactions over two engines; those of the CE change InnoDB alone. */
        TRANSACTION_LOG("tc.log is damaged", "Can't init tc log", "tc\\.log"),
        /** With the log, which has changes of the old tables. The second message is that of a statement of the init file. */
        ACCOUNTS(
                "MariaDB's tables of accounts are damaged, and accounts that are not the CE's are gone",
                "Fatal error: Can't open and lock privilege tables"
                        + "|(?m:^ERROR: (?:130|1034|1035|1194|1195) |^ERROR: 1030 .*(?:checksum|too short|corrupt|crashed))",
                "aria_log\\.[0-9]+|mysql/(?:global_priv|db)\\.(?:frm|MAD|MAI)");

        private final String what;
        private final Pattern message;
        private final Pattern files;

        Fault(String what, String message, String files) {
            this.what = what;
            this.message = Pattern.compile(message);
            this.files = Pattern.compile(files);
        }

        private boolean isIn(String output) {
            return message.matcher(output).find() || (this == ARIA_LOG && hasDiedInAria(output));
        }

        /** A damaged log may also crash the server, which starts InnoDB after Aria. */
        private static boolean hasDiedInAria(String output) {
            return output.contains(" got signal ") && !output.contains("InnoDB: ");
        }
    }

    /** Makes a new data directory beside the one in use, and removes it. */
    @FunctionalInterface
    public interface NewData {
        /**
         * Makes it, has it used, and removes what is left of it.
         *
         * @param use may move files out of it
         */
        void make(Use use) throws IOException, InterruptedException;
    }

    /** What is done with a new data directory. */
    @FunctionalInterface
    public interface Use {
        /**
         * Uses it.
         *
         * @param directory on the same file system as the data
         */
        void of(Path directory) throws IOException;
    }

    private final Path data;
    private final NewData newData;
    private final Set<Fault> treated = EnumSet.noneOf(Fault.class);

    /**
     * For one start.
     *
     * @param data the server's data directory; files are moved into directories beside it
     * @param newData from which system tables are taken
     */
    public DamagedFiles(Path data, NewData newData) {
        this.data = data;
        this.newData = newData;
    }

    /**
     * Call before the server is started: at an empty Aria log it hangs, and SIGTERM does not end it.
     *
     * @throws IOException when the data directory is not there or cannot be read
     * @throws IllegalStateException when it cannot be moved, with what to do
     */
    public void beforeStart() throws IOException {
        for (Path file : find(Fault.ARIA_LOG)) {
            if (Files.size(file) <= EMPTY_LOG) {
                backUp(Fault.ARIA_LOG, "does not start with an empty Aria log");
                return;
            }
        }
    }

    /**
     * Call when no server runs any more; returns when another start may do better.
     *
     * @param output of the server, of this start alone
     * @param failure of the start
     * @throws IllegalStateException the failure, with what to do where that is known
     * @throws InterruptedException when the thread was interrupted while new tables were made; the next start makes them
     */
    public void mend(String output, IllegalStateException failure) throws InterruptedException {
        if (NO_SPACE.matcher(output).find()) {
            throw new IllegalStateException(failure.getMessage() + "; make room on the disk of " + data, failure);
        }
        Optional<Fault> found =
                Stream.of(Fault.values()).filter(fault -> fault.isIn(output)).findFirst();
        if (found.isEmpty() && output.contains("Unknown/unsupported storage engine: InnoDB")) {
            throw new IllegalStateException(
                    failure.getMessage() + "; where InnoDB's files are damaged, " + RESTORE, failure);
        }
        if (found.isEmpty()) {
            throw failure;
        }
        Fault fault = found.get();
        try {
            if (!treated.add(fault) || (fault != Fault.ACCOUNTS && find(fault).isEmpty())) {
                throw new IllegalStateException("new files do not help; " + RESTORE);
            }
            String event = "did not start: " + fault.what;
            if (fault == Fault.ACCOUNTS) {
                newData.make(fresh -> {
                    backUp(fault, event);
                    takeTables(fresh);
                });
            } else {
                backUp(fault, event);
            }
        } catch (IOException | UncheckedIOException | IllegalStateException e) {
            throw new IllegalStateException(failure.getMessage() + "; " + Messages.of(e), failure);
        }
    }

    private List<Path> find(Fault fault) throws IOException {
        try (Stream<Path> files = Files.walk(data, 2)) {
            return files.filter(f ->
                            fault.files.matcher(data.relativize(f).toString()).matches())
                    .sorted()
                    .toList();
        }
    }

    private void backUp(Fault fault, String event) throws IOException {
        List<Path> files = find(fault);
        Path backup = newDirectory();
        List<String> names = new ArrayList<>();
        for (Path file : files) {
            Files.move(file, backup.resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
            names.add(data.relativize(file).toString());
        }
        log.warn(
                "The embedded database {}. It is started with new files; the old ones are in {}: {}. Jobs are not touched,"
                        + " they are in InnoDB. Remove that directory when the CE works",
                event,
                backup,
                String.join(", ", names));
    }

    private Path newDirectory() throws IOException {
        long there;
        try (Stream<Path> beside = Files.list(data.getParent())) {
            there = beside.filter(f -> f.getFileName().toString().startsWith(PREFIX))
                    .count();
        }
        if (there >= MAX_DIRECTORIES) {
            throw new IllegalStateException("this happened " + there + " times before: look for the cause, and remove "
                    + data.resolveSibling(PREFIX + "*"));
        }
        String name = PREFIX + STAMP.format(LocalDateTime.now(ZoneOffset.UTC)) + "-" + (there + 1);
        return Files.createDirectory(data.resolveSibling(name));
    }

    private void takeTables(Path fresh) throws IOException {
        Path from = fresh.resolve("mysql");
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                if (Fault.ACCOUNTS.files.matcher("mysql/" + file.getFileName()).matches()) {
                    Files.move(file, data.resolve("mysql").resolve(file.getFileName()), StandardCopyOption.ATOMIC_MOVE);
                }
            }
        }
    }
}
