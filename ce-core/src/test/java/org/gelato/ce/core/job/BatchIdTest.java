package org.gelato.ce.core.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchIdTest {
    @ParameterizedTest
    @CsvSource({
        "4711, 4711",
        "17.torque.example.org, 17.torque.example.org",
        "83.4#0123456789ab, 83.4#0123456789ab",
        "lsf/20260331/17, 17",
        "condor/17//, 17",
        "condor/17/schedd.example.org/pool:9618, 17",
    })
    void theBatchSystemsOwnPartOfAnId(String id, String own) {
        assertThat(BatchId.own(id)).isEqualTo(own);
    }
}
