package org.gelato.ce.it.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.gelato.ce.it.badinput.RawClient.Reply;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.testkit.pki.GridPki;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One user has registered more megabytes of job descriptions than the server has memory for, and has them shown, several times at
 * once: each response is complete, and other clients' calls continue.
 */
@Tag("long")
class ManyLongDescriptionsIT {
    private static final int CALLS = 15;
    private static final int JOBS_OF_A_CALL = 9;
    private static final int JOBS = CALLS * JOBS_OF_A_CALL;
    private static final int LENGTH = 1_000_000;
    private static final int AT_ONCE = 3;
    private static final String INFO_OF_ALL = "<t:JobInfoRequest xmlns:t=\"" + RawClient.TYPES + "\"/>";

    private static SiteCe ce;
    private static GridPki pki;

    @BeforeAll
    static void start() {
        ce = new SiteCe(
                "long", "fork", JobAccount.name(), Map.of("gelato.lrms.fork.slots", 1, "gelato.http.threads", 64));
        pki = ce.pki();
        ce.start(ce.program("-Xmx256m", "-XX:+ExitOnOutOfMemoryError"), Map.of(), "/health/ready");
        ce.user("Alice").must("", "delegate", "alice");
    }

    @AfterAll
    static void stop() {
        ce.close();
    }

    private static RawClient client(String user) {
        return new RawClient(ce, pki.proxy(pki.user(user)).make());
    }

    private static String registration() {
        String description = "<t:jobDescriptionList><t:JDL>[ Executable = \"/bin/true\"; BatchSystem = \"fork\";"
                + " QueueName = \"long\"; Note = \"" + "n".repeat(LENGTH) + "\"; ]</t:JDL>"
                + "<t:delegationId>alice</t:delegationId><t:autoStart>false</t:autoStart></t:jobDescriptionList>";
        return "<t:JobRegisterRequest xmlns:t=\"" + RawClient.TYPES + "\">" + description.repeat(JOBS_OF_A_CALL)
                + "</t:JobRegisterRequest>";
    }

    /** What a response of any length contains; the text between is not kept. */
    private record Seen(int results, long notes, String end) {
        static Seen of(InputStream in) throws IOException {
            String start = "<result ";
            int results = 0;
            long notes = 0;
            String rest = "";
            byte[] buffer = new byte[1 << 16];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                String text = rest + new String(buffer, 0, n, StandardCharsets.ISO_8859_1);
                for (int i = text.indexOf(start); i >= 0; i = text.indexOf(start, i + 1)) {
                    results++;
                }
                rest = text.substring(Math.max(0, text.length() - start.length() + 1));
                for (int i = 0; i < n; i++) {
                    notes += buffer[i] == 'n' ? 1 : 0;
                }
            }
            return new Seen(results, notes, rest);
        }
    }

    @Test
    void severalJobInfosOfAllOfThemDoNotEndTheServer() throws Exception {
        RawClient alice = client("Alice");
        String registration = registration();
        for (int i = 0; i < CALLS; i++) {
            Reply reply = alice.cream2("JobRegister", registration);
            assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        }
        SiteUser bob = ce.user("Bob");
        bob.must("", "delegate", "bob");
        RawClient bobs = client("Bob");
        assertThat(bobs.cream2("JobRegister", WireTexts.register("bob")).status())
                .isEqualTo(200);
        String job = bobs.jobs().iterator().next();

        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        List<Future<Seen>> responses = new ArrayList<>();
        try {
            for (int i = 0; i < AT_ONCE; i++) {
                responses.add(threads.submit(() -> {
                    try (InputStream in = client("Alice").open("JobInfo", INFO_OF_ALL)) {
                        return Seen.of(in);
                    }
                }));
            }
            do {
                Reply reply = bobs.onJob("JobStatus", job);
                assertThat(reply.status()).as(reply.body()).isEqualTo(200);
                assertThat(reply.body()).contains("<jobStatus>");
            } while (!responses.stream().allMatch(Future::isDone));
            for (Future<Seen> response : responses) {
                Seen seen = response.get(10, TimeUnit.MINUTES);
                assertThat(seen.results()).isEqualTo(JOBS);
                assertThat(seen.notes()).isGreaterThanOrEqualTo((long) JOBS * LENGTH);
                assertThat(seen.end()).endsWith("velope>");
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(ce.process().isAlive()).isTrue();
    }
}
