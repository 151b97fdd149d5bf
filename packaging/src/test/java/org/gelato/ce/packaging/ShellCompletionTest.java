package org.gelato.ce.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Completion in the shells themselves; those of zsh and fish where they are installed. */
class ShellCompletionTest {
    private static final CommandLine CE = Main.completed(Main.users(), org.gelato.ce.ws.boot.Main.commandLine());
    private static final String JOB = "https://ce.example.org:8443/CREAM000000001";
    private static final String LAST = "https://ce.example.org:8443/CREAM000000002";
    /** One that is too old to be offered. */
    private static final String OLD = "https://ce.example.org:8443/CREAM000000009";

    @TempDir
    Path home;

    @BeforeEach
    void jobs() throws IOException {
        Files.createDirectories(home.resolve(".cache/gelato"));
        String others = IntStream.range(100, 148)
                .mapToObj(i -> "https://ce.example.org:8443/CREAM000000" + i + "\n")
                .collect(Collectors.joining());
        Files.writeString(
                home.resolve(".cache/gelato/jobs"),
                OLD + "\n" + others + "# note\n" + JOB + "\n" + LAST + "\n$(touch " + home + "/evil)\n");
    }

    private String run(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).directory(home.toFile());
        builder.environment().put("HOME", home.toString());
        builder.environment().remove("XDG_CACHE_HOME");
        Process process = builder.start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        assertThat(home.resolve("evil")).doesNotExist();
        return text;
    }

    private static boolean isThere(String shell) {
        return Files.isExecutable(Path.of("/usr/bin", shell)) || Files.isExecutable(Path.of("/bin", shell));
    }

    /** What bash offers at the end of a line. */
    private List<String> bash(String line) throws Exception {
        Path script = Files.writeString(home.resolve("ce.bash"), ShellCompletion.bash(CE));
        String words = line.endsWith(" ") ? line + "''" : line;
        String text = run(
                "bash",
                "--norc",
                "-c",
                "source " + script + "; COMP_LINE=$1; COMP_POINT=${#1}; eval \"COMP_WORDS=(" + words
                        + ")\"; COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); COMP_WORDBREAKS=$2; COMPREPLY=(); _ce_with_jobs ce"
                        + " \"${COMP_WORDS[COMP_CWORD]}\" ''; printf '%s\\n' \"${COMPREPLY[@]}\"",
                "bash",
                line,
                " \t:");
        return new ArrayList<>(text.lines().toList());
    }

    @Test
    void bashOffersCommandsOptionsAndTheLastJobs() throws Exception {
        assertThat(bash("ce sta")).contains("status");
        assertThat(bash("ce status --js")).contains("--json");
        assertThat(bash("ce status ")).hasSize(50).contains(JOB, LAST).doesNotContain(OLD);
        assertThat(bash("ce cancel htt")).contains(JOB);
        // A colon divides words: what stands behind the last one is replaced.
        assertThat(bash("ce cancel https://ce.example.org:8443/CREAM000000001")).containsExactly("8443/CREAM000000001");
        assertThat(bash("ce submit ")).doesNotContain(JOB);
    }

    @Test
    void theCommandsThatTakeJobsAreFound() {
        assertThat(ShellCompletion.ofJobs(CE))
                .contains(
                        "status",
                        "info",
                        "history",
                        "output",
                        "cancel",
                        "purge",
                        "suspend",
                        "resume",
                        "follow",
                        "messages")
                .doesNotContain("submit", "run", "list", "server");
    }

    @Test
    void zshReadsItsScript() throws Exception {
        String zsh = ShellCompletion.zsh(CE);
        assertThat(zsh)
                .startsWith("#compdef ce\n")
                .contains("'status:Shows the state of jobs", "_ce_lease_set()", "_ce_server_run()");
        assumeTrue(isThere("zsh"), "zsh is not installed");
        Path script = Files.writeString(home.resolve("_ce"), zsh.replaceFirst("_ce \"\\$@\"\n$", ""));
        assertThat(run(
                        "zsh",
                        "-f",
                        "-c",
                        "compadd() { shift; print -rl -- ${(P)1}; }; source " + script + " && __ce_ids"))
                .endsWith(JOB + "\n" + LAST + "\n")
                .doesNotContain(OLD);
    }

    @Test
    void fishOffersCommandsOptionsAndTheLastJobs() throws Exception {
        String fish = ShellCompletion.fish(CE);
        assertThat(fish).contains("complete -c ce -f -n '__fish_use_subcommand' -a status -d 'Shows the state of jobs");
        assumeTrue(isThere("fish"), "fish is not installed");
        Path script = Files.writeString(home.resolve("ce.fish"), fish);
        assertThat(run("fish", "--no-config", "-c", "source " + script + "; complete -C 'ce sta'"))
                .contains("status\t");
        assertThat(run("fish", "--no-config", "-c", "source " + script + "; complete -C 'ce status '"))
                .contains(JOB, LAST)
                .doesNotContain("touch", OLD);
        assertThat(run("fish", "--no-config", "-c", "source " + script + "; complete -C 'ce status --js'"))
                .contains("--json");
        assertThat(run("fish", "--no-config", "-c", "source " + script + "; complete -C 'ce lease '"))
                .contains("attach\t");
    }
}
