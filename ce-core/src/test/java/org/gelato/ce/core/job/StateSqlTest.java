package org.gelato.ce.core.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StateSqlTest {
    @Test
    void namesBecomeTheCodesOfTheDatabase() {
        assertThat(StateSql.of("j.state = {ABORTED} OR c.state = {command.ABORTED}"))
                .isEqualTo("j.state = 10 OR c.state = 5");
        assertThat(StateSql.of("{NOT_ENDED} {ACTIVE} {ENDED} {PURGEABLE} {IN_LRMS} {WAITING} {DONE}"))
                .isEqualTo("(0, 1, 2, 3, 4, 6) (1, 2, 3, 4, 6) (5, 7, 8, 10) (0, 5, 7, 8, 10) (2, 3, 4, 6)"
                        + " (1, 2, 6) (7, 8)");
        assertThat(StateSql.of("{command.OPEN} {command.WAITING}")).isEqualTo("(0, 1, 2) (0, 1)");
    }

    @Test
    void aNameThatIsNoneIsRefused() {
        assertThatThrownBy(() -> StateSql.of("state = {QUEUED}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("QUEUED");
    }
}
