package org.gelato.ce.ws.check;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Takes secrets out of texts: those that are known by value, and what looks like one. It takes out too much rather than too
 * little. Thread-safe.
 */
final class Secrets {
    static final String MASK = "***";

    private static final int SHORTEST = 4;

    /** A form of secrets, and what is left of it. */
    private record Form(Pattern pattern, String left) {}

    /** What a value is called by that is secret; so are variables of the environment with such a word anywhere in their name. */
    private static final String NAME =
            "(?:(?<![\\w.-])[\"']?[\\w.-]{0,200}?(?:password|passwd|passphrase|pwd|\\bpass|secret|token|credentials?|(?:api|auth|access|secret|private)[_-]?key)"
                    + "|(?-i:(?<![A-Za-z0-9_])[A-Z0-9_]{0,200}?(?:PASS|SECRET|TOKEN|CREDENTIAL|KEY)[A-Z0-9_]{0,200}))[\"']?";

    /** Also without its end, as in a line that was cut. No group is repeated by a call of its own for each character. */
    private static final String QUOTED =
            "\"\"\".*?(?:\"\"\"|\\z)|\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+(?:\"|(?=\\n)|\\z)|'[^'\\n]*+(?:''[^'\\n]*+)*+(?:'|(?=\\n)|\\z)";

    private static final List<Form> FORMS = List.of(
            new Form(
                    Pattern.compile(
                            "-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\\z)",
                            Pattern.DOTALL),
                    "-----PRIVATE KEY " + MASK + "-----"),
            new Form(Pattern.compile("\\beyJ[A-Za-z0-9_-]{10,}(?:\\.[A-Za-z0-9_-]*){1,4}"), MASK),
            new Form(Pattern.compile("(?i)(\\b(?:proxy-)?authorization[\"']?\\s*[:=]\\s*)[^\\n]+"), "$1" + MASK),
            new Form(Pattern.compile("(?i)\\b(bearer|basic)\\s+[A-Za-z0-9._~+/=-]{8,}"), "$1 " + MASK),
            // Of a service that is called, such as a webhook, the path is often the secret.
            new Form(
                    Pattern.compile("(?i)(\\burl[\"']?\\s*[:=]\\s*[\"']?https?://[^/\\s\"'?#]+)[/?#][^\\s\"']*"),
                    "$1/" + MASK),
            new Form(Pattern.compile("([?&][^=&?\\s\"']{1,200}=)[^&\\s\"']+"), "$1" + MASK),
            new Form(
                    Pattern.compile(
                            "(?i)((?<![a-z0-9+.-])(?:jdbc:)?[a-z][a-z0-9+.-]{0,30}://[^\\s:/@]{1,200}:)[^\\s@\"']{1,500}(@)"),
                    "$1" + MASK + "$2"),
            new Form(Pattern.compile("(?is)(" + NAME + "\\s*[:=]\\s*)(?:" + QUOTED + ")"), "$1" + MASK),
            // A text without quotes, such as a value of several words in the configuration: a line of its own goes as a
            // whole.
            new Form(
                    Pattern.compile("(?im)(^[ \\t]*" + NAME + "\\s*[:=][ \\t]*)(?![\"'{\\[*\\s])[^\\n]+"), "$1" + MASK),
            new Form(Pattern.compile("(?i)(" + NAME + "\\s*[:=]\\s*)(?![\"'{\\[])[^\\s&}\\])]+"), "$1" + MASK),
            // Derived secrets of jobs, keys in text form: long runs of hexadecimal digits and of base64.
            new Form(Pattern.compile("\\b[0-9a-fA-F]{48,}\\b"), MASK),
            new Form(Pattern.compile("(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{60,}={0,2}"), MASK));

    private final List<String> values;

    /** @param values secrets that are known; short ones are left, as they would take half of all words with them */
    Secrets(List<String> values) {
        this.values = new ArrayList<>(values.stream()
                .filter(v -> v != null && v.length() >= SHORTEST)
                .flatMap(v -> Stream.of(v, URLEncoder.encode(v, StandardCharsets.UTF_8)))
                .distinct()
                .toList());
        // A longer secret may hold a shorter one.
        this.values.sort((a, b) -> b.length() - a.length());
    }

    /** The text without secrets. */
    String without(String text) {
        String clean = text;
        for (String value : values) {
            clean = clean.replace(value, MASK);
        }
        for (Form form : FORMS) {
            clean = form.pattern().matcher(clean).replaceAll(form.left());
        }
        return clean;
    }
}
