package org.gelato.ce.ws.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.json.FaultCode;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One classification of what the database refuses, for all protocols. */
class BusyDatabaseTest {
    @ParameterizedTest
    @CsvSource({
        "HY000, 1290, true", // read only
        "25006, 1792, true",
        "HY000, 1836, true",
        "HY000, 1021, true", // no room
        "HY000, 1114, true",
        "HY000, 1205, true", // rows of others
        "40001, 1213, true",
        "40000, 3101, true", // another member of a group changed them
        "70100, 1317, true", // ended by an administrator
        "08004, 1040, true", // too many connections
        "08S01, 0, true", // away
        "22001, 1406, false", // what was to be written
        "42S02, 1146, false",
        "23000, 1062, false"
    })
    void whatPassesIsTriedAgainAndAllElseIsAnError(String state, int code, boolean busy) {
        RuntimeException e =
                new UnableToExecuteStatementException("[arguments]", new SQLException("no", state, code), null);
        FaultCode fault = busy ? FaultCode.UNAVAILABLE : FaultCode.INTERNAL;
        assertThat(HttpFaults.code(e)).isEqualTo(fault);
        assertThat(HttpFaults.code(ServiceException.internal("it failed", e))).isEqualTo(fault);
    }
}
