package org.gelato.ce.testkit.accounting;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads lines of the BLAH log as APEL's parser does: a line that it cannot take is lost (docs/developer/protocol/accounting.md section 3). */
public final class BlahLogReader {
    private static final Pattern LINE = Pattern.compile("\"[A-Za-z]+=[^\"]*\"( \"[A-Za-z]+=[^\"]*\")*");
    private static final Pattern FIELD = Pattern.compile("\"([A-Za-z]+)=([^\"]*)\"");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    private BlahLogReader() {}

    /** The fields of a line, the first of each name; empty for a line that is lost. */
    public static Optional<Map<String, String>> read(String line) {
        if (!LINE.matcher(line).matches()) {
            return Optional.empty();
        }
        Map<String, String> fields = new LinkedHashMap<>();
        Matcher m = FIELD.matcher(line);
        while (m.find()) {
            fields.putIfAbsent(m.group(1), m.group(2));
        }
        for (String must : new String[] {"timestamp", "userDN", "userFQAN", "ceID", "lrmsID"}) {
            if (!fields.containsKey(must)) {
                return Optional.empty();
            }
        }
        try {
            LocalDateTime.parse(fields.get("timestamp"), TIME);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
        return Optional.of(fields);
    }
}
