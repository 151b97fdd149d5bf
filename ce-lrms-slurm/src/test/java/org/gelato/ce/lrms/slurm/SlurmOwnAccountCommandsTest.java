package org.gelato.ce.lrms.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gelato.ce.core.account.AccountCommands;
import org.gelato.ce.core.account.ScriptedAccounts;
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
        ScriptedAccounts accounts = SlurmScript.accounts((call, mark) -> ScriptedAccounts.done(0, "", ""));
        SlurmLrms lrms = new SlurmLrms(SlurmConfig.DEFAULT, accounts, Runnable::run);
        lrms.poll().join();
        lrms.health().join();
        lrms.status().join();
        lrms.findByTag(List.of("cream_000000001", "cream_000000002")).join();
        List<Pattern> lines = SlurmOwnAccountCommands.lines(SlurmConfig.DEFAULT).stream()
                .map(SlurmOwnAccountCommandsTest::pattern)
                .toList();
        assertThat(accounts.calls).hasSize(5).allSatisfy(call -> {
            assertThat(call.account()).isEqualTo(AccountCommands.SELF);
            assertThat(lines)
                    .anyMatch(line ->
                            line.matcher(String.join("\0", call.run().argv())).matches());
            assertThat(call.run().environment().entrySet())
                    .extracting(e -> e.getKey() + "=" + e.getValue())
                    .isSubsetOf(SlurmOwnAccountCommands.environment(SlurmConfig.DEFAULT));
        });
    }
}
