package org.gelato.ce.blahbridge;

import java.util.ArrayList;
import java.util.List;

/**
 * Lines of the BLAHP grammar (contract/blah-protocol.md section 1): words between single spaces; a backslash makes a space,
 * a backslash, CR or LF plain, and any other backslash stands for itself. Pure; for any thread.
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

    private static void escape(String word, StringBuilder line) {
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (isEscaped(c)) {
                line.append('\\');
            }
            line.append(c);
        }
    }

    /** The words of a line that has lost its line end; never empty. */
    public static List<String> split(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\\' && i + 1 < line.length() && isEscaped(line.charAt(i + 1))) {
                word.append(line.charAt(++i));
            } else if (c == ' ') {
                words.add(word.toString());
                word.setLength(0);
            } else {
                word.append(c);
            }
        }
        words.add(word.toString());
        return words;
    }

    private static boolean isEscaped(char c) {
        return c == ' ' || c == '\\' || c == '\r' || c == '\n';
    }
}
