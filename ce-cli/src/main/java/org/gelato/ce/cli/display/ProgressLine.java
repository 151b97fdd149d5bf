package org.gelato.ce.cli.display;

import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.terminal.Printable;

/**
 * One line on standard error that is written anew as things change, on a terminal only; elsewhere what is worth a line of its own has
 * one. Texts may be a CE's. Used by one thread at a time.
 */
public final class ProgressLine {
    /** A line that wraps could not be written anew. */
    static final int WIDTH = 79;

    private final CliContext context;
    private final String command;
    private String shown = "";
    private String last = "";

    /** @param command its name, with which lines elsewhere begin */
    public ProgressLine(CliContext context, String command) {
        this.context = context;
        this.command = command;
    }

    /** Whether the line lives, so that it is worth being written every second. */
    public boolean lives() {
        return context.interactive();
    }

    /**
     * Shows what is going on.
     *
     * @param now for the line that lives
     * @param lasting for a line of its own, which is written when it differs from the one before; null for none
     */
    public synchronized void show(String now, String lasting) {
        if (context.interactive()) {
            write(cut(Printable.line(now)));
        } else if (lasting != null && !lasting.equals(last)) {
            last = lasting;
            context.err().println(command + ": " + Printable.line(lasting));
            context.err().flush();
        }
    }

    /** Takes the line away before something else is printed. */
    public synchronized void clear() {
        if (!shown.isEmpty()) {
            write("");
        }
    }

    private void write(String text) {
        if (!text.equals(shown)) {
            shown = text;
            context.err().print("\r\u001b[K" + text);
            context.err().flush();
        }
    }

    private static String cut(String text) {
        int end = text.offsetByCodePoints(0, Math.min(WIDTH, text.codePointCount(0, text.length())));
        return end == text.length() ? text : text.substring(0, text.offsetByCodePoints(0, WIDTH - 3)) + "...";
    }
}
