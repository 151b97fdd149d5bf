package org.gelato.ce.core.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseInspectionTest {
    @ParameterizedTest
    @CsvSource({
        "10.6.0-MariaDB, true",
        "10.5.23-MariaDB-log, false",
        "5.5.5-10.11.19-MariaDB, true",
        "11.4.5-MariaDB, true",
        "8.0.36, true",
        "9.7.4, true",
        "5.7.44-log, false",
        "unknown, false"
    })
    void knowsVersions(String version, boolean supported) {
        assertThat(DatabaseInspection.isSupported(version)).isEqualTo(supported);
    }

    @Test
    void allRightsOnTheSchemaSuffice() {
        assertThat(missing("GRANT USAGE ON *.* TO `g`@`%`", "GRANT ALL PRIVILEGES ON `ce`.* TO `g`@`%`"))
                .isEmpty();
        assertThat(missing("GRANT ALL PRIVILEGES ON *.* TO `g`@`%` WITH GRANT OPTION"))
                .isEmpty();
        assertThat(missing("GRANT ALL PRIVILEGES ON `c_`.* TO `g`@`%`")).isEmpty();
    }

    @Test
    void namesTheRightsThatNoGrantGives() {
        assertThat(missing("GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, REFERENCES, CREATE VIEW"
                        + " ON `ce`.* TO `g`@`%`"))
                .containsExactly("INDEX", "LOCK TABLES");
        assertThat(missing("GRANT ALL PRIVILEGES ON `c\\_`.* TO `g`@`%`")).hasSize(11);
    }

    @Test
    void aRoleMayBringMore() {
        assertThat(missing("GRANT `admins` TO `g`@`%`", "GRANT USAGE ON *.* TO `g`@`%`"))
                .isEmpty();
    }

    private static List<String> missing(String... grants) {
        return DatabaseInspection.missing(List.of(grants), "ce");
    }
}
