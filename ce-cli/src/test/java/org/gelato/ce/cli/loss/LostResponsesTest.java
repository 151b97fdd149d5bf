package org.gelato.ce.cli.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.gelato.ce.cli.loss.Cut.AFTER_THE_RESPONSE;
import static org.gelato.ce.cli.loss.Cut.BAD_GATEWAY;
import static org.gelato.ce.cli.loss.Cut.BEFORE_THE_REQUEST_ARRIVED;
import static org.gelato.ce.cli.loss.Cut.BEFORE_THE_RESPONSE;
import static org.gelato.ce.cli.loss.Cut.BETWEEN_TWO_TLS_RECORDS;
import static org.gelato.ce.cli.loss.Cut.BODY_NOT_WELL_FORMED;
import static org.gelato.ce.cli.loss.Cut.LOSSES;
import static org.gelato.ce.cli.loss.Cut.UNAVAILABLE;

import eu.emi.security.authn.x509.impl.KeyAndCertCredential;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.gelato.ce.cli.Main;
import org.gelato.ce.cli.ProtocolConnector;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.StandardStreams;
import org.gelato.ce.cli.soap.TestGrid;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each call of each command that changes something, cut at each place, over both protocols: what the command ends with and says, and what
 * must hold at the CE whatever was cut. {@link #TABLE} says what a user gets. Registrations and starts are cut at all places, other calls at
 * one of their line, in turn; at all with {@code -Dgelato.test.long=true}.
 */
class LostResponsesTest {
    private static final String JOB = "CREAM000000001";
    private static final String NOT_KNOWN = "not known whether";
    private static final String MAY_START = "is left, and starts if the file has arrived";
    private static final String NO_DOUBT = "";
    private static final int FOR_EVER = 1000;
    private static final boolean LONG = Boolean.getBoolean("gelato.test.long");

    /** How often a call is cut. */
    private enum How {
        ONCE,
        ALWAYS,
        /** Once, and then the CE is not reached any more. */
        FOR_GOOD
    }

    private static final Set<String> SOAP = Set.of("cream2");
    private static final Set<String> ARC = Set.of("arcrest");
    private static final Set<String> BOTH = Set.of("cream2", "arcrest");
    private static final Set<Cut> ALL = EnumSet.allOf(Cut.class);
    private static final Set<Cut> ARRIVED =
            EnumSet.of(BEFORE_THE_RESPONSE, BETWEEN_TWO_TLS_RECORDS, BODY_NOT_WELL_FORMED, BAD_GATEWAY);
    private static final Set<Cut> NOT_ARRIVED = EnumSet.of(BEFORE_THE_REQUEST_ARRIVED);
    /** Of calls that share their ground with one that is cut at all places. */
    private static final Set<Cut> SOME = EnumSet.of(BEFORE_THE_REQUEST_ARRIVED, BEFORE_THE_RESPONSE, BAD_GATEWAY);

    private static final Set<Cut> HARMLESS = EnumSet.of(AFTER_THE_RESPONSE);
    private static final Set<Cut> REFUSED = EnumSet.of(UNAVAILABLE);

    /**
     * A line of the table.
     *
     * @param exit of a command whose job's program ended with {@value MemoryCe#EXIT_CODE}
     * @param says on standard error; {@link #NO_DOUBT} where nothing is said that is not known
     */
    private record Line(
            Set<String> protocols, String command, Call call, How how, Set<Cut> cuts, int exit, String says) {}

    private record Row(String protocol, Line line, Cut cut) {
        @Override
        public String toString() {
            return String.join(
                    " ",
                    line.command(),
                    protocol,
                    line.call().name(),
                    line.how().name(),
                    cut.name());
        }
    }

    private static final List<Line> TABLE = List.of(
            new Line(BOTH, "submit", Call.NEW_DELEGATION, How.ONCE, ALL, 0, NO_DOUBT),
            new Line(BOTH, "submit", Call.NEW_DELEGATION, How.ALWAYS, NOT_ARRIVED, 1, "the connection broke"),
            new Line(BOTH, "submit", Call.PUT_PROXY, How.ONCE, SOME, 0, NO_DOUBT),
            new Line(SOAP, "submit", Call.REGISTER, How.ONCE, ALL, 0, NO_DOUBT),
            new Line(SOAP, "submit", Call.REGISTER, How.ALWAYS, SOME, 1, NOT_KNOWN),
            new Line(SOAP, "submit", Call.REGISTER, How.ALWAYS, REFUSED, 1, NO_DOUBT),
            new Line(ARC, "submit", Call.REGISTER, How.ONCE, LOSSES, 1, NOT_KNOWN),
            new Line(ARC, "submit", Call.REGISTER, How.ONCE, REFUSED, 1, NO_DOUBT),
            new Line(ARC, "submit", Call.REGISTER, How.ONCE, HARMLESS, 0, NO_DOUBT),
            new Line(BOTH, "submit", Call.UPLOAD, How.ONCE, ALL, 0, NO_DOUBT),
            new Line(BOTH, "submit", Call.UPLOAD, How.ALWAYS, ARRIVED, 0, NO_DOUBT),
            new Line(SOAP, "submit", Call.UPLOAD, How.ALWAYS, NOT_ARRIVED, 1, "was not uploaded"),
            new Line(ARC, "submit", Call.UPLOAD, How.ALWAYS, NOT_ARRIVED, 1, MAY_START),
            new Line(SOAP, "submit", Call.UPLOAD, How.FOR_GOOD, SOME, 1, JOB + " is left, not started"),
            new Line(ARC, "submit", Call.UPLOAD, How.FOR_GOOD, SOME, 1, NOT_KNOWN),
            new Line(SOAP, "submit", Call.START, How.ONCE, ALL, 0, NO_DOUBT),
            new Line(SOAP, "submit", Call.START, How.ALWAYS, ARRIVED, 0, NO_DOUBT),
            new Line(SOAP, "submit", Call.START, How.ALWAYS, NOT_ARRIVED, 1, JOB + " but not started"),
            new Line(SOAP, "submit", Call.START, How.ALWAYS, REFUSED, 1, "they do not run, ce purge removes them"),
            new Line(SOAP, "submit", Call.START, How.FOR_GOOD, SOME, 1, NOT_KNOWN),
            new Line(BOTH, "run", Call.NEW_DELEGATION, How.ONCE, SOME, MemoryCe.EXIT_CODE, NO_DOUBT),
            new Line(BOTH, "run", Call.PUT_PROXY, How.ONCE, SOME, MemoryCe.EXIT_CODE, NO_DOUBT),
            new Line(SOAP, "run", Call.REGISTER, How.ONCE, SOME, MemoryCe.EXIT_CODE, NO_DOUBT),
            new Line(ARC, "run", Call.REGISTER, How.ONCE, SOME, 125, NOT_KNOWN),
            new Line(BOTH, "run", Call.UPLOAD, How.ONCE, SOME, MemoryCe.EXIT_CODE, NO_DOUBT),
            new Line(ARC, "run", Call.UPLOAD, How.ALWAYS, ARRIVED, MemoryCe.EXIT_CODE, NO_DOUBT),
            new Line(BOTH, "run", Call.UPLOAD, How.ALWAYS, NOT_ARRIVED, 125, "was not uploaded"),
            new Line(ARC, "run", Call.UPLOAD, How.FOR_GOOD, NOT_ARRIVED, 125, NOT_KNOWN),
            new Line(SOAP, "run", Call.START, How.ONCE, SOME, MemoryCe.EXIT_CODE, NO_DOUBT),
            new Line(SOAP, "run", Call.START, How.ALWAYS, ARRIVED, MemoryCe.EXIT_CODE, NO_DOUBT),
            new Line(SOAP, "run", Call.START, How.FOR_GOOD, NOT_ARRIVED, 125, NOT_KNOWN),
            new Line(BOTH, "run", Call.PURGE, How.ONCE, SOME, MemoryCe.EXIT_CODE, NOT_KNOWN),
            new Line(BOTH, "run", Call.PURGE, How.ONCE, REFUSED, MemoryCe.EXIT_CODE, "not removed: ce purge"),
            new Line(BOTH, "run", Call.PURGE, How.ONCE, HARMLESS, MemoryCe.EXIT_CODE, NO_DOUBT),
            new Line(BOTH, "cancel", Call.CANCEL, How.ONCE, LOSSES, 1, NOT_KNOWN),
            new Line(BOTH, "cancel", Call.CANCEL, How.ONCE, REFUSED, 1, NO_DOUBT),
            new Line(BOTH, "cancel", Call.CANCEL, How.ONCE, HARMLESS, 0, NO_DOUBT),
            new Line(BOTH, "purge", Call.PURGE, How.ONCE, SOME, 1, NOT_KNOWN),
            new Line(BOTH, "purge", Call.PURGE, How.ONCE, REFUSED, 1, NO_DOUBT),
            new Line(BOTH, "purge", Call.PURGE, How.ONCE, HARMLESS, 0, NO_DOUBT),
            new Line(BOTH, "delegate", Call.NEW_DELEGATION, How.ONCE, SOME, 0, NO_DOUBT),
            new Line(BOTH, "delegate", Call.PUT_PROXY, How.ONCE, ALL, 0, NO_DOUBT),
            new Line(BOTH, "delegate", Call.PUT_PROXY, How.ALWAYS, REFUSED, 1, NO_DOUBT),
            new Line(BOTH, "renew", Call.RENEWAL, How.ONCE, ALL, 0, NO_DOUBT),
            new Line(BOTH, "renew", Call.PUT_PROXY, How.ONCE, SOME, 0, NO_DOUBT));

    @TempDir
    static Path shared;

    private static TestGrid grid;
    private static Path proxy;
    private static String request;
    private static CuttingServer server;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private MemoryCe ce;

    @BeforeAll
    static void start() throws Exception {
        grid = new TestGrid(shared.resolve("grid"), "Our CA");
        proxy = grid.proxy(shared.resolve("proxy"), Duration.ofHours(1));
        KeyPair keys = TestGrid.keys();
        request = TestGrid.pem(new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=whatever"), keys.getPublic())
                .build(new JcaContentSignerBuilder("SHA256withRSA").build(keys.getPrivate())));
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(
                new KeyManager[] {
                    new KeyAndCertCredential(grid.hostKeys.getPrivate(), new X509Certificate[] {grid.host})
                            .getKeyManager()
                },
                null,
                null);
        server = new CuttingServer(tls);
        Files.writeString(shared.resolve("input"), "");
        Files.writeString(shared.resolve("a.jdl"), "[Executable = \"/bin/cat\"; InputSandbox = {\"input\"};]");
        Files.writeString(shared.resolve("bare.jdl"), "[Executable = \"/bin/true\";]");
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        int turn = 0;
        for (Line line : TABLE) {
            for (String protocol : line.protocols().stream().sorted().toList()) {
                List<Row> all = line.cuts().stream()
                        .sorted()
                        .filter(cut -> isPossible(protocol, line.call(), cut))
                        .map(cut -> new Row(protocol, line, cut))
                        .toList();
                boolean whole = LONG
                        || (line.command().equals("submit")
                                && Set.of(Call.REGISTER, Call.START).contains(line.call()));
                rows.addAll(whole ? all : List.of(all.get(turn++ % all.size())));
            }
        }
        return rows;
    }

    private static boolean isPossible(String protocol, Call call, Cut cut) {
        return switch (cut) {
            // Empty bodies.
            case BODY_NOT_WELL_FORMED -> call != Call.UPLOAD && !(call == Call.PUT_PROXY && protocol.equals("arcrest"));
            // Whether the client sees the end before it sends the next request on this connection is a matter of luck.
            case AFTER_THE_RESPONSE -> !(call == Call.PUT_PROXY && protocol.equals("arcrest"));
            default -> true;
        };
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rows")
    void aCommandOneOfWhoseCallsIsCut(Row row) {
        Line line = row.line();
        ce = new MemoryCe(request, server.port());
        server.begin(new CuttingServer.Plan(
                ce, line.call(), row.cut(), line.how() == How.ALWAYS ? FOR_EVER : 1, line.how() == How.FOR_GOOD));
        String ended = Set.of("cancel", "purge").contains(line.command()) ? ce.ended() : null;
        if (line.command().equals("renew")) {
            ce.delegations.add("d1");
        }

        assertThat(run(words(line.command(), row.protocol(), ended))).as(err()).isEqualTo(line.exit());

        assertThat(server.requests())
                .as("the cut was made, and nothing is tried for ever")
                .isBetween(1, 6);
        if (line.says().equals(NO_DOUBT)) {
            assertThat(err()).doesNotContain("not known");
        } else {
            assertThat(err()).contains(line.says());
        }
        whatMustHold(line);
    }

    private static List<String> words(String command, String protocol, String job) {
        String endpoint = "localhost:" + server.port();
        List<String> words = new ArrayList<>(List.of("--protocol", protocol, command));
        words.addAll(
                switch (command) {
                    case "submit" -> List.of("-r", endpoint + "/cream-fork-demo", "a.jdl");
                    case "run" ->
                        List.of(
                                "-r",
                                endpoint + "/cream-fork-demo",
                                "--purge",
                                "--input",
                                "input",
                                "--",
                                "cat",
                                "input");
                    case "delegate" ->
                        protocol.equals("cream2") ? List.of("-e", endpoint, "d1") : List.of("-e", endpoint);
                    case "renew" -> List.of("-e", endpoint, "d1");
                    default -> List.of("https://" + endpoint + "/" + job);
                });
        return words;
    }

    /** Whatever was cut. */
    private void whatMustHold(Line line) {
        String command = line.command();
        assertThat(ce.jobs).as("nothing is doubled").hasSizeLessThanOrEqualTo(1);
        assertThat(ce.delegations).as("nothing is doubled").hasSizeLessThanOrEqualTo(1);
        ce.jobs.forEach((id, job) -> {
            if (command.equals("cancel") || command.equals("purge")) {
                return;
            }
            assertThat(job.starts).isLessThanOrEqualTo(1);
            assertThat(job.cancelled).isFalse();
            if (!job.ran() && line.says().equals(MAY_START)) {
                assertThat(out()).as("it may run, and its user knows it").isEqualTo(url(id) + "\n");
            } else if (!job.ran()) {
                assertThat(out().contains(id) && line.how() != How.FOR_GOOD)
                        .as("it does not run, and the CE has said so")
                        .isFalse();
            } else if (command.equals("submit")) {
                assertThat(out()).as("it runs, and its user knows it").isEqualTo(url(id) + "\n");
                assertThat(job.purged).as("what ran is kept").isFalse();
            } else {
                assertThat(err()).as("it runs, and its user knows it").contains(url(id));
                assertThat(job.purged && !out().equals(MemoryCe.PRINTED))
                        .as("what ran is kept until its output is fetched")
                        .isFalse();
            }
        });
    }

    /** The CE refuses it with an error of its own, before it registers anything. */
    @Test
    void aDescriptionThatTheCeDoesNotRecognizeIsRefusedAlone() throws IOException {
        Files.writeString(shared.resolve("empty.adl"), "<ActivityDescriptions/>");
        ce = new MemoryCe(request, server.port());
        server.begin(new CuttingServer.Plan(ce, Call.CANCEL, UNAVAILABLE, 0, false));
        String queue = "localhost:" + server.port() + "/cream-fork-demo";

        assertThat(run(List.of("--protocol", "arcrest", "submit", "-r", queue, "empty.adl", "bare.jdl")))
                .as(err())
                .isEqualTo(1);

        assertThat(out()).isEqualTo(url(JOB) + "\n");
        assertThat(err()).contains("empty.adl: Payload is not recognized").doesNotContain("not known");
    }

    /** Their response is larger than a record of TLS. */
    @Test
    void aHundredJobsWhoseStartIsCutBetweenTwoTlsRecords() {
        for (How how : How.values()) {
            out.reset();
            err.reset();
            ce = new MemoryCe(request, server.port());
            server.begin(new CuttingServer.Plan(
                    ce, Call.START, BETWEEN_TWO_TLS_RECORDS, how == How.ALWAYS ? FOR_EVER : 1, how == How.FOR_GOOD));
            List<String> words =
                    new ArrayList<>(List.of("submit", "-r", "localhost:" + server.port() + "/cream-fork-demo"));
            words.addAll(Collections.nCopies(100, "bare.jdl"));

            assertThat(run(words)).as(err()).isEqualTo(how == How.FOR_GOOD ? 1 : 0);

            assertThat(out()).hasLineCount(100);
            assertThat(ce.jobs.values()).hasSize(100).allMatch(job -> job.starts == 1 && !job.purged);
            assertThat(err()).doesNotContain("do not run");
        }
    }

    private int run(List<String> words) {
        Instant[] now = {Clock.systemUTC().instant()};
        CliContext context = new CliContext(
                new StandardStreams(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        new ByteArrayInputStream(new byte[0]),
                        false),
                Map.of("X509_USER_PROXY", proxy.toString(), "X509_CERT_DIR", grid.certificates.toString()),
                shared,
                ((InstantSource) () -> now[0]).withZone(ZoneOffset.UTC),
                time -> now[0] = now[0].plus(time),
                new ProtocolConnector());
        return Main.run(context, words.toArray(String[]::new));
    }

    private static String url(String id) {
        return "https://localhost:" + server.port() + "/" + id;
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
