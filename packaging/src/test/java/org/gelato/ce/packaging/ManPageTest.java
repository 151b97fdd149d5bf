package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The pages made from picocli's model. */
class ManPageTest {
    @Command(name = "do", description = "Does -x. More.", footer = ".dot at the begin")
    private static final class Do {
        @Option(names = "--file", paramLabel = "F", description = "A back\\slash of 100%%.")
        @SuppressWarnings("unused")
        private String file;
    }

    @Test
    void whatRoffWouldTakeForItsOwnIsEscaped() {
        assertThat(ManPage.of(new CommandLine(new Do()), 1, "1.2"))
                .contains("do \\- Does \\-x\n")
                .contains(".TP\n\\fB\\-\\-file\\fR \\fIF\\fR\nA back\\eslash of 100%.\n")
                .contains("\n\\&.dot at the begin\n");
    }

    @Command(name = "list", description = "Lists.", footer = "Type:%n  one |%n  two")
    private static final class Example {}

    /** Roff would fill a paragraph with a command of several lines, and warns of words that are longer than a line. */
    @Test
    void indentedRowsOfNotesStayAsTheyAre() {
        assertThat(ManPage.of(new CommandLine(new Example()), 1, "1.2"))
                .contains(".SH NOTES\n.nf\nType:\n  one |\n  two\n.fi\n");
        assertThat(ManPage.of(new CommandLine(new Do()), 1, "1.2")).doesNotContain(".nf");
    }

    @Test
    void everyCommandHasAPage() {
        Map<String, CommandLine> users = Main.pages(Main.users());
        assertThat(users).containsKeys("ce", "ce-submit", "ce-status", "ce-lease", "ce-lease-set");
        Map<String, CommandLine> server = Main.pages(org.gelato.ce.ws.boot.Main.commandLine());
        assertThat(server).containsKeys("ce-server", "ce-server-run", "ce-server-check");
        users.forEach((name, command) -> assertThat(ManPage.of(command, 1, "1"))
                .as(name)
                .contains(".SH NAME\n", ".SH SYNOPSIS\n", "\\-\\-help")
                .doesNotContain("${", "@|", "%n"));
    }
}
