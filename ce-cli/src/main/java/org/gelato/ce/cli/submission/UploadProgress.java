package org.gelato.ce.cli.submission;

import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.InputFile;

/** Rewrites one line about the file that is under way, on a terminal only: log files must not fill up with it. */
public final class UploadProgress {
    private static final long STEP = 1 << 20;

    private final CliContext context;
    private InputFile current;
    private long shown;

    public UploadProgress(CliContext context) {
        this.context = context;
    }

    /** Called from the thread that sends. */
    synchronized void show(InputFile file, long bytes) {
        if (!context.interactive() || (file.equals(current) && bytes >= shown && bytes - shown < STEP)) {
            return;
        }
        current = file;
        shown = bytes;
        print(Printable.line(file.name()) + " " + bytes / STEP + " MiB");
    }

    synchronized void clear() {
        if (current != null) {
            current = null;
            print("");
        }
    }

    private void print(String text) {
        context.err().print("\r\u001b[K" + text);
        context.err().flush();
    }
}
