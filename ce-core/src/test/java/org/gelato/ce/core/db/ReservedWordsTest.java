package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Most tests run on MariaDB, which lets statements name things by words that MySQL 8 and 9 reserve. */
class ReservedWordsTest {
    private static final Pattern RESERVED_NAME =
            Pattern.compile("\\bAS (?:cube|cume_dist|dense_rank|empty|except|first_value"
                    + "|function|generated|get|grouping|groups|intersect|json_table|lag|last_value|lateral|lead|manual|nth_value|ntile|of"
                    + "|optimizer_costs|parallel|percent_rank|qualify|rank|recursive|row|row_number|rows|stored|system|tablesample|virtual"
                    + "|window)\\b");

    @Test
    void noStatementNamesAnythingByAWordThatMySqlReserves() throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            sources = files.filter(f -> f.toString().endsWith(".java")).toList();
        }
        assertThat(sources).hasSizeGreaterThan(200);
        for (Path source : sources) {
            assertThat(RESERVED_NAME.matcher(Files.readString(source)).results().map(r -> r.group()))
                    .as("%s", source)
                    .isEmpty();
        }
    }
}
