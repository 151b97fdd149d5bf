package org.gelato.ce.core.fault;

import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Plain words for the log, the health report and users: one line of bounded length, without names of Java's classes, frames of
 * asterisks and ISO durations. Functions without state.
 */
public final class Messages {
    private static final int LONGEST = 300;

    private static final int LONGEST_FAULT = 500;
    private static final int LONGEST_NAME = 200;
    private static final String CUT = "...";

    /** As in {@code java.io.IOException: }; a name of a class with its package, before the words. */
    private static final Pattern CLASS = Pattern.compile("(?:[a-z][a-z0-9_]{0,40}\\.){1,10}[A-Z][\\w$]{0,100}: ");

    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\u2028\\u2029]+");
    private static final Pattern LINE_END = Pattern.compile("\\R");
    private static final Pattern FRAME = Pattern.compile("^[*#=]{2,}\\s*|\\s*[*#=]{2,}$|^[-=_*#]+$");

    private Messages() {}

    /** What went wrong, of whatever was thrown, in at most 500 characters; never empty. */
    public static String of(Throwable thrown) {
        return of(thrown, LONGEST_FAULT);
    }

    /** The same in at most this many characters. */
    public static String of(Throwable thrown, int longest) {
        Throwable t = thrown;
        // A wrapper that says nothing itself; chains are short, and a ring would never end.
        for (int i = 0; i < 10 && t.getCause() != null && isWrapper(t); i++) {
            t = t.getCause();
        }
        String words = line(CLASS.matcher(message(t)).replaceAll(""), longest);
        return words.isEmpty() ? "an unexpected fault (" + t.getClass().getSimpleName() + ")" : words;
    }

    private static boolean isWrapper(Throwable t) {
        return t.getMessage() == null || t.getMessage().equals(t.getCause().toString());
    }

    private static String message(Throwable t) {
        if (t instanceof FileSystemException file && file.getReason() == null && file.getFile() != null) {
            if (t instanceof NoSuchFileException) {
                return file.getFile() + " does not exist";
            }
            if (t instanceof AccessDeniedException) {
                return file.getFile() + ": permission denied";
            }
            if (t instanceof FileAlreadyExistsException) {
                return file.getFile() + " is there already";
            }
        }
        if (t instanceof UnknownHostException && t.getMessage() != null) {
            return "there is no address of the host " + t.getMessage();
        }
        if (t instanceof TimeoutException && t.getMessage() == null) {
            return "no result in time";
        }
        return t.getMessage() == null ? "" : t.getMessage();
    }

    /** One line of a text that something else wrote, at most 300 characters; lines are joined by semicolons. */
    public static String line(String foreign) {
        return line(foreign, LONGEST);
    }

    /** The same of at most this many characters; null is empty. */
    public static String line(String foreign, int longest) {
        StringBuilder out = new StringBuilder();
        for (String line : foreign == null ? new String[0] : LINE_END.split(foreign, -1)) {
            // What is left out anyway would cost the pattern its length squared.
            String begin = line.strip();
            begin = begin.substring(0, Math.min(begin.length(), 2 * longest));
            String text = FRAME.matcher(CONTROL.matcher(begin).replaceAll(" ").strip())
                    .replaceAll("")
                    .strip();
            if (!text.isEmpty()) {
                out.append(out.isEmpty() ? "" : "; ").append(text);
            }
            if (out.length() > longest) {
                return out.substring(0, longest);
            }
        }
        return out.toString();
    }

    /**
     * One line of what anybody can write into a certificate, at most {@value #LONGEST_NAME} characters, before it is kept, logged or sent. It
     * is cut in the middle: at the end of a proxy's name is its user's. Null is {@code (none)}.
     */
    public static String ofCertificate(String text) {
        return ofCertificate(text, LONGEST_NAME);
    }

    /** The same in at most this many characters, for a text that holds words of the site's own as well. */
    public static String ofCertificate(String text, int longest) {
        if (text == null) {
            return "(none)";
        }
        String line = CONTROL.matcher(text).replaceAll(" ").strip();
        int left = longest - CUT.length();
        return line.length() <= longest
                ? line
                : line.substring(0, left / 2) + CUT + line.substring(line.length() - (left - left / 2));
    }

    /** In whole units, the largest first: {@code 1 h 30 min}; {@code 0 s} for nothing; less than a millisecond is nothing. */
    public static String span(Duration duration) {
        StringBuilder text = new StringBuilder();
        unit(text, duration.toDaysPart(), "d");
        unit(text, duration.toHoursPart(), "h");
        unit(text, duration.toMinutesPart(), "min");
        unit(text, duration.toSecondsPart(), "s");
        unit(text, duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0 s" : text.toString();
    }

    private static void unit(StringBuilder text, long number, String unit) {
        if (number != 0) {
            text.append(text.isEmpty() ? "" : " ").append(number).append(' ').append(unit);
        }
    }
}
