package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.gelato.ce.core.wrapper.peer.Bash;
import org.gelato.ce.description.JobRequest;

/** The job finds its environment byte for byte, whatever names and values it chose. */
class WrapperEnvironmentTest {
    private static Map<String, String> seenByTheJob(Map<String, String> environment) throws IOException {
        WrapperRun job = new WrapperRun(Files.createTempDirectory("wrapper"));
        JobRequest plain = WrapperRun.jdl("Executable = \"/usr/bin/env\"; Arguments = \"-0\"; StdOutput = \"out\";");
        WrapperRun.Ended ended = job.run(plain.with(new JobRequest.Streams(null, "out", null), environment));
        assertThat(ended.stderr()).isEmpty();
        assertThat(ended.stdout()).isEqualTo("job exit status = 0\njw exit status = 0\n");
        Map<String, String> seen = new HashMap<>();
        Path out = job.sandbox.resolve("OSB/out");
        for (String variable : Bash.split(Files.readAllBytes(out))) {
            seen.put(variable.substring(0, variable.indexOf('=')), variable.substring(variable.indexOf('=') + 1));
        }
        // The directory of gelato-message comes before what the job chose.
        seen.computeIfPresent("PATH", (name, path) -> path.replaceFirst("^/[^:]*/bin:", ""));
        Bash.remove(job.root);
        return seen;
    }

    @Property(tries = 60)
    void anyValue(@ForAll("environments") Map<String, String> environment) throws IOException {
        assertThat(seenByTheJob(environment)).containsAllEntriesOf(environment);
    }

    @Example
    void namesThatBashKeepsForItself() throws IOException {
        Map<String, String> environment = new LinkedHashMap<>();
        for (String name :
                ("UID EUID PPID SHELLOPTS BASHOPTS SHLVL RANDOM SRANDOM SECONDS LINENO EPOCHREALTIME GROUPS DIRSTACK"
                                + " FUNCNAME FUNCNEST IFS OPTIND POSIXLY_CORRECT PIPESTATUS BASH_VERSINFO BASHPID HISTCMD _ COLUMNS"
                                + " BASH_ENV ENV PATH HOME PWD OLDPWD HOSTNAME LANG LC_ALL TMPDIR BASH_COMPAT BASH_XTRACEFD")
                        .split(" ")) {
            environment.put(name, "x 1");
        }
        assertThat(seenByTheJob(environment)).containsAllEntriesOf(environment);
    }

    @Provide
    Arbitrary<Map<String, String>> environments() {
        Arbitrary<String> names = Arbitraries.strings()
                .withCharRange('A', 'F')
                .withChars('_')
                .ofMinLength(1)
                .ofMaxLength(3)
                .map(name -> "V" + name);
        Arbitrary<String> any = Arbitraries.strings()
                .ofMaxLength(40)
                .filter(text -> text.indexOf('\0') < 0
                        && StandardCharsets.UTF_8.newEncoder().canEncode(text));
        Arbitrary<String> shell = Arbitraries.of(
                        "'", "\"", "\\", "$", "`", "$(exit 9)", "\n", "!", "*", "~", " ", "a", ";")
                .list()
                .ofMaxSize(12)
                .map(parts -> String.join("", parts));
        return Arbitraries.maps(names, Arbitraries.oneOf(any, shell)).ofMaxSize(12);
    }
}
