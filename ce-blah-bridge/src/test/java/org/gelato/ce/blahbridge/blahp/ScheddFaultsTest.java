package org.gelato.ce.blahbridge.blahp;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.lrms.SubmitResult;
import org.gelato.ce.core.lrms.SubmitResult.Refused;
import org.gelato.ce.core.lrms.SubmitResult.Unavailable;
import org.gelato.ce.core.lrms.SubmitResult.Unclear;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A schedd that is away, and submissions that blahpd's scripts lost: neither is a refusal of the job. */
class ScheddFaultsTest {
    private static SubmitResult printed(String stderr) {
        return BlahpResponse.submitted(
                List.of("1", "submission command failed (exit code = 1) (stdout:) (stderr:" + stderr + "-)", "N/A"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERROR: Can't find address of local schedd",
                "ERROR: Failed to connect to queue manager ce1.example.org",
                "ERROR: Can't connect to queue manager",
                "SECMAN:2007:Failed to end classad message.",
            })
    void aScheddThatIsNotReachedIsTriedUntilItIs(String words) {
        assertThat(printed(words)).isInstanceOf(Unavailable.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERROR: Failed to commit job submission into the queue.",
                "ERROR: Failed to commit job submission into the queue.-;",
                "sbatch: error: Batch job submission failed: Unspecified error",
                "-Batch job submission failed: Unspecified error",
            })
    void aJobThatMayHaveArrivedIsLookedUp(String words) {
        assertThat(printed(words)).isInstanceOf(Unclear.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "true|ERROR: Failed to commit job submission into the queue.-; ERROR: connection refused by the site's rule",
                "false|Error: job id missing",
                "false|Error: job not found in logs",
                "false|Error: can't talk with logparser on ce1.example.org",
            })
    void aJobThatWasTakenOrRefusedInASitesWordsIsNotLookedUp(boolean again, String words) {
        assertThat(printed(words))
                .isInstanceOfSatisfying(
                        Refused.class, r -> assertThat(r.again()).isEqualTo(again));
    }

    /** The ping knows the schedd of this host alone, which may not exist. */
    @Test
    void jobsOfAnotherScheddDoNotDependOnThePingOfThisHosts(@TempDir Path base) throws Exception {
        assertThat(isUp(base, "")).isFalse();
        assertThat(isUp(base, "schedd2")).isTrue();
    }

    private boolean isUp(Path base, String schedd) throws Exception {
        try (InputStream replay = getClass().getResourceAsStream("/blahp/blahpd.pl")) {
            Files.write(base.resolve("blahpd.pl"), replay.readAllBytes());
        }
        Files.writeString(base.resolve("answers"), "BLAH_PING *\t1 condor_q:\\ cannot\\ connect\n");
        AccountCommands unused = (AccountCommands) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {AccountCommands.class}, (proxy, method, args) -> {
                    throw new IOException(method.getName());
                });
        BlahpConfig config = new BlahpConfig(
                List.of(
                        "/usr/bin/perl",
                        base.resolve("blahpd.pl").toString(),
                        base.resolve("answers").toString(),
                        base.resolve("journal").toString()),
                "condor",
                schedd,
                false,
                "dteam001",
                8,
                base.resolve("log/accounting"),
                Duration.ofMinutes(1));
        try (BlahpLrms lrms = BlahpLrms.open(config, unused, Runnable::run, Clock.systemUTC())) {
            return lrms.health().get(5, MINUTES).up();
        }
    }
}
