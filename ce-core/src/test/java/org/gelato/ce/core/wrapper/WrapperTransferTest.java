package org.gelato.ce.core.wrapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.core.wrapper.WrapperRun.jdl;
import static org.gelato.ce.core.wrapper.WrapperRun.shell;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gelato.ce.core.intake.WrapperEvent;
import org.gelato.ce.core.wrapper.WrapperRun.Ended;
import org.gelato.ce.core.wrapper.peer.FakeGrid;
import org.gelato.ce.description.JobRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that jobs fetch and send themselves. */
class WrapperTransferTest {
    @TempDir
    Path directory;

    private WrapperRun job;
    private FakeGrid grid;

    @BeforeEach
    void sandbox() throws IOException {
        job = new WrapperRun(directory);
        grid = new FakeGrid(job.root, job::command);
    }

    private WrapperEvent last() throws IOException {
        return WrapperRun.read(job.sandbox.resolve("exit"));
    }

    private static JobRequest input(String items) {
        return shell("cat in", "InputSandbox = " + items + ";");
    }

    private static JobRequest output(String text, String more) {
        return shell(text, "OutputSandbox = " + more + ";");
    }

    @Test
    void inputComesByGridFtp() throws IOException {
        grid.put("h/d/in", "from afar");
        Ended ended = job.run(input("\"gsiftp://h/d/in?DN=/C=I/CN=the host\""));
        assertThat(ended.status()).as(ended.stderr()).isZero();
        assertThat(job.output("out")).isEqualTo("from afar");
        assertThat(grid.copies())
                .singleElement()
                .asString()
                .startsWith("-ss /C=I/CN=the host gsiftp://h/d/in file:///");
        assertThat(grid.slept()).isEmpty();
    }

    @Test
    void relativeNamesStartFromTheBase() throws IOException {
        grid.put("h/b/a%20b", "1");
        job.upload("up", "2");
        job.run(shell(
                "cat 'a b' up",
                "InputSandbox = { \"a b\", \"/x/up\" }; InputSandboxBaseURI = \"gsiftp://h/b?DN=/CN=h\";"));
        assertThat(job.output("out")).isEqualTo("12");
        assertThat(grid.copies()).singleElement().asString().startsWith("-ss /CN=h gsiftp://h/b/a%20b ");
    }

    @Test
    void realCurlFetchesInput() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean moved = exchange.getRequestURI().getPath().equals("/in");
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(moved ? 302 : 200, 0);
            exchange.getResponseBody().write("by http".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        server.start();
        try {
            Ended ended =
                    job.run(input("\"http://127.0.0.1:" + server.getAddress().getPort() + "/in\""));
            assertThat(ended.stderr()).isEmpty();
            assertThat(job.output("out")).isEqualTo("by http");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void curlShowsTheProxyAndKnowsTheAuthorities() throws IOException {
        job.command("curl", "printf '%s\\n' \"$@\" > '" + directory + "/args'");
        job.proxy = Files.writeString(directory.resolve("p"), "no certificate");
        job.caDirectory = directory;
        job.run(output("echo 1 > r", "\"r\"; OutputSandboxBaseDestURI = \"HTTPS://h/d\""));
        assertThat(Files.readAllLines(directory.resolve("args")))
                .contains("--fail", "--capath", directory.toString(), "--upload-file", "https://h/d/r")
                .anyMatch(argument -> argument.endsWith("/proxy"))
                .noneMatch(argument -> argument.contains("s3cr3t"));
    }

    @Test
    void inputIsTriedThreeTimes() throws IOException {
        grid.fail(5);
        grid.put("h/in", "x");
        Ended ended = job.run(input("\"gsiftp://h/in\""));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(last().reason())
                .isEqualTo("Cannot move ISB (retry_copy gsiftp://h/in): error: end of file from server");
        assertThat(last().exitCode()).isNull();
        assertThat(grid.copies()).hasSize(3);
        assertThat(grid.slept()).containsExactly("60", "120");
    }

    @Test
    void laterTryCounts() throws IOException {
        grid.fail(2);
        grid.put("h/in", "x");
        assertThat(job.run(input("\"gsiftp://h/in\"")).status()).isZero();
        assertThat(job.output("out")).isEqualTo("x");
    }

    @Test
    void siteSaysHowOften() throws IOException {
        job.environment.put("GLITE_LOCAL_COPY_RETRY_COUNT", "08");
        job.environment.put("GLITE_LOCAL_COPY_RETRY_COUNT_ISB", "1");
        job.environment.put("GLITE_LOCAL_COPY_RETRY_FIRST_WAIT", "7");
        job.environment.put("GLITE_LOCAL_COPY_RETRY_FIRST_WAIT_OSB", "x; exit");
        grid.fail(1);
        grid.put("h/in", "x");
        job.run(
                shell(
                        "echo '" + "x\n".repeat(20) + "' > '" + directory + "/failures'",
                        "InputSandbox = \"gsiftp://h/in\"; OutputSandbox = \"in\"; OutputSandboxBaseDestURI = \"gsiftp://h/o\";"));
        assertThat(grid.slept()).containsExactly("7", "300", "600", "1200", "2400", "4800", "9600", "19200", "38400");
    }

    @Test
    void outputIsTriedSevenTimes() throws IOException {
        grid.fail(7);
        Ended ended = job.run(output("echo 1 > r", "\"r\"; OutputSandboxDestURI = \"gsiftp://h/o/r2?DN=/CN=h\""));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(last().reason()).isEqualTo("Cannot upload r into gsiftp://h/o/r2: error: end of file from server");
        assertThat(grid.copies()).hasSize(7).allMatch(copy -> copy.startsWith("-ds /CN=h file:///"));
        assertThat(grid.slept()).containsExactly("300", "600", "1200", "2400", "4800", "9600");
        assertThat(ended.stdout()).startsWith("job exit status = 0\n");
    }

    @Test
    void outputGoesToBaseAndDestinations() throws IOException {
        job.run(output(
                "echo 1 > 'a b'; echo 2 > c", "{ \"*\", \"c\", \"no\" }; OutputSandboxBaseDestURI = \"gsiftp://h/o\""));
        assertThat(grid.get("h/o/a%20b")).isEqualTo("1\n");
        assertThat(grid.get("h/o/c")).isEqualTo("2\n");
        assertThat(grid.get("h/o/out")).isEmpty();
        assertThat(last().exitCode()).isZero();
    }

    @Test
    void eachItemHasItsOwnDestination() throws IOException {
        JobRequest request = output(
                "echo 1 > a; echo 2 > b; echo 3 > c",
                "{ \"a\", \"b\", \"c\" }; OutputSandboxDestURI ="
                        + " { \"gsiftp://h/x/y\", \"gsiftp://localhost\", \"gsiftp://h\" }");
        Ended ended = job.run(request);
        assertThat(ended.stderr()).isEmpty();
        assertThat(grid.get("h/x/y")).isEqualTo("1\n");
        assertThat(job.output("b")).isEqualTo("2\n");
        assertThat(grid.get("h/c")).isEqualTo("3\n");
        assertThat(job.sandbox.resolve("OSB/a")).doesNotExist();
        assertThat(JobWrapper.script(request, job.settings())).contains("__output_file_dest[0]='gsiftp://h/x/y'\n");
    }

    @Test
    void oneLostFileDoesNotKeepTheOthers() throws IOException {
        job.environment.put("GLITE_LOCAL_COPY_RETRY_COUNT", "0");
        grid.fail(1);
        job.run(output("echo 1 > a; echo 2 > b", "{ \"a\", \"b\" }; OutputSandboxBaseDestURI = \"gsiftp://h\""));
        assertThat(grid.get("h/b")).isEqualTo("2\n");
        assertThat(grid.path("h/a")).doesNotExist();
        assertThat(last().reason()).startsWith("Cannot upload a into gsiftp://h/a: ");
        assertThat(grid.slept()).isEmpty();
    }

    @Test
    void missingCommandIsNotTriedAgain() throws IOException {
        job.environment.put("PATH", "/usr/bin:/bin");
        job.environment.put("GLITE_LOCAL_COPY_RETRY_FIRST_WAIT", "100000");
        Files.delete(directory.resolve("bin/globus-url-copy"));
        job.command("timeout", "exec /usr/bin/timeout \"${@/globus-url-copy/no-such-command}\"");
        job.run(input("\"gsiftp://h/in\""));
        assertThat(last().reason())
                .startsWith("Cannot move ISB (retry_copy gsiftp://h/in): ")
                .contains("no-such-command");
        assertThat(grid.slept()).isEmpty();
    }

    @Test
    void transfersAreEndedAfterAnHour() throws IOException {
        job.environment.put("GLITE_LOCAL_COPY_RETRY_COUNT", "0");
        job.command(
                "timeout", "echo \"$1 $2\" >> '" + directory + "/limits'; exec /usr/bin/timeout 0.1 /bin/sleep 300");
        job.run(input("\"gsiftp://h/in\""));
        assertThat(directory.resolve("limits")).hasContent("--kill-after=10 3600");
        assertThat(last().reason()).isEqualTo("Cannot move ISB (retry_copy gsiftp://h/in): no end after 3600 s");
    }

    @Test
    void outputToTheWmsIsLimitedToItsEnd() throws IOException {
        Ended ended = job.run(
                output(
                        "printf 12345 > a; printf abcdefghij > b; printf xyz > c; printf 123 > d",
                        "{ \"a\", \"b\", \"c\", \"d\" }; OutputSandboxDestURI = { \"gsiftp://wms/a\", \"gsiftp://wms/b\","
                                + " \"gsiftp://wms/c\", \"gsiftp://other/d\" }; WMS_HOSTNAME = \"WMS\"; MaxOutputSandboxSize = 0.9E1"));
        assertThat(ended.stderr()).isEmpty();
        assertThat(grid.get("wms/a")).isEqualTo("12345");
        assertThat(grid.get("wms/b.tail")).isEqualTo("ghij");
        assertThat(grid.path("wms/b")).doesNotExist();
        assertThat(grid.get("wms/c.tail")).isEmpty();
        assertThat(grid.get("other/d")).isEqualTo("123");
        assertThat(last().exitCode()).isZero();
    }

    @Test
    void plainJobsCarryNoTransfers() {
        String plain = JobWrapper.script(jdl("Executable = \"/bin/true\";"), job.settings());
        assertThat(plain).doesNotContain("globus-url-copy", "openssl", "perusal.list", "uberftp");
        assertThat(JobWrapper.script(input("\"gsiftp://h/in\""), job.settings()))
                .contains("globus-url-copy");
    }
}
