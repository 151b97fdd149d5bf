package org.gelato.ce.cli.display;

import org.gelato.ce.cli.terminal.Printable;
import org.gelato.ce.cli.wire.StatusReport;

/** The text form of results for people and line oriented tools. */
public final class Lines {
    private Lines() {}

    /** A state on one line: name, time, exit code and, as far as known, why it failed, waits or was cancelled. */
    public static String status(StatusReport status) {
        StringBuilder line = new StringBuilder(Printable.line(status.name()));
        if (status.time() != null) {
            line.append(' ').append(status.time());
        }
        if (known(status.exitCode())) {
            line.append(" exit=").append(Printable.line(status.exitCode()));
        }
        String reason = known(status.failureReason()) ? status.failureReason() : status.description();
        if (known(reason)) {
            line.append(" reason=").append(Printable.line(reason));
        }
        return line.toString();
    }

    /** Whether a text of the wire has a value: {@code N/A} and {@code [reserved]} stand for an absent one. */
    public static boolean known(String text) {
        return text != null && !text.isBlank() && !text.equals("N/A") && !text.equals("[reserved]");
    }
}
