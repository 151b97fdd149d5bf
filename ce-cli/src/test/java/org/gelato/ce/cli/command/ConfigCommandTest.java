package org.gelato.ce.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The user's configuration file: what it decides, what overrides it, and what is wrong with it. */
class ConfigCommandTest {
    @TempDir
    Path home;

    private final FakeCe ce = new FakeCe();
    private Path file;

    @BeforeEach
    void home() throws IOException {
        ce.environment.put("HOME", home.toString());
        ce.environment.put("X509_USER_PROXY", "/proxy");
        ce.environment.put("BEARER_TOKEN", "abc");
        ce.workingDirectory = home;
        file = home.resolve(".config/gelato/ce.conf");
        Files.writeString(home.resolve("a.jdl"), "[Executable = \"/bin/true\";]");
        Files.writeString(
                home.resolve("own.jdl"), "[Executable = \"/bin/true\"; QueueName = \"own\"; BatchSystem = \"b\";]");
    }

    private void write(String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static final String TEXT = """
            # where my jobs go
            endpoint = work        // see below
            protocol = "cream2"
            queue = cream-slurm-short

            ces {
              work {
                endpoint = "ce.example.org:9443"
              }
              test = {
                endpoint = https://test.example.org/arex
                queue = "cream-fork-demo"
              }
            }
            """;

    @Test
    void showsEachValueAndWhereItComesFrom() throws IOException {
        write(TEXT);
        ce.environment.put("CE_PROTOCOL", "arcrest");
        assertThat(ce.run("config", "--ca", "/authorities")).as(ce.err()).isZero();
        assertThat(ce.out().replace(file.toString(), "FILE")).isEqualTo("""
                        endpoint           ce.example.org:9443 (work)             FILE, line 2
                        queue              ce.example.org:9443/cream-slurm-short  FILE, line 4
                        protocol           arcrest                                CE_PROTOCOL
                        proxy              /proxy                                 X509_USER_PROXY
                        ca                 /authorities                           --ca
                        token              present                                BEARER_TOKEN
                        ces.work.endpoint  ce.example.org:9443                    FILE, line 8
                        ces.test.endpoint  https://test.example.org/arex          FILE, line 11
                        ces.test.queue     cream-fork-demo                        FILE, line 12
                        """);
        assertThat(ce.err()).isEmpty();
    }

    @Test
    void isJsonWhereThatIsWanted() throws IOException {
        write(TEXT);
        assertThat(ce.run("config", "--json", "-e", "test")).isZero();
        JsonNode root = new ObjectMapper().readTree(ce.out());
        assertThat(root.path("file").asText()).isEqualTo(file.toString());
        assertThat(root.at("/values/0").toString())
                .isEqualTo("{\"key\":\"endpoint\",\"value\":\"test.example.org:8443 (test)\",\"from\":\"--endpoint\"}");
        assertThat(root.at("/values/1/from").asText()).isEqualTo(file + ", line 12");
        assertThat(root.at("/values/2/from").asText()).isEqualTo("the CE's address");
    }

    @Test
    void withoutAFileSaysHowToMakeOne() {
        assertThat(ce.run("config")).isZero();
        assertThat(ce.out()).startsWith("endpoint  -");
        assertThat(ce.err()).isEqualTo("ce config: there is no " + file + "; ce config set KEY VALUE makes it\n");
    }

    /** Nothing would be made of the path, and the queue in it was the user's intent. */
    @ParameterizedTest
    @CsvSource({
        "endpoint, https://ce.example.org:8443/cream-slurm-long",
        "ces.test.endpoint, https://ce.example.org/x/",
        "endpoint, ce.example.org:8443/cream-slurm-long"
    })
    void anAddressWithAPathOfNoServiceIsRefused(String key, String value) {
        assertThat(ce.run("config", "set", key, value))
                .isEqualTo(key.startsWith("ces") || value.contains("://") ? 2 : 1);
        assertThat(ce.err())
                .contains("'" + value + "' ", "write HOST, HOST:PORT or https://HOST:PORT")
                .hasLineCount(1);
        assertThat(file).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"https://ce/", "https://ce:8443", "https://ce/arex", "https://ce/ce-cream/services/CREAM2", "ce"
            })
    void anAddressOfAServiceIsKept(String value) throws IOException {
        assertThat(ce.run("config", "set", "endpoint", value)).as(ce.err()).isZero();
        assertThat(Files.readString(file)).contains(value);
    }

    @Test
    void theFileNamesTheCeUnlessTheEnvironmentOrTheCommandLineDo() throws IOException {
        write(TEXT);
        ce.run("list");
        ce.run("list", "-e", "test");
        ce.environment.put("CE_ENDPOINT", "test");
        ce.run("list");
        ce.run("list", "-e", "other");
        assertThat(ce.calls)
                .containsExactly(
                        "connect ce.example.org:9443",
                        "connect test.example.org:8443",
                        "connect test.example.org:8443",
                        "connect other:8443");
    }

    @Test
    void jobsGoToTheQueueOfTheFileUnlessTheyNameTheirOwn() throws IOException {
        write(TEXT);
        ce.run("submit", "a.jdl", "own.jdl");
        ce.run("submit", "-e", "test", "a.jdl");
        ce.run("submit", "-r", "cream-slurm-long", "own.jdl");
        ce.environment.put("CE_RESOURCE", "ce/cream-slurm-env");
        ce.run("submit", "own.jdl");
        ce.run("submit", "-e", "other", "a.jdl");
        assertThat(ce.err()).isEmpty();
        assertThat(ce.jdls)
                .extracting(jdl -> jdl.replaceAll(".*QueueName = \"(\\w+)\";(?!.*QueueName).*", "$1"))
                .containsExactly("short", "own", "demo", "long", "env", "[Executable = \"/bin/true\";]");
        assertThat(ce.calls)
                .filteredOn(call -> call.startsWith("connect"))
                .element(2)
                .isEqualTo("connect ce.example.org:9443");
    }

    @Test
    void adlAndXrslThatNameAQueueGoThere() throws IOException {
        write(TEXT);
        Files.writeString(home.resolve("a.xrsl"), "&(executable=x)");
        Files.writeString(home.resolve("own.xrsl"), "&(executable=x)(Queue=own)");
        Files.writeString(
                home.resolve("own.adl"),
                "<ActivityDescription><Resources><QueueName>own</QueueName></Resources></ActivityDescription>");
        assertThat(ce.run("submit", "a.xrsl", "own.xrsl", "own.adl"))
                .as(ce.err())
                .isZero();
        assertThat(ce.queues).containsExactly("short", null, null);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    'endpoint = ce\nqueu = cream-a-b'             | line 2: there is no key queu; did you mean queue?
                    'proxy = "/tmp/x"'                            | line 1: there is no key proxy; the keys are endpoint,
                    'ces.a.b.endpoint = x'                        | line 1: there is no key ces.a.b.endpoint; the keys
                    '\n\nendpoint'                                | line 3: 'endpoint' is not understood: write KEY = "VALUE"
                    'endpoint = a b'                              | line 1: 'endpoint = a b' is not understood
                    'endpoint = "a'                               | line 1: 'endpoint = "a' is not understood
                    'endpoint = bad/host'                         | line 1: 'bad/host' is no endpoint: write HOST
                    'queue = long'                                | line 1: 'long' is no queue: write cream-BATCHSYSTEM-QUEUE
                    'protocol = http'                             | line 1: 'http' is no protocol: one of auto
                    'endpoint = a\nendpoint = b'                  | line 2: endpoint is set in line 1 already
                    'ces {\n a {'                                 | line 2: the '{' of this line is never closed
                    '}'                                           | line 1: this '}' closes nothing
                    '\nces.a.queue = cream-a-b'                   | line 2: the CE a has no address: set ces.a.endpoint
                    """)
    void aBadFileIsAnErrorWithItsLine(String text, String message) throws IOException {
        write(text);
        assertThat(ce.run("list")).isEqualTo(1);
        assertThat(ce.err()).startsWith("ce list: " + file + ", " + message).hasLineCount(1);
        assertThat(ce.calls).isEmpty();
    }

    @Test
    void aNameThatIsMisspeltIsRecognized() throws IOException {
        write("ces.cluster_one.endpoint = a");
        assertThat(ce.run("list", "-e", "cluster_on_/")).isEqualTo(2);
        assertThat(ce.err()).contains("did you mean cluster_one?");
    }

    /** Whoever can write it chooses the CE that a proxy is delegated to. */
    @Test
    void aFileThatOthersCanWriteIsRefused() throws IOException {
        write(TEXT);
        for (String mode : new String[] {"rw--w----", "rw-----w-"}) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            ce.err.reset();
            assertThat(ce.run("list")).isEqualTo(1);
            assertThat(ce.err())
                    .contains(file + " can be written by other users")
                    .contains("chmod go-w " + file);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Files.setPosixFilePermissions(file.getParent(), PosixFilePermissions.fromString("rwxrwxr-x"));
        ce.err.reset();
        assertThat(ce.run("list")).isEqualTo(1);
        assertThat(ce.err()).contains(file.getParent() + " can be written by other users");
        Files.setPosixFilePermissions(file.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(ce.run("list")).isZero();
        assertThat(ce.calls).containsExactly("connect ce.example.org:9443");
    }

    @Test
    void setAndUnsetChangeOneLineAndNothingElse() throws IOException {
        assertThat(ce.run("config", "set", "ces.work.endpoint", "ce.example.org"))
                .as(ce.err())
                .isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(file).hasContent("ces.work.endpoint = \"ce.example.org\"\n");
        write(TEXT);
        assertThat(ce.run("config", "set", "endpoint", "test")).isZero();
        assertThat(ce.run("config", "set", "ces.work.endpoint", "new.example.org"))
                .isZero();
        assertThat(ce.run("config", "unset", "protocol")).isZero();
        assertThat(file)
                .hasContent(TEXT.replace("endpoint = work ", "endpoint = \"test\" ")
                        .replace("ce.example.org:9443", "new.example.org")
                        .replace("protocol = \"cream2\"\n", ""));
        ce.err.reset();
        assertThat(ce.run("config", "unset", "protocol")).isZero();
        assertThat(ce.run("config", "set", "endpoint", "test")).isZero();
        assertThat(ce.err())
                .isEqualTo("ce config unset: protocol is not set in " + file
                        + "\nce config set: endpoint is so already in " + file + "\n");
    }

    @Test
    void aChangeThatWouldMakeTheFileWrongIsNone() throws IOException {
        write(TEXT);
        assertThat(ce.run("config", "set", "queue", "long")).isEqualTo(2);
        assertThat(ce.run("config", "set", "endpont", "x")).isEqualTo(2);
        assertThat(ce.run("config", "set", "endpoint", "a\"b")).isEqualTo(2);
        assertThat(ce.run("config", "unset", "ces.test.endpoint")).isEqualTo(1);
        assertThat(ce.err()).contains("the CE test has no address");
        assertThat(file).hasContent(TEXT);
    }

    @Test
    void theDirectoryOfTheDesktopCountsBeforeTheHome() throws IOException {
        write(TEXT);
        ce.environment.put("XDG_CONFIG_HOME", home.resolve("xdg").toString());
        assertThat(ce.run("config", "set", "endpoint", "other")).isZero();
        assertThat(home.resolve("xdg/gelato/ce.conf")).hasContent("endpoint = \"other\"\n");
        assertThat(ce.run("list")).isZero();
        assertThat(ce.calls).containsExactly("connect other:8443");
    }
}
