package org.gelato.ce.ws.setup.migration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gelato.ce.core.fault.Messages;

/**
 * What of a route's requirements {@code match} can say: comparisons with a text or number, joined by {@code &&}, and by {@code ||} where
 * all are of one attribute. Used once.
 */
final class RouteRequirements {
    private static final int LONGEST = 4000;
    private static final int DEEPEST = 20;
    private static final String ATTRIBUTE = "(?:(?i:(TARGET|MY))\\.)?([A-Za-z_][A-Za-z0-9_]*+)";
    private static final Pattern COMPARISON =
            Pattern.compile(ATTRIBUTE + "\\s*+(==|=\\?=|=!=|>=|>|\\b(?i:is)\\b)\\s*+(\\S.*+)");
    private static final Pattern FLAG = Pattern.compile(ATTRIBUTE);
    private static final Pattern MEMBER =
            Pattern.compile("(?i:stringListMember)\\s*+\\(\\s*+" + ATTRIBUTE + "\\s*+,\\s*+(\"[^\"\\\\]*+\")\\s*+\\)");
    private static final Pattern REGEXP =
            Pattern.compile("(?i:regexp)\\s*+\\(\\s*+(\"[^\"]*+\")\\s*+,\\s*+" + ATTRIBUTE + "\\s*+\\)");
    /** What a regular expression has beside the text itself. */
    private static final String SPECIAL = "[](){}*+?|^$";

    private static final Set<String> EQUAL = Set.of("==", "=?=", "is");
    private static final String FQAN = "fqan";
    private static final String WHOLE_NODE = "whole-node";
    private static final String MIN_CORES = "min-cores";
    private static final String GPU = "gpu";
    private static final Map<String, String> KEYS = Map.ofEntries(
            Map.entry("x509userproxyvoname", "vo"),
            Map.entry("x509userproxyfirstfqan", FQAN),
            Map.entry("x509userproxysubject", "dn"),
            Map.entry("authtokenissuer", "issuer"),
            Map.entry("owner", "account"),
            Map.entry("queue", "queue"),
            Map.entry("batch_queue", "queue"),
            Map.entry("requestcpus", MIN_CORES),
            Map.entry("xcount", MIN_CORES),
            Map.entry("wantwholenode", WHOLE_NODE),
            Map.entry("requestgpus", GPU));

    private final boolean transform;

    private RouteRequirements(boolean transform) {
        this.transform = transform;
    }

    /**
     * The section {@code match}; empty for all jobs.
     *
     * @param transform whether {@code MY.} is the job
     * @throws IllegalArgumentException with the part that cannot be said
     */
    static Map<String, Object> match(String expression, boolean transform) {
        if (expression.length() > LONGEST) {
            throw new IllegalArgumentException("it is longer than " + LONGEST + " characters");
        }
        return new RouteRequirements(transform).all(expression, 0);
    }

    private Map<String, Object> all(String expression, int depth) {
        String plain = withoutParentheses(expression);
        if (depth > DEEPEST) {
            throw unknown(plain);
        }
        List<String> alternatives = split(plain, '|');
        if (alternatives.size() > 1) {
            return any(plain, alternatives, depth);
        }
        List<String> parts = split(plain, '&');
        if (parts.size() == 1) {
            return one(plain);
        }
        Map<String, Object> match = new LinkedHashMap<>();
        for (String part : parts) {
            all(part, depth + 1).forEach((key, value) -> {
                Object there = match.putIfAbsent(key, value);
                if (there instanceof Integer cores && value instanceof Integer more) {
                    match.put(key, Math.max(cores, more));
                } else if (there != null && !there.equals(value)) {
                    throw new IllegalArgumentException(key + " would have two conditions");
                }
            });
        }
        return match;
    }

    private Map<String, Object> any(String plain, List<String> alternatives, int depth) {
        String only = null;
        Set<Object> values = new LinkedHashSet<>();
        for (String alternative : alternatives) {
            Map<String, Object> match = all(alternative, depth + 1);
            String key = match.size() == 1 ? match.keySet().iterator().next() : null;
            if (key == null || (only != null && !only.equals(key)) || !(match.get(key) instanceof List<?> list)) {
                throw unknown(plain);
            }
            only = key;
            values.addAll(list);
        }
        return Map.of(only, List.copyOf(values));
    }

    private Map<String, Object> one(String part) {
        Matcher comparison = COMPARISON.matcher(part);
        if (comparison.matches()) {
            return compared(
                    part, key(part, comparison), comparison.group(3).toLowerCase(Locale.ROOT), comparison.group(4));
        }
        Matcher member = MEMBER.matcher(part);
        if (member.matches()) {
            List<Object> texts = new ArrayList<>();
            for (String text : CondorLiteral.text(member.group(3)).split("[,\\s]+")) {
                if (!text.isEmpty() && !texts.contains(text)) {
                    texts.add(text);
                }
            }
            return texts(part, key(part, member), texts);
        }
        Matcher regexp = REGEXP.matcher(part);
        if (regexp.matches()) {
            if (!FQAN.equals(KEYS.get(regexp.group(3).toLowerCase(Locale.ROOT))) || foreign(regexp.group(2))) {
                throw unknown(part);
            }
            return Map.of(FQAN, patterns(part, CondorLiteral.text(regexp.group(1))));
        }
        if (part.equalsIgnoreCase("true")) {
            return Map.of();
        }
        Matcher flag = FLAG.matcher(part);
        if (flag.matches() && key(part, flag).equals(WHOLE_NODE)) {
            return Map.of(WHOLE_NODE, true);
        }
        throw unknown(part);
    }

    private Map<String, Object> compared(String part, String key, String operator, String literal) {
        Object value = CondorLiteral.of(literal);
        if (key.equals(WHOLE_NODE)) {
            if (Boolean.TRUE.equals(value) && (EQUAL.contains(operator) || operator.equals("=!="))) {
                return Map.of(key, EQUAL.contains(operator));
            }
        } else if (key.equals(MIN_CORES) || key.equals(GPU)) {
            if (value instanceof Integer number && number >= 0 && operator.startsWith(">")) {
                int least = operator.equals(">") ? number + 1 : number;
                if (key.equals(MIN_CORES) && least > 0) {
                    return Map.of(key, least);
                }
                if (key.equals(GPU) && least == 1) {
                    return Map.of(key, true);
                }
            }
        } else if (value instanceof String && EQUAL.contains(operator)) {
            return texts(part, key, List.of(value));
        }
        throw unknown(part);
    }

    private static Map<String, Object> texts(String part, String key, List<Object> texts) {
        boolean pattern = key.equals(FQAN)
                && texts.stream().map(Object::toString).anyMatch(t -> t.contains("*") || t.contains("?"));
        boolean number = Set.of(WHOLE_NODE, MIN_CORES, GPU).contains(key);
        if (pattern || number || texts.isEmpty() || texts.contains("")) {
            throw unknown(part);
        }
        return Map.of(key, texts);
    }

    /** A regular expression of a text, dots and {@code .*}, with or without its beginning and end. */
    private static List<Object> patterns(String part, String regexp) {
        boolean begins = regexp.startsWith("^");
        boolean ends = regexp.endsWith("$") && !regexp.endsWith("\\$");
        String middle = regexp.substring(begins ? 1 : 0, regexp.length() - (ends ? 1 : 0));
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < middle.length(); i++) {
            char c = middle.charAt(i);
            if (c == '.') {
                boolean any = middle.startsWith(".*", i);
                text.append(any ? '*' : '?');
                i += any ? 1 : 0;
            } else {
                if (c == '\\') {
                    i++;
                    c = i < middle.length() ? middle.charAt(i) : ' ';
                    if (Character.isLetterOrDigit(c) || c == ' ') {
                        throw unknown(part);
                    }
                } else if (SPECIAL.indexOf(c) >= 0) {
                    throw unknown(part);
                }
                if (c == '*' || c == '?') {
                    throw unknown(part);
                }
                text.append(c);
            }
        }
        boolean anywhere = !begins || text.indexOf("*") == 0;
        while (text.indexOf("*") == 0) {
            text.deleteCharAt(0);
        }
        String end = text + (ends ? "" : "*");
        if (text.isEmpty() || (!anywhere && text.charAt(0) != '/')) {
            throw unknown(part);
        }
        // each FQAN begins with a slash
        return !anywhere ? List.of(end) : text.charAt(0) == '/' ? List.of(end, "/*" + end) : List.of("/*" + end);
    }

    private String key(String part, Matcher attribute) {
        String key = KEYS.get(attribute.group(2).toLowerCase(Locale.ROOT));
        if (key == null || foreign(attribute.group(1))) {
            throw unknown(part);
        }
        return key;
    }

    /** Whether it is an attribute of the route, not of the job. */
    private boolean foreign(String scope) {
        return "MY".equalsIgnoreCase(scope) && !transform;
    }

    private static IllegalArgumentException unknown(String part) {
        return new IllegalArgumentException("match has nothing for '" + Messages.line(part, 200) + "'");
    }

    private static String withoutParentheses(String expression) {
        String plain = expression.strip();
        while (plain.startsWith("(") && closing(plain) == plain.length() - 1) {
            plain = plain.substring(1, plain.length() - 1).strip();
        }
        return plain;
    }

    /** Where the parenthesis at the beginning is closed; -1 where it is not. */
    private static int closing(String plain) {
        int depth = 0;
        boolean quoted = false;
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && c == '(') {
                depth++;
            } else if (!quoted && c == ')' && --depth == 0) {
                return i;
            }
        }
        return -1;
    }

    /** At each double operator outside of parentheses and texts. */
    private static List<String> split(String plain, char operator) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int from = 0;
        boolean quoted = false;
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && c == '(') {
                depth++;
            } else if (!quoted && c == ')') {
                depth--;
            } else if (!quoted && depth == 0 && c == operator && plain.startsWith(c + "" + c, i)) {
                parts.add(plain.substring(from, i));
                i++;
                from = i + 1;
            }
        }
        parts.add(plain.substring(from));
        return parts;
    }
}
