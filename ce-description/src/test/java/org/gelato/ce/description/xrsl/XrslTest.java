package org.gelato.ce.description.xrsl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.DescriptionsPage;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.Languages;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.RemoteFile;
import org.gelato.ce.description.RuntimeEnvironments;
import org.gelato.ce.description.adl.Adl;
import org.gelato.ce.description.jdl.Jdl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XrslTest {
    /** As DIRAC makes it, with what sites add. */
    static final String DIRAC = """
            &(executable="job.sh") (* a comment with ) and " *)
            (inputFiles=(job.sh "/opt/dirac/job.sh")("data" "https://h/x/y7"))
            (stdout="out.txt")(stderr = 'err.txt')
            (environment=("A" "x y")("B" "it's"))
            (outputFiles=("res.root" "")("log.txt" "https://h/log"))
            (queue=long)(count=8)(countpernode=4)(executables=data)
            (delegationid=abc)(cpuTime="1 hour 30 minutes")(walltime=60)(memory=2000)
            (runtimeenvironment="ENV/PROXY")(runTimeEnvironment="APPS/X-1" opt)
            (rsl_substitution=("DIR" "/data"))(arguments=-d $(DIR)/in "a ""b""\" 'c''d' ^%e"f^g%%h% x # y)
            (lifetime="7200")(rerun=3)(gmlog=log)(job_name=pilot)(disk>=100)
            (priority=60)(starttime="2026-12-01 10:00:00")(dryrun=yes)
            """;

    static JobRequest read(String text) throws DescriptionException {
        return Xrsl.LANGUAGE.read(text, ReadingBudget.UNBOUNDED);
    }

    @Test
    void readsTheWholeSubset() throws Exception {
        JobRequest job = read(DIRAC.replace("^%e\"f^g%%h%", "^%e\"f^g%%h%"));
        assertThat(job.executable().file()).isEqualTo("job.sh");
        assertThat(job.executable().arguments()).isEqualTo("'-d' '/data/in' 'a \"b\"' 'c'\\''d' 'e\"f^g%h' 'xy'");
        assertThat(job.streams()).isEqualTo(new JobRequest.Streams(null, "out.txt", "err.txt"));
        assertThat(job.files().uploads()).containsExactly("job.sh");
        assertThat(job.files().input()).extracting(JobRequest.InputFile::name).containsExactly("job.sh", "data");
        assertThat(job.files().input())
                .extracting(JobRequest.InputFile::program)
                .containsExactly(false, true);
        assertThat(job.files().output())
                .extracting(JobRequest.OutputFile::path)
                .containsExactly("res.root", "log.txt", "out.txt", "err.txt");
        assertThat(job.files().output())
                .extracting(JobRequest.OutputFile::destination)
                .containsExactly(null, RemoteFile.of("https://h/log"), null, null);
        assertThat(job.environment()).containsEntry("A", "x y").containsEntry("B", "it's");
        assertThat(job.resources().queue()).isEqualTo("long");
        assertThat(job.resources().nodes().cpus()).isEqualTo(8);
        assertThat(job.resources().limits())
                .isEqualTo(new JobRequest.Limits(Duration.ofMinutes(1), Duration.ofMinutes(90), 2000L << 20));
        assertThat(job.session())
                .isEqualTo(new JobRequest.Session(
                        "pilot",
                        "log",
                        "abc",
                        Duration.ofHours(2),
                        3,
                        List.of(
                                new JobRequest.RuntimeEnvironment("ENV/PROXY", List.of(), false),
                                new JobRequest.RuntimeEnvironment("APPS/X-1", List.of("opt"), false)),
                        Instant.parse("2026-12-01T10:00:00Z"),
                        true));
        assertThat(job.resources().priority()).isEqualTo(60);
        assertThat(job.warnings())
                .containsExactly(
                        "walltime: 60 counts seconds, as at A-REX, and minutes in a file that ce submit sends: write the unit behind it",
                        "lifetime: 7200 counts seconds, as at A-REX, and days in a file that ce submit sends: write the unit behind it",
                        "rerun: a job that failed is not run again here: submit it again",
                        "disk: accepted, but nothing follows from it",
                        "starttime: the job does not start before 2026-12-01T10:00:00Z");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            &(executable=/bin/sleep)(arguments=500)(jobname=curl1)(queue=long) | /bin/sleep
            (executable=/bin/true)                                             | /bin/true
            &(&(executable=/bin/true)(count=2))                                | /bin/true
            &(EXECUTABLE=$HOME_x)                                              | -
            & ( Exe_cutable = "/bin/a b" )                                     | /bin/a b
            """)
    void readsForms(String text, String executable) throws Exception {
        if (executable.equals("-")) {
            assertThatThrownBy(() -> read(text)).hasMessageContaining("expected '(' after '$'");
        } else {
            assertThat(read(text).executable().file()).isEqualTo(executable);
        }
    }

    /** As aCT writes them for ATLAS. */
    @Test
    void optionsOfUrlsAreLeftOutWithAWarning() throws Exception {
        JobRequest job = read(
                "&(executable=/bin/a)(inputfiles=(p \"https://h/p\" \"cache=check\" \"threads=2\")"
                        + "(q \"https://h:1;cache=check/q\"))(outputfiles=(o \"https://h/o\" \"checksum=adler32\")(l \"\" \"a=b\"))");
        assertThat(job.files().input())
                .extracting(JobRequest.InputFile::item)
                .containsExactly("https://h/p", "https://h:1/q");
        assertThat(job.files().output())
                .extracting(JobRequest.OutputFile::destination)
                .containsExactly(RemoteFile.of("https://h/o"), null);
        assertThat(job.warnings())
                .containsExactly(
                        "inputfiles: the option cache=check of a URL is left out",
                        "inputfiles: the option threads=2 of a URL is left out",
                        "inputfiles: the option cache=check of a URL is left out",
                        "outputfiles: the option checksum=adler32 of a URL is left out",
                        "outputfiles: the option a=b of a URL is left out");
    }

    @Test
    void joinSendsErrorsToTheOutput() throws Exception {
        assertThat(read("&(executable=/bin/a)(join=yes)(stdout=o)").streams())
                .isEqualTo(new JobRequest.Streams(null, "o", "o"));
        assertThatThrownBy(() -> read("&(executable=/bin/a)(join=yes)(stdout=o)(stderr=e)"))
                .hasMessageStartingWith("join: standard error has a file of its own");
        assertThatThrownBy(() -> read("&(executable=/bin/a)(join=yes)"))
                .hasMessageStartingWith("join: standard output");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            (Foo=1)                          | Foo: unknown attribute (line 2, column 2)
            (count=x)                        | count: "x" is no whole number of at most 18 digits (line 2, column 2)
            (count=1)(COUNT=2)               | COUNT: given twice (line 2, column 11)
            (count>1)                        | count: only '=', '>=' and '<=' are accepted, there is nothing to choose from here (line 2, column 2)
            (count=(1))                      | count: one value is expected (line 2, column 2)
            (count=)                         | count: one value is expected (line 2, column 2)
            (walltime="1 year")              | walltime: "1 year" is no time; accepted are 90, "1 hour 30 minutes" and PT1H30M (line 2, column 2)
            (inputfiles=(a "" check))        | inputfiles: options such as "cache=check" are expected behind the URL (line 2, column 2)
            (environment=(A b c))            | environment: pairs such as ("name" "value") are expected (line 2, column 2)
            (outputfiles=("@l" "https://h/")) | outputfiles: a list of output has no target: each of its lines may have one (line 2, column 2)
            (outputfiles=("@../l" ""))       | outputfiles: ../l leads out of the session directory (line 2, column 2)
            (inputfiles=a)                   | inputfiles: pairs such as ("name" "value") are expected (line 2, column 2)
            (environment=(2A b))             | environment: 2A is no name for a variable (letters, digits and underscore, not beginning with a digit) (line 2, column 2)
            (queue=$(Q))                     | queue: the variable 'Q' is not set by rsl_substitution (line 2, column 10)
            (queue="x                        | the quoted text that begins here has no end (line 2, column 8)
            (* x                             | the comment that begins here has no end (line 2, column 1)
            (queue=x                         | unexpected the end, expected a value
            (dryrun=perhaps)                 | dryrun: perhaps is neither true nor false (line 2, column 2)
            (starttime=soon)                 | starttime: "soon" is no time; accepted are 20261201100000Z and 2026-12-01T10:00:00Z (line 2, column 2)
            (priority=-1)                    | priority: "-1" is no whole number of at most 18 digits (line 2, column 2)
            """)
    void refusesWithAttributeAndPlace(String more, String message) {
        assertThatThrownBy(() -> read("&(executable=/bin/true)\n" + more))
                .isInstanceOf(DescriptionException.class)
                .message()
                .contains(message);
    }

    @Test
    void dividesSeveral() throws Exception {
        List<String> pieces = Xrsl.LANGUAGE.split(
                " +(&(executable=/bin/a)(arguments=\")\"))\n(* ) *)(" + DIRAC + ")", ReadingBudget.UNBOUNDED);
        assertThat(pieces).hasSize(2);
        assertThat(read(pieces.get(0)).executable().arguments()).isEqualTo("')'");
        assertThat(read(pieces.get(1))).isEqualTo(read(DIRAC));
        assertThat(Xrsl.LANGUAGE.split(DIRAC, ReadingBudget.UNBOUNDED)).containsExactly(DIRAC);
        assertThatThrownBy(() -> read("+(&(executable=/bin/a))")).hasMessageContaining("several job descriptions");
        assertThatThrownBy(() -> Xrsl.LANGUAGE.split("+(&(a=b)", ReadingBudget.UNBOUNDED))
                .hasMessageContaining("a ')' is missing");
        assertThatThrownBy(() -> Xrsl.LANGUAGE.split("+", ReadingBudget.UNBOUNDED))
                .hasMessageContaining("no job description");
        assertThatThrownBy(() -> read("&(|(a=b)(a=c))"))
                .hasMessage("alternatives with '|' are for brokers, a CE gets one job (line 1, column 3)");
    }

    @Test
    void whatCostsIsCounted() {
        assertThatThrownBy(() -> read("&(executable=/bin/a)(arguments=" + "a ".repeat(30_000) + ")"))
                .hasMessageContaining("more than 20000 words");
        assertThatThrownBy(() -> read("&" + "(&".repeat(5_000))).hasMessageContaining("nested more than 10 deep");
        assertThatThrownBy(() -> read("&(a=" + "(".repeat(5_000))).hasMessageContaining("nested more than 10 deep");
        StringBuilder bomb = new StringBuilder("&(rsl_substitution=(v0 xxxxxxxxxx))");
        for (int i = 1; i < 40; i++) {
            bomb.append("(rsl_substitution=(v" + i + " $(v" + (i - 1) + ")#$(v" + (i - 1) + ")))");
        }
        assertThatThrownBy(() -> read(bomb.toString()))
                .hasMessageContaining("the values have more than " + ReadingBudget.mostOf(bomb.toString()));
        assertThatThrownBy(() -> read("&" + " ".repeat(1 << 20))).hasMessageContaining("larger than 1048576");
    }

    @Test
    void languagesAreDetectedByTheFirstCharacter() throws Exception {
        Languages all = new Languages(List.of(Jdl.LANGUAGE, Adl.LANGUAGE, Xrsl.LANGUAGE));
        assertThat(all.detect(" \n&(")).isSameAs(Xrsl.LANGUAGE);
        assertThat(all.detect("+(")).isSameAs(Xrsl.LANGUAGE);
        assertThat(all.detect("(")).isSameAs(Xrsl.LANGUAGE);
        assertThat(all.detect("\uFEFF<a/>")).isSameAs(Adl.LANGUAGE);
        assertThat(all.detect("[")).isSameAs(Jdl.LANGUAGE);
        assertThatThrownBy(() -> all.detect("garbage"))
                .hasMessage("a job description begins with one of & ( + < [, not with g");
        assertThatThrownBy(() -> all.detect(" ")).hasMessage("no job description is given");
    }

    @Test
    void runtimeEnvironmentsMustExist() throws Exception {
        JobRequest job = read("&(executable=/bin/a)(runtimeenvironment=env/proxy)(runtimeenvironment=APPS/X)");
        RuntimeEnvironments one =
                new RuntimeEnvironments(() -> List.of(new RuntimeEnvironments.Snippet("Apps/x", "a=b")));
        assertThat(one.check(job).session().runtimeEnvironments())
                .containsExactly(
                        new JobRequest.RuntimeEnvironment("ENV/PROXY", List.of(), false, null),
                        new JobRequest.RuntimeEnvironment("Apps/x", List.of(), false, "a=b"));
        assertThat(one.names()).containsExactly("ENV/PROXY", "Apps/x");
        assertThatThrownBy(() -> RuntimeEnvironments.NONE.check(job))
                .hasMessage("RuntimeEnvironment: APPS/X does not exist here; this CE has ENV/PROXY");
        JobRequest optional = Adl.LANGUAGE.read(
                "<ActivityDescription><Application><Executable><Path>/bin/a</Path></Executable></Application><Resources>"
                        + "<RuntimeEnvironment optional=\"true\"><Name>APPS/X</Name></RuntimeEnvironment></Resources>"
                        + "</ActivityDescription>",
                ReadingBudget.UNBOUNDED);
        JobRequest checked = RuntimeEnvironments.NONE.check(optional);
        assertThat(checked.session().runtimeEnvironments()).isEmpty();
        assertThat(checked.warnings()).singleElement().asString().contains("does not exist here");
        List<RuntimeEnvironments.Snippet> many = IntStream.range(0, 200)
                .mapToObj(i -> new RuntimeEnvironments.Snippet("APPS/" + "N".repeat(100) + i, ""))
                .toList();
        assertThatThrownBy(() -> new RuntimeEnvironments(() -> many).check(job))
                .hasMessageEndingWith("...")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
        assertThat(read("&(executable=/bin/a)" + "(runtimeenvironment=A)".repeat(16))
                        .session()
                        .runtimeEnvironments())
                .hasSize(16);
        assertThatThrownBy(() -> read("&(executable=/bin/a)" + "(runtimeenvironment=A)".repeat(17)))
                .hasMessageStartingWith("runtimeenvironment: more than 16 runtime environments for one job");
    }

    @Test
    void thePageShowsEveryAttribute() throws Exception {
        List<String> known = new ArrayList<>();
        Xrsl.READ.forEach(name -> known.add(name + " read"));
        Xrsl.IGNORED.forEach(name -> known.add(name + " warning"));
        assertThat(DescriptionsPage.rows("xRSL")).containsExactlyInAnyOrderElementsOf(known);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ("out*/" "")                          | pattern for directories
            ("*/h.root" "https://s.example/d/")   | files of several directories
            ("*.root" "https://s.example/f?DN=/CN=x/") | let it end with a slash
            """)
    void outputThatWouldBeLostIsRefused(String output, String reason) {
        assertThatThrownBy(() -> Xrsl.LANGUAGE.read(
                        "&(executable=/bin/true)(outputfiles=" + output + ")", ReadingBudget.UNBOUNDED))
                .hasMessageContaining(reason);
    }
}
