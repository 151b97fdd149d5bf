package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.ScriptedAccounts;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.lrms.Lrms.Lookup;
import org.gelato.ce.core.lrms.Submissions;
import org.junit.jupiter.api.Test;

class SlurmOwnAccountCommandsTest {
    private static Pattern pattern(String line) {
        return Pattern.compile(Arrays.stream(line.split(" ", -1))
                .map(word -> word.endsWith("*")
                        ? Pattern.quote(word.substring(0, word.length() - 1)) + "[^\\x00]*"
                        : Pattern.quote(word))
                .collect(Collectors.joining("\\x00")));
    }

    @Test
    void theLinesAndVariablesForTheHelperAreWhatIsSent() {
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> ScriptedAccounts.done(
                0,
                !call.line().contains("squeue") || call.line().contains("--name=")
                        ? ""
                        : """
                        1|M|dteam001|RUNNING|0|0:01|1|wn0|N/A||None|cream_000000003
                        2|M|dteam001|SUSPENDED|0|0:01|1|wn0|N/A||None|cream_000000004
                        """.replace("M", mark.isEmpty() ? "M" : mark),
                ""));
        SlurmConfig config = Records.with(SlurmConfig.DEFAULT, "suspendRunning", true);
        SlurmLrms lrms = new SlurmLrms(config, accounts, Runnable::run);
        lrms.poll().join();
        lrms.health().join();
        lrms.status().join();
        lrms.find(Submissions.sought("dteam001", "cream_000000001", "cream_000000002"))
                .join();
        lrms.find(List.of(new Lookup("cream_000000001", "dteam001", "7"))).join();
        lrms.hold("dteam001", List.of("1")).join();
        lrms.resume("dteam001", List.of("2")).join();
        List<Pattern> lines = SlurmOwnAccountCommands.lines(config).stream()
                .map(SlurmOwnAccountCommandsTest::pattern)
                .toList();
        assertThat(accounts.calls).hasSize(13).allSatisfy(call -> {
            assertThat(call.account()).isEqualTo(AccountCommands.SELF);
            assertThat(lines)
                    .anyMatch(line ->
                            line.matcher(String.join("\0", call.run().argv())).matches());
            assertThat(call.run().environment().entrySet())
                    .extracting(e -> e.getKey() + "=" + e.getValue())
                    .isSubsetOf(SlurmOwnAccountCommands.environment(config));
        });
    }

    @Test
    void withoutLeaveOfTheSiteNothingThatChangesAJobIsAmongThem() {
        assertThat(SlurmOwnAccountCommands.lines(SlurmConfig.DEFAULT))
                .noneMatch(line -> line.contains("suspend") || line.contains("resume"));
    }
}
