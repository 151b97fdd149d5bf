package org.gelato.ce.cli.description;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.wire.Language;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.xrsl.Xrsl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files a client brings, in the two languages that are sent as they are. */
class SessionDescriptionsTest {
    private static List<LocalItem> of(String text) {
        return SessionDescriptions.localInput("job", Language.of(text), text);
    }

    @Test
    void xrslLeavesWhatHasNoUrl() {
        assertThat(of("""
                 (* inputfiles=("in a comment" "") *)
                &(executable="run.sh")(arguments="(inputfiles=(no ""))")
                 (Input_Files = ("run.sh" "") (plain here/plain.txt) ('a "b"' 'file:///data/a') (^!it!!s! "x"))
                 (inputfiles=("far" "https://h/far")("near" "FILE:/near")(alone))(stdin=run.sh)
                """))
                .containsExactly(
                        new LocalItem("run.sh", "run.sh"),
                        new LocalItem("plain", "here/plain.txt"),
                        new LocalItem("a \"b\"", "file:///data/a"),
                        new LocalItem("it!s", "x"),
                        new LocalItem("near", "FILE:/near"),
                        new LocalItem("alone", "alone"));
        assertThat(of("&(executable=/bin/true)")).isEmpty();
    }

    /** A CE counts seconds in them, a user's file minutes. */
    @Test
    void timesOfXrslThatAreNumbersAloneGetTheirUnit() throws Exception {
        String text = """
                \uFEFF&(rsl_substitution=(T 9#0))(executable=/bin/a)(arguments="(walltime=5)")
                 (* (walltime=1) *) (Wall_Time = "60" (* minutes *)
                 )(cputime>=$(T))(lifetime= ' 2 ')(gridtime=60)
                """;
        String sent = SessionDescriptions.toSend("job", Language.XRSL, text);
        assertThat(sent).isEqualTo("""
                \uFEFF&(rsl_substitution=(T 9#0))(executable=/bin/a)(arguments="(walltime=5)")
                 (* (walltime=1) *) (Wall_Time = "60 minutes" (* minutes *)
                 )(cputime>="90 minutes")(lifetime= "2 days")(gridtime=60)
                """);
        JobRequest job = Xrsl.LANGUAGE.read(sent, ReadingBudget.UNBOUNDED);
        assertThat(job.resources().limits().wallTime()).isEqualTo(Duration.ofHours(1));
        assertThat(job.resources().limits().cpuTime()).isEqualTo(Duration.ofMinutes(90));
        assertThat(job.session().lifetime()).isEqualTo(Duration.ofDays(2));
        for (String same :
                List.of("(walltime=\"1 hour\")", "(walltime=PT1H)", "(walltime=1 2)", "(walltime=())", "(walltime=)")) {
            String whole = "&(executable=a)" + same;
            assertThat(SessionDescriptions.toSend("job", Language.XRSL, whole)).isEqualTo(whole);
        }
        assertThatThrownBy(() -> SessionDescriptions.toSend("job", Language.XRSL, "&(walltime=60"))
                .isInstanceOf(CliException.class)
                .hasMessageStartingWith("job: ");
    }

    @Test
    void adlLeavesWhatHasNoUrl() {
        assertThat(of("""
                \uFEFF
                <?xml version="1.0"?>
                <a:ActivityDescription xmlns:a="http://www.eu-emi.eu/es/2010/12/adl">
                  <a:Application><a:Name>no</a:Name></a:Application>
                  <a:DataStaging>
                    <a:InputFile><a:Name> in.txt </a:Name></a:InputFile>
                    <a:InputFile><a:Name>near</a:Name><a:Source><a:URI>file:///data/near</a:URI></a:Source></a:InputFile>
                    <a:InputFile><a:Name>far</a:Name><a:Source><a:URI>https://h/far</a:URI></a:Source></a:InputFile>
                    <a:InputFile/>
                    <a:OutputFile><a:Name>out</a:Name></a:OutputFile>
                  </a:DataStaging>
                </a:ActivityDescription>
                """))
                .containsExactly(new LocalItem("in.txt", "in.txt"), new LocalItem("near", "file:///data/near"));
        assertThat(of("<ActivityDescriptions><ActivityDescription/></ActivityDescriptions>"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+(&(executable=/bin/true))(&(executable=/bin/true))",
                "<ActivityDescriptions><ActivityDescription/><ActivityDescription/></ActivityDescriptions>"
            })
    void severalJobsInOneTextAreRefused(String text) {
        assertThatThrownBy(() -> of(text))
                .isInstanceOf(CliException.class)
                .hasMessageStartingWith("job: several jobs in one ")
                .hasMessageEndingWith("write one description in each file");
    }

    @Test
    void variablesAndJoinedWordsOfXrslAreWorkedOut() {
        assertThat(
                        of(
                                "&(rsl_substitution=(DIR data))(executable=x)(inputfiles=($(DIR)/in \"\")(\"a\"#\"b\" $(DIR)/c))"))
                .containsExactly(new LocalItem("data/in", "data/in"), new LocalItem("ab", "data/c"));
    }

    @Test
    void whatCantBeWorkedOutIsRefusedWithItsPlace() {
        assertThatThrownBy(() -> of("&(inputfiles=")).hasMessageEndingWith("(line 1, column 14)");
        assertThatThrownBy(() -> of("&(executable=x)\n(inputfiles=($(NAME) \"\"))"))
                .hasMessageStartingWith("job: inputfiles: ")
                .hasMessageEndingWith("(line 2, column 16)");
        assertThatThrownBy(() -> of("&\n(stdout=\"x)"))
                .hasMessage("job: the quoted text that begins here has no end (line 2, column 9)");
        assertThatThrownBy(() -> of("&(*"))
                .hasMessage("job: the comment that begins here has no end (line 1, column 2)");
        assertThatThrownBy(() -> of("<ActivityDescription>\n<A></B></ActivityDescription>"))
                .hasMessageStartingWith("job: the job description is no XML")
                .hasMessageContaining("(line 2, column ");
    }

    @Test
    void theClientReadsNoFileOfThisMachineForADocument() {
        String text = "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><ActivityDescription><DataStaging>"
                + "<InputFile><Name>&x;</Name></InputFile></DataStaging></ActivityDescription>";
        try {
            assertThat(of(text)).noneMatch(item -> item.name().contains("root"));
        } catch (CliException e) {
            assertThat(e).hasMessageStartingWith("job: ").hasMessageNotContaining("root:");
        }
    }
}
