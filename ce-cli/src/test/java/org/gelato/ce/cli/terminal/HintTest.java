package org.gelato.ce.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HintTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "delegation [delegId=mydel; dn=CN=a; localUser=b] already exists! please invoke renewDelegationReq()"
                        + "| use: ce renew mydel",
                "delegation [delegId=x; dn=CN=a; localUser=b] not found!| delegate first: ce delegate x",
                "the delegation [id=d1] is not more valid!; delegation proxy expired!| make a new proxy, for example with voms-proxy-init",
                "CN=a not authorized: the user is banned on this CE| only the site's administrators can lift a ban",
                "no new jobs are accepted now: drained| ce service-info shows the state; submit later, or to another CE",
                "QueueName: queue longg does not exist here; slurm has long| ce service-info lists the queues",
                "ce:1: Connection refused| is the CE's name right, and its port? Without a port it is 8443",
            })
    void aRefusalIsFollowedByWhatToDo(String message, String hint) {
        assertThat(Hint.of(message)).hasValue(hint);
    }

    @Test
    void otherTextsHaveNoHintAndLongOnesCostLittle() {
        assertThat(Hint.of("something else")).isEmpty();
        assertThat(Hint.of(null)).isEmpty();
        assertThat(Hint.of("delegId=".repeat(200_000))).isEmpty();
    }

    @Test
    void theNearestWordDiffersInFewLetters() {
        List<String> known = List.of("Executable", "Environment", "Epilogue");
        assertThat(Nearest.of("Exeuctable", known)).hasValue("Executable");
        assertThat(Nearest.of("enviroment", known)).hasValue("Environment");
        assertThat(Nearest.of("Rank", known)).isEmpty();
        assertThat(Nearest.of("x".repeat(1000), known)).isEmpty();
    }
}
