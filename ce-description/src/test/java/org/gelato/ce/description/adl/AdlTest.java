package org.gelato.ce.description.adl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.DescriptionsPage;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.description.RemoteFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdlTest {
    /** As arcsub 6.17 sends it. */
    static final String ARCSUB = """
            <adl:ActivityDescription xmlns:emiestypes="http://www.eu-emi.eu/es/2010/12/types" xmlns:nordugrid-adl="http://www.nordugrid.org/es/2011/12/nordugrid-adl" xmlns:adl="http://www.eu-emi.eu/es/2010/12/adl">
              <adl:ActivityIdentification>
                <adl:Name>t2</adl:Name>
              </adl:ActivityIdentification>
              <adl:Application>
                <adl:Executable>
                  <adl:Path>/bin/sh</adl:Path>
                  <adl:Argument>-c</adl:Argument>
                  <adl:Argument>cat in.txt; echo it's done &gt; out.txt</adl:Argument>
                </adl:Executable>
                <adl:Output>stdout.txt</adl:Output>
                <adl:Error>stderr.txt</adl:Error>
              </adl:Application>
              <adl:Resources>
                <adl:QueueName>long</adl:QueueName>
                <adl:WallTime>3600</adl:WallTime>
              </adl:Resources>
              <adl:DataStaging>
                <adl:InputFile><adl:Name>in.txt</adl:Name></adl:InputFile>
                <adl:OutputFile><adl:Name>out.txt</adl:Name></adl:OutputFile>
                <adl:OutputFile><adl:Name>stdout.txt</adl:Name></adl:OutputFile>
                <adl:OutputFile><adl:Name>stderr.txt</adl:Name></adl:OutputFile>
              <nordugrid-adl:DelegationID>c35871aa150d</nordugrid-adl:DelegationID></adl:DataStaging>
            </adl:ActivityDescription>
            """;

    static JobRequest read(String text) throws DescriptionException {
        return Adl.LANGUAGE.read(text, ReadingBudget.UNBOUNDED);
    }

    /** A description with these pieces in Application, Resources and DataStaging. */
    static String adl(String application, String resources, String staging) {
        return "<ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\">\n<Application>" + application
                + "</Application>\n<Resources>" + resources + "</Resources>\n<DataStaging>" + staging
                + "</DataStaging>\n</ActivityDescription>";
    }

    static final String TRUE = "<Executable><Path>/bin/true</Path></Executable>";

    @Test
    void readsWhatArcsubSends() throws Exception {
        JobRequest job = read(ARCSUB);
        assertThat(job.executable())
                .isEqualTo(new JobRequest.Executable("/bin/sh", "'-c' 'cat in.txt; echo it'\\''s done > out.txt'"));
        assertThat(job.streams()).isEqualTo(new JobRequest.Streams(null, "stdout.txt", "stderr.txt"));
        assertThat(job.files().uploads()).containsExactly("in.txt");
        assertThat(job.files().output())
                .extracting(JobRequest.OutputFile::path)
                .containsExactly("out.txt", "stdout.txt", "stderr.txt");
        assertThat(job.files().output())
                .extracting(JobRequest.OutputFile::destination)
                .containsOnlyNulls();
        assertThat(job.resources().queue()).isEqualTo("long");
        assertThat(job.resources().batchSystem()).isNull();
        assertThat(job.resources().limits()).isEqualTo(new JobRequest.Limits(Duration.ofHours(1), null, null));
        assertThat(job.resources().nodes().ceRequirements()).isEqualTo("other.GlueCEPolicyMaxWallClockTime >= 60");
        assertThat(job.session().name()).isEqualTo("t2");
        assertThat(job.session().delegationId()).isEqualTo("c35871aa150d");
        assertThat(job.warnings()).isEmpty();
    }

    @Test
    void readsEverythingElse() throws Exception {
        JobRequest job = read(adl(
                "<Executable><Path>run</Path></Executable><Input>data</Input>"
                        + "<Environment><Name>A</Name><Value> b $c </Value></Environment><Output>o</Output>"
                        + "<PreExecutable><Path>/bin/a</Path></PreExecutable><WipeTime>P2D</WipeTime>"
                        + "<PostExecutable><Path>/bin/b</Path></PostExecutable>"
                        + "<LoggingDirectory>gmlog</LoggingDirectory><Notification>x</Notification>",
                "<IndividualCPUTime>61</IndividualCPUTime><IndividualPhysicalMemory>2147483648</IndividualPhysicalMemory>"
                        + "<SlotRequirement><NumberOfSlots>8</NumberOfSlots><SlotsPerHost>4</SlotsPerHost></SlotRequirement>"
                        + "<RuntimeEnvironment optional=\"true\"><Name>APPS/X</Name><Version>1.2</Version><Option>o 1</Option>"
                        + "</RuntimeEnvironment><Coprocessor optional=\"true\">CUDA</Coprocessor>",
                "<InputFile><Name>run</Name><IsExecutable>true</IsExecutable></InputFile>"
                        + "<InputFile><Name>data</Name><Source><URI>https://h/x/y7</URI></Source></InputFile>"
                        + "<OutputFile><Name>r/z</Name><Target><URI>https://h/z</URI></Target></OutputFile>"));
        assertThat(job.environment()).containsEntry("A", " b $c ");
        assertThat(job.hooks().prologue().file()).isEqualTo("/bin/a");
        assertThat(job.hooks().epilogue().file()).isEqualTo("/bin/b");
        assertThat(job.resources().limits())
                .isEqualTo(new JobRequest.Limits(null, Duration.ofSeconds(488), 2147483648L));
        assertThat(job.resources().nodes().cpus()).isEqualTo(8);
        assertThat(job.resources().nodes().smpGranularity()).isEqualTo(4);
        assertThat(job.session().lifetime()).isEqualTo(Duration.ofDays(2));
        assertThat(job.session().logDirectory()).isEqualTo("gmlog");
        assertThat(job.session().runtimeEnvironments())
                .containsExactly(new JobRequest.RuntimeEnvironment("APPS/X-1.2", List.of("o 1"), true));
        assertThat(job.files().input())
                .containsExactly(
                        new JobRequest.InputFile("run", null, null, true),
                        new JobRequest.InputFile("data", "https://h/x/y7", null, false));
        assertThat(job.files().output())
                .extracting(JobRequest.OutputFile::destination)
                .containsExactly(RemoteFile.of("https://h/z"), null);
        assertThat(job.warnings())
                .anyMatch(w -> w.startsWith("Application/Notification:"))
                .anyMatch(w -> w.startsWith("Resources/Coprocessor: optional"));
    }

    /** As ARC's client writes rerun, priority, starttime, credentialserver and its option --dryrun. */
    @Test
    void whatArcsClientAddsIsReadOrAWarning() throws Exception {
        JobRequest job = read(adl(
                TRUE + "<Rerun>2</Rerun><Priority>160</Priority><StartTime>20261201100000Z</StartTime>"
                        + "<CredentialService>myproxy://h:7512</CredentialService><DryRun>true</DryRun>",
                "",
                ""));
        assertThat(job.resources().priority()).isEqualTo(100);
        assertThat(job.session().reruns()).isEqualTo(2);
        assertThat(job.session().dryRun()).isTrue();
        assertThat(job.session().start()).isEqualTo("2026-12-01T10:00:00Z");
        assertThat(job.warnings())
                .containsExactly(
                        "Application/Rerun: a job that failed is not run again here: submit it again",
                        "Application/StartTime: the job does not start before 2026-12-01T10:00:00Z",
                        "Application/CredentialService: accepted, but nothing follows from it");
        JobRequest zoned = read(adl(
                TRUE + "<Rerun>0</Rerun><ProcessingStartTime>2026-12-01T10:00:00+01:00</ProcessingStartTime>", "", ""));
        assertThat(zoned.session().start()).isEqualTo("2026-12-01T09:00:00Z");
        assertThat(zoned.session().dryRun()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <Version/>                                      | ENV/PROXY
            <Version> </Version>                            | ENV/PROXY
                                                            | ENV/PROXY
            <Version> 2.1 </Version>                        | ENV/PROXY-2.1
            """)
    void anEmptyVersionOfARuntimeEnvironmentIsNone(String version, String name) throws Exception {
        JobRequest job = read(adl(
                TRUE,
                "<RuntimeEnvironment><Name>ENV/PROXY</Name>" + (version == null ? "" : version)
                        + "</RuntimeEnvironment>",
                ""));
        assertThat(job.session().runtimeEnvironments())
                .containsExactly(new JobRequest.RuntimeEnvironment(name, List.of(), false));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <WallTime>abc</WallTime>                        | Resources/WallTime: "abc" is no whole number of at most 18 digits (line 3, column 12)
            <WallTime>0</WallTime>                          | Resources/WallTime: the time must be at least 1 second and at most ten years (line 3, column 12)
            <WallTime>1</WallTime><WallTime>1</WallTime>    | Resources/WallTime: given twice (line 3, column 34)
            <Unheard/>                                      | Resources/Unheard: unknown element; only one that is optional can be passed over (line 3, column 12)
            <Coprocessor>x</Coprocessor>                    | Resources/Coprocessor: not supported here; only where it is optional it can be passed over (line 3, column 12)
            <QueueName><a/></QueueName>                     | Resources/QueueName: holds elements where a text belongs (line 3, column 12)
            <QueueName></QueueName>                         | Resources/QueueName: the value is empty (line 3, column 12)
            <RuntimeEnvironment/>                           | Resources/RuntimeEnvironment: Name is missing (line 3, column 12)
            <SlotRequirement><NumberOfSlots>0</NumberOfSlots></SlotRequirement> | Resources/SlotRequirement/NumberOfSlots: the number must be at least 1 and at most 1000000 (line 3, column 29)
            """)
    void refusesWithElementAndPlace(String resources, String message) {
        assertThatThrownBy(() -> read(adl(TRUE, resources, ""))).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            <InputFile><Name>a//b</Name></InputFile>        | a//b: the file name is empty
            <InputFile><Name>a/./b</Name></InputFile>       | a/./b: the file name is a dot, or two
            <InputFile><Name>a/.gelato-tmp.1</Name></InputFile> | file names that start with .gelato-tmp. are the CE's own
            <InputFile><Name>a/b/</Name></InputFile>        | directory path not allowed
            <InputFile><Name>/a/b</Name></InputFile>        | absolute path not allowed
            <InputFile><Name>a\\b</Name></InputFile>         | holds a slash
            <InputFile><Name>a/../b</Name></InputFile>      | leads out of the session directory
            <InputFile><Name>a/b</Name></InputFile><InputFile><Name>a</Name></InputFile> | a is a file, and the folder of a/b
            <InputFile><Name>a/b</Name></InputFile><OutputFile><Name>a</Name></OutputFile> | a is a file, and the folder of a/b
            <InputFile><Name>1/2/3/4/5/6/7/8/9/0/1/2/3/4/5/6/7</Name></InputFile> | has 17 parts, at most 16
            <InputFile><Name>a</Name><Source><URI>https://u:p@h/a</URI></Source></InputFile> | a name or password in a URL is not used
            <OutputFile><Name>a</Name><Target><URI>https://u@h/a</URI></Target></OutputFile> | a name or password in a URL is not used
            <OutputFile><Name>a//b</Name></OutputFile>      | a//b: the file name is empty
            <InputFile><Name>..</Name></InputFile>          | leads out of the session directory
            <InputFile><Name>a</Name></InputFile><InputFile><Name>./a</Name></InputFile> | two input files have the name a
            <InputFile><Name>a</Name><Source><URI>lfc://h/a</URI></Source></InputFile>   | allowed scheme
            <OutputFile><Name>../a</Name></OutputFile>      | leads out of the session directory
            <OutputFile><Name>/etc/a</Name></OutputFile>    | absolute path not allowed
            <OutputFile><Name>a/</Name><Target><URI>https://h/a/</URI></Target></OutputFile> | a directory has no target
            <OutputFile><Name>*.a</Name><Target><URI>https://h/a</URI></Target></OutputFile> | the target of a pattern is a directory
            <OutputFile><Name>../*</Name></OutputFile>      | leads out of the session directory
            <OutputFile><Name>/*</Name></OutputFile>        | absolute path not allowed
            <InputFile><Name>*</Name></InputFile>           | wildcards not allowed
            <OutputFile><Name>b/x</Name></OutputFile><OutputFile><Name>./b/x</Name><Target><URI>https://h/a</URI></Target></OutputFile> | two output files have the name b/x, with different targets
            <OutputFile><Name>o</Name><Target><URI>gsiftp://localhost/a</URI></Target></OutputFile><OutputFile><Name>o</Name><Target><URI>gsiftp://localhost/b</URI></Target></OutputFile> | two output files have the name o, with different targets
            <OutputFile><Name>o</Name><Target><URI>https://h</URI></Target></OutputFile><OutputFile><Name>o</Name><Target><URI>https://h/</URI></Target></OutputFile> | two output files have the name o, with different targets
            <DelegationID>1</DelegationID><InputFile><Name>a</Name><Source><URI>https://h/a</URI><DelegationID>2</DelegationID></Source></InputFile> | one delegation
            """)
    void refusesFiles(String staging, String reason) {
        assertThatThrownBy(() -> read(adl(TRUE, "", staging)))
                .hasMessageStartingWith("DataStaging/")
                .hasMessageContaining(reason)
                .hasMessageContaining("(line ");
    }

    @Test
    void filesLieInFolders() throws Exception {
        JobRequest job = read(adl(
                "<Executable><Path>bin/run</Path></Executable><Input>./data/a/in</Input><Output>log/o</Output>",
                "",
                "<InputFile><Name>bin/run</Name></InputFile><InputFile><Name>./data/a/in</Name></InputFile>"
                        + "<InputFile><Name>data/b</Name><Source><URI>https://h/b</URI></Source></InputFile>"
                        + "<OutputFile><Name>a/x</Name></OutputFile><OutputFile><Name>b/x</Name></OutputFile>"
                        + "<OutputFile><Name>.job/x</Name></OutputFile>"));
        assertThat(job.executable().file()).isEqualTo("bin/run");
        assertThat(job.streams()).isEqualTo(new JobRequest.Streams("data/a/in", "log/o", null));
        assertThat(job.files().uploads()).containsExactly("bin/run", "data/a/in");
        assertThat(job.files().input())
                .extracting(JobRequest.InputFile::name)
                .containsExactly("bin/run", "data/a/in", "data/b");
        assertThat(job.files().output())
                .extracting(JobRequest.OutputFile::name)
                .containsExactly("a/x", "b/x", ".job/x", "log/o");
    }

    /** As ARC's client writes join=yes, and an stdout that is the stderr, too. */
    @Test
    void aFileOfBothStreamsIsNamedTwiceAndIsOne() throws Exception {
        String file = "<OutputFile><Name>o.txt</Name></OutputFile>";
        JobRequest job = read(adl(TRUE + "<Output>o.txt</Output><Error>o.txt</Error>", "", file + file));
        assertThat(job.streams()).isEqualTo(new JobRequest.Streams(null, "o.txt", "o.txt"));
        assertThat(job.files().output()).extracting(JobRequest.OutputFile::path).containsExactly("o.txt");
        assertThat(job.warnings()).isEmpty();
        file = file.replace("o.txt", "/dev/null");
        job = read(adl(TRUE + "<Output>/dev/null</Output><Error>/dev/null</Error>", "", file + file));
        assertThat(job.streams()).isEqualTo(new JobRequest.Streams(null, null, null));
        assertThat(job.files().output()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            false | false | true | true  | false | false
            true  | true  | true | true  | true  | true
            true  |       |      | true  | true  | false
                  | true  | false| false | false | true
                  |       |      | true  | true  | true
            """)
    void outputGoesToItsServerAfterTheEndsThatAreNamed(
            String failure,
            String cancel,
            String success,
            boolean afterSuccess,
            boolean afterFailure,
            boolean afterCancel)
            throws Exception {
        String ends =
                element("UseIfFailure", failure) + element("UseIfCancel", cancel) + element("UseIfSuccess", success);
        JobRequest job = read(adl(
                TRUE + "<Output>e</Output>",
                "",
                "<OutputFile><Name>o</Name><Target><URI>https://h/x</URI><Mandatory>false</Mandatory>" + ends
                        + "</Target></OutputFile>"));
        JobRequest.Ends wanted = new JobRequest.Ends(afterSuccess, afterFailure, afterCancel);
        assertThat(job.files().output())
                .extracting(JobRequest.OutputFile::sentAfter)
                .containsExactly(wanted, JobRequest.Ends.ALL);
    }

    @Test
    void endsAreThoseOfATarget() throws Exception {
        JobRequest job = read(adl(
                TRUE,
                "",
                "<OutputFile><Name>o</Name><Target>" + element("UseIfFailure", "true") + "</Target></OutputFile>"));
        assertThat(job.files().output())
                .containsExactly(new JobRequest.OutputFile("o", "o", null, JobRequest.Ends.ALL));
    }

    @Test
    void outputInTheLogDirectoryIsLeftOutUnlessItHasATarget() throws Exception {
        String log = TRUE + "<LoggingDirectory>log</LoggingDirectory>";
        assertThat(read(adl(log, "", "<OutputFile><Name>log</Name></OutputFile>"))
                        .files()
                        .output())
                .isEmpty();
        assertThat(read(adl(
                                log,
                                "",
                                "<OutputFile><Name>log</Name><Target><URI>gsiftp://localhost</URI><UseIfSuccess>false</UseIfSuccess>"
                                        + "</Target></OutputFile>"))
                        .files()
                        .output())
                .isEmpty();
        JobRequest job = read(adl(
                log, "", "<OutputFile><Name>log</Name><Target><URI>gsiftp://localhost/x</URI></Target></OutputFile>"));
        assertThat(job.files().output()).extracting(JobRequest.OutputFile::path).containsExactly("log");
    }

    private static String element(String name, String text) {
        return text == null ? "" : "<" + name + ">" + text + "</" + name + ">";
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            https://localhost;cache=no:12443/a;b    | https://localhost:12443/a;b  | cache=no
            https://h:1;cache=no;x=1/a              | https://h:1/a                | cache=no;x=1
            davs://se.example.org:443/x             | https://se.example.org:443/x |
            dav://se.example.org/x                  | http://se.example.org/x      |
            gsiftp://h;threads=4/x?DN=/O=a;b        | gsiftp://h/x?DN=/O=a;b       | threads=4
            """)
    void optionsOfUrlsAreLeftOutAndDavIsHttp(String given, String url, String option) throws Exception {
        JobRequest job =
                read(adl(TRUE, "", "<InputFile><Name>a</Name><Source><URI>" + given + "</URI></Source></InputFile>"));
        assertThat(job.files().input()).extracting(JobRequest.InputFile::item).containsExactly(url);
        assertThat(job.warnings())
                .isEqualTo(
                        option == null
                                ? List.of()
                                : List.of("DataStaging/InputFile: the option " + option + " of a URL is left out"));
    }

    @Test
    void inputMayBeginWithADot() throws Exception {
        JobRequest job =
                read(adl(TRUE, "", "<InputFile><Name>.cfg</Name></InputFile><InputFile><Name>a/.b</Name></InputFile>"));
        assertThat(job.files().uploads()).containsExactly(".cfg", "a/.b");
    }

    @Test
    void directoriesAndPatternsAreOutput() throws Exception {
        JobRequest job = read(adl(
                TRUE,
                "",
                "<OutputFile><Name>./out/</Name></OutputFile><OutputFile><Name>d/*.root</Name></OutputFile>"
                        + "<OutputFile><Name>l[0-9]?</Name><Target><URI>https://h/l/</URI></Target></OutputFile>"));
        assertThat(job.files().output())
                .extracting(JobRequest.OutputFile::path)
                .containsExactly("out/", "d/*.root", "l[0-9]?");
        assertThat(job.files().output())
                .extracting(JobRequest.OutputFile::destination)
                .containsExactly(null, null, RemoteFile.of("https://h/l/"));
    }

    /** ARC's client names the directory of gmlog among the output. */
    @Test
    void theDirectoryOfTheCesOwnWordsIsNotOutputOfTheJob() throws Exception {
        String named = "<OutputFile><Name>log/</Name></OutputFile><OutputFile><Name>o</Name></OutputFile>"
                + "<OutputFile><Name>log</Name></OutputFile>";
        JobRequest job = read(adl(TRUE + "<LoggingDirectory>log/</LoggingDirectory>", "", named));
        assertThat(job.files().output()).extracting(JobRequest.OutputFile::path).containsExactly("o");
        assertThat(job.session().logDirectory()).isEqualTo("log");
    }

    @Test
    void whatServersGiveAndGetIsBounded() {
        String source = "<InputFile><Name>f%d</Name><Source><URI>https://h/%d</URI></Source></InputFile>";
        String target = "<OutputFile><Name>o%d</Name><Target><URI>https://h/%d</URI></Target></OutputFile>";
        for (String one : List.of(source, target)) {
            StringBuilder many = new StringBuilder();
            for (int i = 0; i < 1000; i++) {
                many.append(String.format(one, i, i));
            }
            assertThatCode(() -> read(adl(TRUE, "", many.toString()))).doesNotThrowAnyException();
            many.append(String.format(one, 1000, 1000));
            assertThatThrownBy(() -> read(adl(TRUE, "", many.toString())))
                    .hasMessageContaining("more than 1000 files that servers give, or get");
            String path = "a".repeat(4096 - "https://h/".length());
            String url = one.replace("https://h/%d", "https://h/" + path);
            assertThatCode(() -> read(adl(TRUE, "", url.replace("%d", "1")))).doesNotThrowAnyException();
            assertThatThrownBy(() -> read(adl(TRUE, "", url.replace("%d", "1").replace(path, path + "a"))))
                    .hasMessageContaining("the URL has 4097 characters, at most 4096");
        }
    }

    @Test
    void longNamesAreRefused() {
        for (String name :
                List.of("n".repeat(256), "d/" + "é".repeat(128), ("n".repeat(200) + "/").repeat(5) + "f".repeat(20))) {
            assertThatThrownBy(() -> read(adl(TRUE, "", "<InputFile><Name>" + name + "</Name></InputFile>")))
                    .hasMessageContaining("bytes, at most");
        }
    }

    @Test
    void anExecutableThatNobodyBringsIsRefused() {
        assertThatThrownBy(() -> read(adl("<Executable><Path>run</Path></Executable>", "", "")))
                .hasMessageContaining("the executable run is not among the input files");
        assertThatThrownBy(() -> read(adl("", "", ""))).hasMessageContaining("Application/Executable: missing");
    }

    @Test
    void dividesSeveralAndKeepsTheirNamespaces() throws Exception {
        String one = ARCSUB.strip().replaceAll(" xmlns:[a-z-]+=\"[^\"]*\"", "");
        String body = "<?xml version=\"1.0\"?>\r\n<adl:ActivityDescriptions"
                + " xmlns:nordugrid-adl=\"http://www.nordugrid.org/es/2011/12/nordugrid-adl\""
                + " xmlns:adl=\"http://www.eu-emi.eu/es/2010/12/adl\">\r\n" + one + "<!-- &lt; -->" + one + "<x/>"
                + "</adl:ActivityDescriptions>";
        List<String> pieces = Adl.LANGUAGE.split(body, ReadingBudget.UNBOUNDED);
        assertThat(pieces).hasSize(3);
        JobRequest whole = read(ARCSUB);
        assertThat(read(pieces.get(0))).isEqualTo(whole);
        assertThat(read(pieces.get(1))).isEqualTo(whole);
        assertThatThrownBy(() -> read(pieces.get(2)))
                .hasMessage("x: an ActivityDescription is expected here (line 1, column 1)");
        assertThat(Adl.LANGUAGE.split(ARCSUB, ReadingBudget.UNBOUNDED)).containsExactly(ARCSUB);
    }

    @Test
    void theEndTagAloneSaysWhatToDo() {
        String body = "</ActivityDescriptions>";
        assertThat(body).hasSize(23);
        assertThatThrownBy(() -> Adl.LANGUAGE.split(body, ReadingBudget.UNBOUNDED))
                .hasMessageContaining("Submit them one by one, or upgrade the client");
        assertThatThrownBy(() -> read(body)).hasMessageContaining("Submit them one by one, or upgrade the client");
    }

    @Test
    void hostileXmlIsRefused() {
        String bomb = "<!DOCTYPE a [<!ENTITY x \"xxxxxxxxxx\"><!ENTITY y SYSTEM \"file:///etc/passwd\">]>";
        assertThatThrownBy(() -> read(bomb + adl("&x;", "", ""))).hasMessageContaining("not allowed");
        assertThatThrownBy(() -> Adl.LANGUAGE.split(bomb + "<ActivityDescriptions/>", ReadingBudget.UNBOUNDED))
                .hasMessageContaining("not allowed");
        assertThatThrownBy(() -> read(adl("&y;", "", ""))).isInstanceOf(DescriptionException.class);
        assertThatThrownBy(() -> read("<a>".repeat(100_000))).hasMessageContaining("Depth limit");
        assertThatThrownBy(() -> read(adl(TRUE, "", "") + " ".repeat(1 << 20)))
                .hasMessageContaining("larger than 1048576");
        assertThatThrownBy(() -> read("<a>" + "<b/>".repeat(40_000) + "</a>"))
                .hasMessageContaining("more than 60000 pieces");
        assertThatThrownBy(() -> read("<a b=\"" + "x".repeat(5000) + "\"/>")).isInstanceOf(DescriptionException.class);
        assertThatThrownBy(() -> Adl.LANGUAGE.split(
                        "<ActivityDescriptions>" + "<x/>".repeat(10_001) + "</ActivityDescriptions>",
                        ReadingBudget.UNBOUNDED))
                .hasMessageContaining("more than 10000 descriptions");
    }

    @Test
    void thePageShowsEveryElement() throws Exception {
        assertThat(DescriptionsPage.rows("ADL"))
                .containsExactlyInAnyOrderElementsOf(AdlElements.TABLE.entrySet().stream()
                        .map(e -> e.getKey() + " " + shown(e.getValue()))
                        .toList());
    }

    private static String shown(AdlElements.Use use) {
        return switch (use) {
            case ONCE -> "read";
            case MANY -> "read, many";
            case IGNORED -> "warning";
            case REFUSED -> "refused";
        };
    }
}
