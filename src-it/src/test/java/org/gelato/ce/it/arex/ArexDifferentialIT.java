package org.gelato.ce.it.arex;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.arex.ArexBatch;
import org.gelato.ce.testkit.arex.ArexSite;
import org.gelato.ce.testkit.pki.DelegationSigner;
import org.gelato.ce.testkit.pki.GridCredential;
import org.gelato.ce.testkit.site.FreePort;
import org.gelato.ce.testkit.wire.WireConnection;
import org.gelato.ce.testkit.wire.WireResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same requests to A-REX and to this CE: each difference of status, reason phrase, content type and shape of the body
 * stands in docs/user/compatibility.md with its reason, and nothing else stands there. What was seen lies in
 * {@code target/arex-differences.txt}. What is shown of jobs that have ended is the same. The page has A-REX 6.17; what
 * differs from it with A-REX 7 stands here.
 */
@Tag("long")
class ArexDifferentialIT {
    private static final Path PAGE = Path.of("..", "docs", "user", "compatibility.md");
    private static final String ROOT = "/arex/rest";
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String WAITING =
            "&(executable=/bin/true)(queue=long)(inputfiles=(in.txt \"\"))(delegationid={DELEGATION})";
    /** Lists of one are lists in version 7, and empty ones are there. */
    private static final Set<String> NOT_WITH_7 = Set.of(
            Differences.row("GET /1.0/delegations", "names", "none", "expires type"),
            Differences.row("every answer in JSON", "a single delegation", "an object", "a list"),
            Differences.row("every answer in JSON", "a single job", "an object", "a list"),
            Differences.row("every answer in JSON", "a single version", "an object", "a list"),
            Differences.row("every empty list in JSON", "body", "empty", "a list without members"));

    private static final Set<String> ONLY_WITH_7 = Set.of(
            Differences.row("GET /1.0/delegations", "names", "none", "expires"),
            Differences.row("every error", "body", "empty", "JSON"));

    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    /** A server, and what its placeholders stand for. */
    private static final class Server implements AutoCloseable {
        private final WireConnection connection;
        private final Map<String, String> words = new TreeMap<>();

        Server(WireConnection connection, GridCredential proxy, String unknown) {
            this.connection = connection;
            WireResponse request = send("POST", "/1.0/delegations?action=new", Map.of(), "");
            String location = request.header("location");
            words.put("{DELEGATION}", location.substring(location.lastIndexOf('/') + 1));
            String chain = new DelegationSigner(Clock.systemUTC())
                    .sign(proxy, request.text(), Duration.ofHours(2), DelegationSigner.Habit.MODERN);
            assertThat(send("PUT", "/1.0/delegations/{DELEGATION}", Map.of(), chain)
                            .status())
                    .isEqualTo(200);
            words.put("{UNKNOWN}", unknown);
            Matcher id = ID.matcher(send("POST", "/1.0/jobs?action=new", Map.of("Accept", "application/json"), WAITING)
                    .text());
            assertThat(id.find()).isTrue();
            words.put("{JOB}", id.group(1));
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> send("GET", "/1.0/jobs?state=PREPARING", Map.of("Accept", "application/json"), null)
                            .text()
                            .contains(id.group(1)));
        }

        private WireResponse send(String method, String target, Map<String, String> headers, String body) {
            String filled = filled(body);
            return connection.send(
                    method,
                    ROOT + filled(target),
                    headers,
                    filled == null ? null : filled.getBytes(StandardCharsets.UTF_8));
        }

        String text(String method, String target, Map<String, String> headers, String body) {
            return send(method, target, headers, body).text();
        }

        private String filled(String text) {
            String filled = text;
            for (Map.Entry<String, String> word : words.entrySet()) {
                filled = filled == null ? null : filled.replace(word.getKey(), word.getValue());
            }
            return filled;
        }

        WireResponse answer(Case one) {
            return send(one.method(), one.target(), one.headers(), one.body());
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    @Test
    void everyDifferenceToArexIsListedAndEveryListedOneIsThere() throws IOException {
        Optional<String> missing = ArexSite.missing();
        if (missing.isPresent()) {
            Skipped.because("Arex", missing.get());
        }
        Map<String, List<String>> differences = new TreeMap<>();
        List<Case> cases = Cases.all();
        try (SiteCe ce = new SiteCe("arex", "fork", JobAccount.name(), Map.of("gelato.lrms.fork.slots", 2))) {
            Files.setPosixFilePermissions(ce.base(), PosixFilePermissions.fromString("rwxr-xr-x"));
            try (ArexSite arex = new ArexSite(
                    ce.base().resolve("arex"), FreePort.choose(), ce.pki(), JobAccount.name(), ArexBatch.fork())) {
                arex.start();
                ce.start();
                arex.awaitDescription();
                GridCredential proxy =
                        ce.pki().proxy(ce.pki().user("Ann of both")).make();
                try (Server theirs = new Server(
                                WireConnection.to(arex.port(), ce.pki(), proxy, PATIENCE),
                                proxy,
                                "NosuchNosuchNosuch");
                        Server ours = new Server(
                                WireConnection.to(ce.port(), ce.pki(), proxy, PATIENCE), proxy, "CREAM000000001")) {
                    EndedJobs ourJobs = new EndedJobs(ours::text);
                    EndedJobs theirJobs = new EndedJobs(theirs::text);
                    for (Case one : cases) {
                        compare(one, theirs.answer(one), ours.answer(one), differences);
                    }
                    Map<String, EndedJobs.End> ends = theirJobs.ends();
                    Files.write(
                            Path.of("target", "arex-ends.txt"),
                            ends.entrySet().stream().map(Object::toString).toList());
                    // By state A-REX lists a killed job among the failed ones, and shows it as killed elsewhere.
                    ends.computeIfPresent(EndedJobs.KILLED, (way, end) -> end.withListed("KILLED as KILLED"));
                    assertThat(ourJobs.ends()).isEqualTo(ends);
                }
            }
        }
        List<String> seen = new ArrayList<>();
        differences.forEach((row, requests) -> {
            seen.add(row);
            requests.forEach(request -> seen.add("    " + request));
        });
        Files.write(Path.of("target", "arex-differences.txt"), seen);
        assertThat(cases).hasSizeGreaterThan(200);
        Set<String> expected = listed();
        if (ArexSite.version() >= 7) {
            assertThat(expected).containsAll(NOT_WITH_7);
            expected.removeAll(NOT_WITH_7);
            expected.addAll(ONLY_WITH_7);
        }
        assertThat(differences.keySet()).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static void compare(Case one, WireResponse theirs, WireResponse ours, Map<String, List<String>> found) {
        String seen = one + "\n      A-REX:  " + theirs.status() + " " + theirs.phrase() + " " + theirs.mediaType()
                + " " + head(theirs) + "\n      Gelato: " + ours.status() + " " + ours.mediaType() + " " + head(ours);
        Differences differences = new Differences(
                one.group(),
                row -> found.computeIfAbsent(row, r -> new ArrayList<>()).add(seen));
        if (!theirs.phrase().isEmpty() && ours.phrase().isEmpty()) {
            differences.add("every answer", "reason phrase", "a text", "none");
        }
        if (theirs.status() != ours.status()) {
            differences.add("status", theirs.status(), ours.status());
            return;
        }
        Shape a = Shape.of(theirs);
        Shape b = Shape.of(ours);
        if (theirs.status() >= 400) {
            differences.add("every error", "body", a.form(), b.form());
            return;
        }
        if (a.form().equals("empty") && b.form().equals("JSON")) {
            differences.add("every empty list in JSON", "body", "empty", "a list without members");
            return;
        }
        differences.add(
                b.form().equals("HTML") ? "every answer in HTML" : one.group(), "type", type(theirs), type(ours));
        differences.add("body", a.form(), b.form());
        if (a.form().equals(b.form())) {
            differences.add("names", last(without(a.names(), b.names())), last(without(b.names(), a.names())));
            Set<String> both = new TreeSet<>(a.names());
            both.retainAll(b.names());
            Set<String> ownLists = new TreeSet<>(b.lists());
            ownLists.retainAll(both);
            Set<String> theirLists = new TreeSet<>(a.lists());
            theirLists.retainAll(both);
            without(ownLists, theirLists)
                    .forEach(name ->
                            differences.add("every answer in JSON", "a single " + last(name), "an object", "a list"));
        }
    }

    private static Set<String> last(Set<String> paths) {
        Set<String> names = new TreeSet<>();
        paths.forEach(path -> names.add(last(path)));
        return names;
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String type(WireResponse response) {
        return response.body().length == 0 || response.mediaType().isEmpty() ? "none" : response.mediaType();
    }

    private static String head(WireResponse response) {
        String text = response.text().replaceAll("\\s+", " ");
        return text.substring(0, Math.min(300, text.length()));
    }

    private static Set<String> without(Set<String> some, Set<String> others) {
        Set<String> left = new TreeSet<>(some);
        left.removeAll(others);
        return left;
    }

    /** The first four columns of the page's table. */
    private static Set<String> listed() throws IOException {
        Set<String> rows = new TreeSet<>();
        boolean inTable = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("| request | what | A-REX 6.17 | Gelato | reason |")) {
                inTable = true;
            } else if (inTable && line.startsWith("| ")) {
                String[] columns = line.split("\\|");
                assertThat(columns).as(line).hasSize(6);
                assertThat(columns[5].strip()).as(line).isNotEmpty();
                rows.add(Differences.row(
                        columns[1].strip(), columns[2].strip(), columns[3].strip(), columns[4].strip()));
            } else if (!line.startsWith("|---")) {
                inTable = false;
            }
        }
        return rows;
    }
}
