package org.gelato.ce.it.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.db.Database;
import org.gelato.ce.core.job.LatencyHistogram;
import org.gelato.ce.core.monitoring.Latency;
import org.gelato.ce.core.monitoring.Measure;
import org.gelato.ce.core.monitoring.Sample;
import org.gelato.ce.core.monitoring.SeriesStore;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteDatabase;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.Skipped;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Debian's Chromium shows the page of a running CE: its numbers are the database's, texts of clients that are not authorized stay texts, and the console is
 * silent. What is seldom is shown in {@code PageIT}.
 */
@Tag("long")
class DashboardIT {
    private static final String EVIL = "Eve <img src=x onerror=alert(1)>'; DROP TABLE job; --";
    private static final String MARKUP = "<img src=x onerror=alert(2)><script>alert(3)</script>' OR 1=1; --";

    private SiteDatabase database;
    private SiteCe ce;
    private Chromium browser;
    private final Map<String, SiteUser> running = new LinkedHashMap<>();

    @Test
    void thePageShowsWhatTheDatabaseHas() throws Exception {
        if (!Files.isExecutable(Chromium.PROGRAM)) {
            Skipped.because("Chromium", "there is no " + Chromium.PROGRAM + "; install Debian's package chromium");
        }
        try (SiteDatabase site = SiteDatabase.start();
                SiteCe served = new SiteCe("dashboard", "fork", JobAccount.name(), site.settings());
                Chromium chromium = new Chromium()) {
            database = site;
            // Before the CE writes its own: an hour's ring has the same slot for now and an hour ago.
            Course.write(database, Instant.now());
            ce = served.start();
            browser = chromium;
            String failed = jobs();
            browser.size(1440, 900);
            browser.colours("light");
            browser.open("https://localhost:" + ce.port() + "/");
            browser.await("document.body && document.body.dataset.shown === 'hour'");
            browser.await("document.querySelector('[data-key=\"jobs.REALLY-RUNNING\"]').textContent === '2'");

            numbersAreTheDatabases();
            textsOfStrangersAreText();
            latestAndFailedJobsAreListed(failed);
            aJobIsFoundAndItsTimeExplained(failed);
            theSpanIsChangedByKeys();
            theFailuresOfAReasonAreFound(failed);
            assertThat(browser.requests())
                    .isNotEmpty()
                    .allMatch(url -> url.startsWith("https://localhost:" + ce.port() + "/"));
            // Who shows no credentials does not see what jobs write, and the console has each refusal.
            assertThat(browser.complaints())
                    .filteredOn(c -> !c.contains("/messages?"))
                    .as("console")
                    .isEmpty();
            cancelWhatRuns();
        }
    }

    /** Of two owners: one job done, one failed, two that run. @return the failed one */
    private String jobs() {
        SiteUser ann = ce.user("Ann of the dashboard");
        SiteUser eve = ce.user(EVIL);
        ann.await(ann.submit(SiteUser.shellJob("true")), "DONE-OK");
        runs(ann);
        runs(eve);
        String failed = ann.submit("[ Executable = \"/usr/bin/nothing-of-this-name\"; ]");
        ann.await(failed, "DONE-FAILED");
        database.execute("UPDATE job SET failure_reason = \"" + MARKUP + "\" WHERE state = 8");
        return failed;
    }

    private void runs(SiteUser user) {
        String id = user.submit(SiteUser.sleepJob(600));
        running.put(id, user);
        user.await(id, "REALLY-RUNNING");
    }

    /** Jobs of the fork batch system outlive their CE. */
    private void cancelWhatRuns() {
        running.forEach((id, user) -> user.must("", "cancel", id));
        running.forEach((id, user) -> user.await(id, "CANCELLED"));
    }

    private static String key(String key) {
        return "document.querySelector('[data-key=\"" + key + "\"]').textContent";
    }

    private void numbersAreTheDatabases() {
        for (String state : List.of("REGISTERED", "PENDING", "IDLE", "RUNNING", "REALLY-RUNNING", "HELD")) {
            long stored = database.number(
                    "SELECT COUNT(*) FROM job j JOIN job_state s ON s.code = j.state WHERE s.name = '" + state + "'");
            browser.await(key("jobs." + state) + " === '" + stored + "'");
        }
        long ended = database.number("SELECT COUNT(*) FROM usage_record");
        assertThat(ended).isPositive();
        // What the tables are of stands beside them.
        browser.await("document.querySelector('#tables-note').textContent.includes('and the " + ended
                + " that ended in the last hour. Each has the 20 rows')");
        browser.await("document.querySelector('#failures-note').textContent.startsWith('Of the "
                + database.number("SELECT COUNT(*) FROM job WHERE state IN (8, 10)")
                + " jobs that failed in the last hour. Purged jobs')");
        browser.await("document.querySelector('#vos tbody tr').cells[3].textContent === '" + ended + "'");
        assertThat(browser.value("document.querySelector('#vos tbody tr').cells[0].textContent")
                        .asText())
                .isEqualTo("dteam");
        // A slot of the past, which nobody writes any more.
        JsonNode row = browser.value("(() => { const d = document.querySelector('#figure-jobs details'); d.open = true;"
                + " return new Promise(r => setTimeout(() => r([...d.querySelectorAll('tbody tr')[30].cells]"
                + ".map(c => c.textContent)), 100)); })()");
        String slot = row.get(0).asText();
        assertThat(row.get(4).asLong())
                .as("idle jobs at %s", slot)
                .isEqualTo(database.number(
                        "SELECT ROUND(JSON_VALUE(numbers, '$.jobs_idle')) FROM series_point WHERE resolution = 0 AND begin_at = '"
                                + slot + ":00'"));
        browser.value("document.querySelector('#figure-jobs details').open = false");
    }

    private void textsOfStrangersAreText() {
        assertThat(database.number("SELECT COUNT(*) FROM subject WHERE dn LIKE '%DROP TABLE%'"))
                .isEqualTo(1);
        browser.await("document.querySelector('#failures').textContent.includes(\"" + MARKUP + "\")");
        browser.await("document.querySelector('#owners').textContent.includes('DROP TABLE')");
        assertThat(browser.value("document.images.length + document.querySelectorAll('main script').length")
                        .asInt())
                .isZero();
        browser.value(
                "[...document.querySelectorAll('#owners button')].find(b => b.textContent.includes('Eve')).click()");
        browser.await("document.querySelectorAll('#results tbody tr').length === 1");
        assertThat(browser.value("document.querySelector('#results tbody tr').cells[7].textContent")
                        .asText())
                .contains("DROP TABLE job");
    }

    /** Before anything is searched for. */
    private void latestAndFailedJobsAreListed(String failed) {
        browser.value("location.hash = '#jobs'");
        browser.await("document.querySelectorAll('#results tbody tr').length === "
                + database.number("SELECT COUNT(*) FROM job"));
        browser.value("location.hash = '#jobs/failed'");
        browser.await("document.querySelectorAll('#results tbody tr').length === "
                + database.number("SELECT COUNT(*) FROM job WHERE state IN (8, 10)"));
        browser.value("document.querySelector('#results tbody a').click()");
        browser.await("document.querySelector('#job').dataset.job === '" + failed.substring(failed.lastIndexOf('/') + 1)
                + "'");
    }

    private void aJobIsFoundAndItsTimeExplained(String url) {
        String id = url.substring(url.lastIndexOf('/') + 1);
        browser.value("(() => { document.querySelector('#text').value = '" + url + "';"
                + " document.querySelector('#search button').click(); })()");
        browser.await("document.querySelector('#job').dataset.job === '" + id + "'");
        assertThat(browser.value("document.querySelectorAll('#stages tbody tr').length")
                        .asLong())
                .isEqualTo(database.number("SELECT COUNT(*) FROM job_state_history h JOIN job j ON j.id = h.job_id"
                        + " JOIN db_info i WHERE MOD(CAST(j.id AS UNSIGNED) * 618033989 + i.number_offset, 1000000000) = "
                        + Long.parseLong(id.substring("CREAM".length()))));
    }

    private void theSpanIsChangedByKeys() {
        browser.value("location.hash = '#now'");
        browser.await("!document.querySelector('#view-now').hidden");
        for (String span : List.of("day", "week", "month")) {
            browser.value("document.querySelector('input[name=span]:checked').focus()");
            browser.press("ArrowRight");
            browser.await("document.body.dataset.shown === '" + span + "'");
        }
        browser.press("ArrowRight");
        browser.await("document.body.dataset.shown === 'hour'");
    }

    private void theFailuresOfAReasonAreFound(String failed) {
        browser.value("document.querySelector('#failures button').click()");
        browser.await("document.querySelector('#found').textContent === ''");
        browser.await("document.querySelector('#live-note').textContent.startsWith('Not allowed')");
        browser.await("document.querySelector('#results').textContent.includes('"
                + failed.substring(failed.lastIndexOf('/') + 1) + "')");
        assertThat(browser.value("document.querySelector('#job-why').textContent")
                        .asText())
                .isEqualTo("Why it failed: " + MARKUP);
    }

    /** A month as a site of some size may have had it, so that the figures show something. */
    private static final class Course {
        static void write(SiteDatabase site, Instant now) {
            try (Database pool = site.pool()) {
                pool.migrate();
                SeriesStore store = new SeriesStore(pool);
                for (int back = 700; back >= 1; back = back > 60 ? back - 5 : back - 1) {
                    store.write("localhost", now.minus(Duration.ofMinutes(back)), sample(back));
                }
            }
        }

        private static Sample sample(int back) {
            double wave = Math.sin(back / 9.0);
            double burst = back % 30 < 8 ? 1 : 0;
            double[] requests = new double[LatencyHistogram.BUCKETS];
            requests[1] = 300;
            requests[2] = 80;
            requests[3] = 10 + 40 * burst;
            double[] handOvers = new double[LatencyHistogram.BUCKETS];
            handOvers[5] = 100;
            handOvers[6] = 60;
            handOvers[8] = 30 * burst + 3;
            return new Sample(
                    60,
                    new EnumMap<>(Map.ofEntries(
                            Map.entry(Measure.JOBS_REGISTERED, 20 + 10 * burst),
                            Map.entry(Measure.JOBS_PENDING, 60 + 500 * burst),
                            Map.entry(Measure.JOBS_IDLE, (double) Math.round(900 + 300 * wave)),
                            Map.entry(Measure.JOBS_RUNNING, 40 + 15 * wave),
                            Map.entry(Measure.JOBS_REALLY_RUNNING, 2000 - 200 * wave),
                            Map.entry(Measure.JOBS_HELD, 3.0),
                            Map.entry(Measure.WAITING_HAND_OVER, 40 + 450 * burst),
                            Map.entry(Measure.WAITING_CONTROL, 2.0),
                            Map.entry(Measure.WAITING_PURGE, 12 + 6 * wave),
                            Map.entry(Measure.WAITING_OTHER, 0.0),
                            Map.entry(Measure.OLDEST_WAITING, 1 + 20 * burst),
                            Map.entry(Measure.DESCRIPTORS, 240 + 20 * wave),
                            Map.entry(Measure.MEMORY_HEAP, 1.2e8 + 5e7 * Math.sin(back)),
                            Map.entry(Measure.MEMORY_JVM, 5.1e8),
                            Map.entry(Measure.MEMORY_DATABASE, 3.4e8),
                            Map.entry(Measure.MEMORY_HELPER, 9e6),
                            Map.entry(Measure.HAND_OVER_WINDOW, 30 - 20 * burst),
                            Map.entry(Measure.HAND_OVER_PAUSED, back == 22 ? 1.0 : 0.0),
                            Map.entry(Measure.REGISTERED, 160 + 700 * burst),
                            Map.entry(Measure.HANDED_OVER, 190 + 300 * burst),
                            Map.entry(Measure.DONE_OK, 180 + 30 * wave),
                            Map.entry(Measure.DONE_FAILED, 6 + 3 * wave),
                            Map.entry(Measure.CANCELLED, 2.0),
                            Map.entry(Measure.ABORTED, burst),
                            Map.entry(Measure.REQUESTS_FAILED, 0.0),
                            Map.entry(Measure.CPU_JVM, 14 + 22 * burst),
                            Map.entry(Measure.CPU_DATABASE, 9 + 14 * burst),
                            Map.entry(Measure.CPU_HELPER, 2 + burst),
                            Map.entry(Measure.STARTS_COMMANDS, 12 + 20 * burst),
                            Map.entry(Measure.STARTS_WORKERS, 0.0),
                            Map.entry(Measure.STARTS_SERVERS, 0.0),
                            Map.entry(Measure.STATEMENTS, 1800 + 2500 * burst),
                            Map.entry(Measure.COMMITS, 700 + 500 * burst))),
                    Map.of(Latency.REQUEST, requests, Latency.HAND_OVER, handOvers));
        }
    }
}
