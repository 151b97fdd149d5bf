package org.gelato.ce.it.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Wrappers that report by HTTPS: no shared spool, and the CE's certificate checked against its grid authority. */
@Tag("long")
class HttpsEventsIT {
    private static SiteCe ce;

    @BeforeAll
    static void start() {
        ce = new SiteCe(
                        "https",
                        "fork",
                        JobAccount.name(),
                        Map.of("gelato.wrapper.events", "https", "gelato.lrms.fork.slots", 2))
                .start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    @Test
    void aSleepJobReportsByHttpsAndLeavesItsOutput() throws IOException {
        SiteUser user = ce.user("Heidi");
        String id = user.submit(SiteUser.shellJob("sleep 2; echo slept"));
        user.await(id, "DONE-OK");
        assertThat(user.info(id).path("exitCode").asText()).isEqualTo("0");
        // Only the wrapper knows when the payload runs, and it has no other way to report it.
        assertThat(user.info(id).path("history").findValuesAsText("status"))
                .containsSubsequence("PENDING", "REALLY-RUNNING", "DONE-OK");
        Path target = ce.base().resolve("output");
        user.must("", "output", "-d", target.toString(), id);
        assertThat(target.resolve("env.out")).hasContent("slept");
        assertThat(Files.readString(ce.log())).doesNotContain(" ERROR ");
    }
}
