package org.gelato.ce.blahbridge;

import java.util.ArrayList;
import java.util.List;

/**
 * Lines of the BLAHP grammar (docs/developer/protocol/blah-protocol.md section 1): words between single spaces; a backslash makes a
 * space, a backslash, CR or LF plain, and any other backslash stands for itself. Pure; for any thread.
 */
public final class GahpLine {
    private GahpLine() {}

    /** Words as one line without its line end. An empty word leaves two spaces in a row and is read back as empty. */
    public static String join(List<String> words) {
        StringBuilder line = new StringBuilder();
        for (int w = 0; w < words.size(); w++) {
            if (w > 0) {
                line.append(' ');
            }
            escape(words.get(w), line);
        }
        return line.toString();
    }

    // Words are mostly long and plain, so stretches between what is escaped are copied whole.
    private static void escape(String word, StringBuilder line) {
        int begin = 0;
        for (int i = 0; i < word.length(); i++) {
            if (isEscaped(word.charAt(i))) {
                line.append(word, begin, i).append('\\');
                begin = i;
            }
        }
        line.append(word, begin, word.length());
    }

    /** The words of a line that has lost its line end; never empty. */
    public static List<String> split(String line) {
        List<String> words = new ArrayList<>();
        int begin = 0;
        while (true) {
            int end = end(line, begin);
            words.add(unescape(line, begin, end));
            if (end == line.length()) {
                return words;
            }
            begin = end + 1;
        }
    }

    /** Where the word ends that begins there: a space that is not escaped, or the end of the line. */
    private static int end(String line, int begin) {
        for (int i = begin; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == ' ') {
                return i;
            }
            if (startsEscape(line, i)) {
                i++;
            }
        }
        return line.length();
    }

    private static String unescape(String line, int begin, int end) {
        StringBuilder word = new StringBuilder();
        int plain = begin;
        for (int i = begin; i < end; i++) {
            if (startsEscape(line, i)) {
                word.append(line, plain, i);
                plain = ++i;
            }
        }
        return plain == begin
                ? line.substring(begin, end)
                : word.append(line, plain, end).toString();
    }

    private static boolean startsEscape(String line, int at) {
        return line.charAt(at) == '\\' && at + 1 < line.length() && isEscaped(line.charAt(at + 1));
    }

    private static boolean isEscaped(char c) {
        return c == ' ' || c == '\\' || c == '\r' || c == '\n';
    }
}
