package org.gelato.ce.it.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages and output of jobs that run, from the job's own commands to {@code ce follow} and {@code ce messages}. */
class FollowIT {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Pattern MESSAGE = Pattern.compile(".*Z (?:DEBUG|INFO|WARNING|ERROR) .*");

    private static SiteCe ce;

    @BeforeAll
    static void start() throws IOException {
        Map<String, Object> settings = Map.of("gelato.lrms.fork.slots", 8);
        ce = new SiteCe("follow", "fork", JobAccount.name(), settings);
        Path list = Files.writeString(
                ce.base().resolve("vo-admins"),
                "\"" + DnForms.slash(ce.pki().user("Vera of follow").subject()) + "\" dteam\n");
        Files.writeString(
                ce.configuration(),
                "\ngelato.authorization.vo-admins = \"" + list + "\"\n",
                java.nio.file.StandardOpenOption.APPEND);
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    /** {@code ce follow}, as it runs. */
    private static final class Following {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final ByteArrayOutputStream err = new ByteArrayOutputStream();
        private final CompletableFuture<Integer> exit;

        Following(SiteUser user, String... words) {
            exit = CompletableFuture.supplyAsync(() -> user.run(out, err, "", words));
        }

        String out() {
            return out.toString(StandardCharsets.UTF_8);
        }

        String err() {
            return err.toString(StandardCharsets.UTF_8);
        }

        List<String> lines() {
            return out().lines()
                    .filter(l -> !MESSAGE.matcher(l).matches())
                    .map(l -> l.replaceFirst("\\| ", ""))
                    .toList();
        }

        /** The texts of messages, after time, level and key. */
        List<String> messages() {
            return out().lines()
                    .filter(l -> MESSAGE.matcher(l).matches())
                    .map(l -> l.replaceFirst(".*Z [A-Z]+ (?:\\[[^]]*] )?", ""))
                    .toList();
        }

        void awaitText(String text) {
            await(text).atMost(PATIENCE).until(() -> exit.isDone() || out().contains(text));
            assertThat(out()).as(err()).contains(text);
        }

        int end() {
            await("the end").atMost(PATIENCE).until(exit::isDone);
            return exit.join();
        }
    }

    private static List<String> numbered(String word, int to) {
        return IntStream.rangeClosed(1, to).mapToObj(i -> word + i).toList();
    }

    /** A job that sends its output from its start on. */
    private static String liveJob(String line) {
        return SiteUser.shellJob(line).replaceFirst("]$", "LiveOutput = true; ]");
    }

    /** What a job does until a file is there: the test sees it while it runs. */
    private static String until(Path file) {
        return "while [ ! -e " + file + " ]; do sleep 0.2; done; ";
    }

    @Test
    void outputAndMessagesOfAJobAreSeenWhileItRunsInOrderAndComplete() throws Exception {
        SiteUser user = ce.user("Fay of follow");
        Path go = ce.base().resolve("go-1");
        String job = user.submit(
                SiteUser.shellJob(
                        "for i in {1..20}; do echo line$i; gelato-message --key step --level warning"
                                + " text$i; done; " + until(go)
                                + "for i in {21..40}; do echo line$i; gelato-message text$i; done; echo to-err >&2; printf unended; exit 3"));
        Following following = new Following(user, "follow", job);
        following.awaitText("line20");
        following.awaitText("WARNING [step] text20");
        assertThat(following.exit.isDone()).isFalse();
        Files.createFile(go);
        assertThat(following.end()).as(following.err()).isEqualTo(1);
        List<String> lines = new ArrayList<>(numbered("line", 40));
        lines.add("unended");
        assertThat(following.lines()).isEqualTo(lines);
        assertThat(following.messages()).isEqualTo(numbered("text", 40));
        assertThat(following.err()).contains("to-err", " DONE-OK exit=3");
        // Who comes later reads the same, and so does a page.
        Following later = new Following(user, "follow", job);
        assertThat(later.end()).isEqualTo(1);
        assertThat(later.err()).contains("has ended: shown is what it sent while it ran");
        assertThat(later.lines()).isEqualTo(lines);
        assertThat(later.messages()).isEqualTo(numbered("text", 40));
        JsonNode page = user.must("", "messages", "--json", job).json();
        List<Long> numbers = new ArrayList<>();
        page.path("messages").forEach(m -> numbers.add(m.path("number").asLong()));
        assertThat(numbers)
                .isEqualTo(IntStream.rangeClosed(1, 40).mapToObj(i -> (long) i).toList());
        String latest = user.must("", "messages", "--latest", job).out();
        assertThat(latest.lines()).hasSize(2);
        assertThat(latest).contains("WARNING [step] text20", "INFO text40");
        String cursor = page.at("/messages/37/cursor").asText();
        assertThat(user.must("", "messages", "--after", cursor, job).out().lines())
                .hasSize(2);
    }

    @Test
    @Tag("long")
    void severalJobsHaveAPrefixAndEndTogether() throws Exception {
        SiteUser user = ce.user("Sue of follow");
        String first = user.submit(liveJob("for i in {1..10}; do echo one$i; sleep 0.1; done"));
        String second = user.submit(liveJob("for i in {1..10}; do echo two$i; gelato-message two; sleep 0.1; done"));
        Following following = new Following(user, "follow", first, second);
        assertThat(following.end()).as(following.err()).isZero();
        for (String job : List.of(first, second)) {
            String id = job.substring(job.lastIndexOf('/') + 1);
            assertThat(following.lines().stream()
                            .filter(l -> l.startsWith(id + " "))
                            .map(l -> l.substring(id.length() + 1)))
                    .isEqualTo(numbered(job.equals(first) ? "one" : "two", 10));
            assertThat(following.err()).contains("ce follow: " + id + " DONE-OK exit=0");
        }
        assertThat(following.messages()).hasSize(10);
    }

    /** A follower of a CE that is killed and comes back gets everything once. */
    @Test
    @Tag("long")
    void nothingIsLostOrShownTwiceWhenTheCeIsKilled() throws Exception {
        SiteUser user = ce.user("Kim of follow");
        Path go = ce.base().resolve("go-2");
        String job = user.submit(SiteUser.shellJob("for i in {1..30}; do echo line$i; gelato-message text$i; done; "
                + until(go) + "for i in {31..60}; do echo line$i; gelato-message text$i; done"));
        Following following = new Following(user, "follow", job);
        following.awaitText("INFO text30");
        ce.kill();
        Files.createFile(go);
        ce.start();
        assertThat(following.end()).as(following.err()).isZero();
        assertThat(following.messages()).isEqualTo(numbered("text", 60));
        assertThat(following.lines()).isEqualTo(numbered("line", 60));
        assertThat(following.err()).contains("trying again");
    }

    @Test
    void othersSeeNothingAndAnAdministratorOfTheVoEverything() {
        SiteUser user = ce.user("Oda of follow");
        String job = user.submit(SiteUser.shellJob("gelato-message --key secret of-oda"));
        user.await(job, "DONE-OK");
        await().atMost(PATIENCE)
                .until(() -> user.must("", "messages", job).out().contains("of-oda"));
        SiteUser other = ce.user("Ned of follow");
        assertThat(other.run("", "messages", job).err()).contains("job not found");
        assertThat(other.run("", "follow", job).exit()).isEqualTo(1);
        assertThat(other.must("", "messages", "--all").out()).isEmpty();
        assertThat(other.run("", "messages", "--vo", "dteam").exit()).isEqualTo(1);
        assertThat(other.run("", "messages", "--everybody").exit()).isEqualTo(1);
        SiteUser watcher = ce.user("Vera of follow");
        assertThat(watcher.must("", "messages", "--vo", "dteam", "--key", "sec*")
                        .out())
                .contains("INFO [secret] of-oda");
        assertThat(watcher.must("", "messages", job).out()).contains("of-oda");
        assertThat(watcher.run("", "messages", "--vo", "atlas").exit()).isEqualTo(1);
        user.must("", "purge", job);
        await().atMost(PATIENCE).until(() -> user.run("", "messages", job).err().contains("job not found"));
        assertThat(watcher.must("", "messages", "--vo", "dteam", "--key", "sec*")
                        .out())
                .doesNotContain("of-oda");
    }

    /** Bytes that are no text, control characters and long lines come through, and harm nobody. */
    @Test
    void whateverAJobPrintsIsShownHarmlessly() {
        SiteUser user = ce.user("Hal of follow");
        String job = user.submit(liveJob("printf \\\\033]0\\;title\\\\007\\\\377end\\\\n; gelato-message a$(printf"
                + " \\\\033)b; gelato-message --level loud x; echo status$?"));
        Following following = new Following(user, "follow", job);
        assertThat(following.end()).as(following.err()).isZero();
        assertThat(following.out()).doesNotContain("\u001b", "\u0007").contains("status2");
        assertThat(following.messages()).hasSize(1);
        assertThat(following.messages().get(0)).startsWith("a").endsWith("b");
    }
}
