package org.gelato.ce.core.sandbox;

import java.nio.file.Path;
import java.time.YearMonth;
import java.util.HexFormat;
import org.gelato.ce.core.base.Sha256;
import org.gelato.ce.core.identity.Owner;
import org.gelato.ce.core.job.JobId;

/**
 * Where files lie: {@code <root>/<vo>/<owner hash>/<2>/<2>/CREAMnnnnnnnnn/}, so that no directory ever holds more than
 * 1000 entries (docs/developer/design.md section 7). Pure: it names paths and touches no file.
 *
 * @param root absolute, shared with the worker nodes where events come by spool
 */
public record SandboxLayout(Path root) {
    private static final String TOKEN = ".jwt";

    public SandboxLayout {
        if (!root.isAbsolute()) {
            throw new IllegalArgumentException("sandbox root must be absolute: " + root);
        }
    }

    /** The directory of one owner under one account; mode 0700, made by the helper. */
    public Path home(Owner owner, String account) {
        String vo = owner.vo();
        String safeVo = vo == null || vo.isEmpty() ? "novo" : vo.replaceAll("[^A-Za-z0-9._-]", "_");
        if (safeVo.startsWith(".")) {
            safeVo = "_" + safeVo;
        }
        return root.resolve(safeVo).resolve(hash(owner.subject() + '\0' + owner.group() + '\0' + account));
    }

    /** A job's sandbox below its owner's home. */
    public Path sandbox(Path home, JobId id) {
        String d = id.digits();
        return home.resolve(d.substring(0, 2)).resolve(d.substring(2, 4)).resolve(id.toString());
    }

    /** Where wrappers of this owner leave their events (maildir: written beside in {@code tmp}, renamed into here). */
    public Path events(Path home) {
        return home.resolve("events");
    }

    /** Where sandboxes go before they are removed in the background. */
    public Path trash(Path home) {
        return home.resolve("trash");
    }

    /** Where trash goes that could not be removed. */
    public Path failedTrash(Path home) {
        return home.resolve("trash.aside");
    }

    /** Where the common parts of this owner's job wrappers lie, a directory for each month. */
    public Path wrappers(Path home) {
        return home.resolve("wrapper");
    }

    /** Those of jobs that are handed over in this month, UTC. */
    public Path wrappers(Path home, YearMonth month) {
        return wrappers(home).resolve(month.toString());
    }

    /** Where the delegated proxies of this owner lie. */
    public Path proxies(Path home) {
        return home.resolve("proxy");
    }

    /**
     * The file of a delegated bearer token beside them.
     *
     * @param name as a proxy of this delegation would be called; it has no dot
     */
    public Path tokenFile(Path proxies, String name) {
        return proxies.resolve(name + TOKEN);
    }

    /** Whether the file of a delegation holds a bearer token, and not a proxy. */
    public static boolean isToken(Path file) {
        return file.toString().endsWith(TOKEN);
    }

    private static String hash(String text) {
        return HexFormat.of().formatHex(Sha256.of(text), 0, 10);
    }
}
