package org.gelato.ce.blahbridge.fork;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Optional;
import org.gelato.ce.core.account.AccountCommands;

/** Reads processes from {@code /proc}: no process is started and the helper is not called. For any thread. */
final class ProcessTable {
    private static final int STATE = 0;
    private static final int START_TIME = 19; // field 22, counted from the one after the command name

    private static final String ALWAYS_THERE = "1/stat";
    private static final String ENDED_MEANWHILE = "No such process";

    private final Path proc;
    private final String boot;

    /**
     * Reads the boot id.
     *
     * @param proc usually {@code /proc}
     * @throws IOException also where other accounts' processes are hidden, as every job would then seem to have ended
     */
    ProcessTable(Path proc) throws IOException {
        this.proc = proc;
        this.boot = Files.readString(proc.resolve("sys/kernel/random/boot_id"), StandardCharsets.US_ASCII)
                .trim();
        if (!Files.isReadable(proc.resolve(ALWAYS_THERE))) {
            throw new IOException("processes of other accounts are hidden in " + proc
                    + " (mount option hidepid): the fork batch system cannot see its jobs there");
        }
    }

    String boot() {
        return boot;
    }

    /**
     * The process with this id now; empty when there is none or only one that is dead and not reaped.
     *
     * @throws IOException when the kernel does not tell, as without a free file descriptor: it may live
     */
    Optional<ProcessMark> find(long pid) throws IOException {
        String stat;
        try {
            stat = Files.readString(proc.resolve(Long.toString(pid)).resolve("stat"), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            if (!Files.isReadable(proc.resolve(ALWAYS_THERE))) {
                throw e; // hidden
            }
            return Optional.empty();
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains(ENDED_MEANWHILE)) {
                return Optional.empty();
            }
            throw e;
        }
        // The command name stands in parentheses and may hold spaces and parentheses itself.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ", -1);
        if (fields.length <= START_TIME || fields[STATE].equals("Z") || fields[STATE].equals("X")) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ProcessMark(pid, Long.parseLong(fields[START_TIME]), boot));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * Whether a process lives and is certainly another account's; the helper's own for {@link AccountCommands#SELF}. False
     * also when the account database does not respond. Slow: it may query that database.
     */
    boolean isOthers(ProcessMark mark, String account) {
        if (!alive(mark)) {
            return false;
        }
        try {
            UserPrincipal owner = Files.getOwner(proc.resolve(Long.toString(mark.pid())));
            UserPrincipal expected = account.equals(AccountCommands.SELF)
                    ? Files.getOwner(proc.resolve("self"))
                    : proc.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(account);
            return !owner.equals(expected);
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether it lives, or may: where the kernel does not tell, its job has not ended. */
    boolean alive(ProcessMark mark) {
        try {
            return find(mark.pid()).filter(mark::equals).isPresent();
        } catch (IOException e) {
            return true;
        }
    }
}
