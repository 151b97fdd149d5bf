package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.AutoComplete;

class CompletionTest {
    /** Users and server have options of one name, --json among them. */
    @Test
    void theCommandsOfUsersAndOfTheServerAreCompletedTogether() {
        String bash = AutoComplete.bash("ce", Main.completed(Main.users(), org.gelato.ce.ws.boot.Main.commandLine()));
        assertThat(bash).contains("submit", "jobs", "glue2", "server", "--config", "--endpoint", "--json");
    }
}
