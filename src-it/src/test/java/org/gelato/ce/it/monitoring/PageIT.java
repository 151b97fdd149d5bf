package org.gelato.ce.it.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.gelato.ce.it.site.Skipped;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Debian's Chromium shows the dashboard in situations that are seldom, with data that a CE would send then: what is wrong stands first,
 * nothing of it needs eyes, colours or a mouse, and foreign texts stay texts. The pictures of {@code docs/admin/screens} are made here,
 * in {@code target/screens}.
 */
class PageIT {
    private static final int MAX_BYTES = 300_000;
    private static final int MAX_OF_A_PICTURE = 120_000;
    private static final Path SCREENS = Path.of("target", "screens");

    private static PageServer server;
    private static Chromium browser;
    private static String axe;

    @BeforeAll
    static void start() throws Exception {
        if (!Files.isExecutable(Chromium.PROGRAM)) {
            Skipped.because("Chromium", "there is no " + Chromium.PROGRAM + "; install Debian's package chromium");
        }
        server = new PageServer();
        browser = new Chromium();
        try (InputStream in = PageIT.class.getResourceAsStream("/axe.min.js")) {
            axe = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        Files.createDirectories(SCREENS);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void usual() {
        server.refuse(0);
        browser.size(1100, 800);
        browser.colours("light");
        server.show(Situations.ALL_WELL);
        browser.open("about:blank");
        browser.await("location.href === 'about:blank'");
        browser.forget();
    }

    private static void open(Situations situation, String hash) {
        server.show(situation);
        browser.open("about:blank");
        browser.await("location.href === 'about:blank'");
        browser.open(server.page() + hash);
        browser.await("document.body && document.body.dataset.shown === 'hour'");
    }

    private static String text(String selector) {
        return browser.value("document.querySelector('" + selector + "').innerText")
                .asText();
    }

    private static String number(String id) {
        return browser.value("document.querySelector('#number-" + id + " .value').textContent")
                .asText();
    }

    /** Two frames: what was changed is drawn. */
    private static void drawn() {
        browser.value("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(1))))");
    }

    private static void accessible(String what) {
        if (browser.value("typeof axe === 'undefined'").asBoolean()) {
            browser.value("(() => { " + axe + "; return 1; })()");
        }
        JsonNode violations = browser.value(
                "axe.run(document, {resultTypes: ['violations']}).then(r => r.violations.map(v =>"
                        + " v.id + ': ' + v.nodes.map(n => n.target.join(' ') + ' ' + n.failureSummary).slice(0, 3).join('; ')))");
        assertThat(violations).as(what).isEmpty();
    }

    private static void picture(String name, boolean whole) throws IOException {
        drawn();
        Path file = SCREENS.resolve(name + ".png");
        browser.picture(file, whole);
        Pictures.reduce(file);
        assertThat(file).as(name).satisfies(f -> assertThat(Files.size(f)).isLessThan(MAX_OF_A_PICTURE));
    }

    @Test
    void whatIsWrongStandsFirst() throws IOException {
        open(Situations.SLURM_DOWN, "");
        assertThat(text("#verdict-title")).contains("Error", "Slurm does not respond: 50 jobs wait, none is lost");
        assertThat(text("#problem"))
                .contains("Since 03:04 UTC", "17 jobs are not handed over", "states of 445 are 3 minutes old")
                .contains("systemctl status slurmctld", "Slurmctld(primary) at ce01 is DOWN");
        assertThat(text("#checks-summary")).isEqualTo("Checks: 1 of 8 not in order");
        // Its words have the width of the page.
        assertThat(browser.value(
                                "document.querySelector('.said').clientWidth / document.querySelector('main').clientWidth")
                        .asDouble())
                .isGreaterThan(0.9);
        assertThat(number("waiting")).isEqualTo("50");
        assertThat(text("#number-waiting .detail")).isEqualTo("17 here, 33 in slurm (as of 03:04 UTC)");
        assertThat(text("#number-running .detail")).isEqualTo("as of 03:04 UTC");
        assertThat(browser.value("document.querySelector('#batch').textContent").asText())
                .contains("last poll3.3 min agoslots free68 of 480 (as of 03:03 UTC)")
                .containsOnlyOnce("as of");
        assertThat(number("rate")).isEqualTo("0");
        assertThat(number("failed")).isEqualTo("6");
        assertThat(text("#number-failed .detail")).startsWith("5 × Slurm says: OUT_OF_MEMORY");
        assertThat(text("#number-oldest .detail")).startsWith(Situations.JOB);
        for (String scheme : List.of("light", "dark")) {
            browser.colours(scheme);
            drawn();
            accessible("Slurm is down, " + scheme);
        }
        browser.colours("light");
        picture("slurm-down", false);
        browser.size(390, 844);
        browser.colours("dark");
        drawn();
        assertThat(browser.value("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(390);
        accessible("on a phone");
        picture("phone", false);
        assertThat(browser.complaints()).as("console").isEmpty();
    }

    @Test
    void allIsWellAndTheViewsAreReachedByKeys() throws IOException {
        open(Situations.ALL_WELL, "");
        assertThat(text("#verdict-title")).contains("Everything works");
        assertThat(text("#problem")).isEqualTo("412 jobs run, 12 wait.");
        assertThat(number("running")).isEqualTo("412");
        assertThat(text("#time")).contains("here 120 ms", "in slurm 41.5 s", "running 2.2 h");
        picture("all-well", true);
        browser.value("document.querySelector('#number-running button').focus()");
        browser.press("Enter");
        browser.await("!document.querySelector('#graph').hidden && document.querySelector('#graph canvas')");
        assertThat(text("#graph figcaption")).isEqualTo("running");
        browser.value("document.querySelector('input[name=span]:checked').focus()");
        browser.press("ArrowRight");
        browser.await("document.body.dataset.shown === 'day'");
        browser.value("document.querySelector('nav a[href=\"#machine\"]').focus()");
        browser.press("Enter");
        browser.await("document.querySelectorAll('#charts canvas').length > 10");
        assertThat(text("nav a[aria-current=page]")).isEqualTo("Machine");
        accessible("the machine");
        assertThat(browser.value("(async () => { const own = performance.getEntriesByType('resource')"
                                + ".map(e => e.name).filter(n => n.match(/\\.(js|css|svg)$/));"
                                + " const sizes = await Promise.all([location.origin, ...own].map(async u =>"
                                + " (await (await fetch(u)).arrayBuffer()).byteLength));"
                                + " return sizes.reduce((a, b) => a + b); })()")
                        .asInt())
                .isBetween(50_000, MAX_BYTES);
        assertThat(browser.complaints()).as("console").isEmpty();
    }

    @Test
    void aJobSaysWhatItWritesWhileItRuns() {
        open(Situations.RUNNING_JOB, "#job/" + Situations.JOB);
        browser.await("document.querySelector('#live').textContent.includes('<b>event</b> 3000')");
        assertThat(text("#live")).contains("event 1000 of 50000\nevent 2000 of 50000");
        assertThat(browser.value("document.querySelectorAll('#stages .course i').length")
                        .asInt())
                .isEqualTo(5);
        assertThat(text("#job-state")).contains("REALLY-RUNNING", "since 15 min ago");
        accessible("a job");
        server.refuse(404);
        browser.value("location.hash = '#now'");
        browser.await("document.querySelector('#live').hidden");
        assertThat(browser.complaints()).as("console").isEmpty();
    }

    private static void title(String title) {
        browser.await(
                "!document.querySelector('#results-card').hidden && document.querySelector('#results-title').textContent === '"
                        + title + "'");
    }

    private static void shown(String job) {
        browser.await("!document.querySelector('#job').hidden && document.querySelector('#job-title').textContent === '"
                + job + "'");
    }

    private static void search(String words) {
        browser.value("(() => { document.querySelector('#text').value = '" + words + "';"
                + " document.querySelector('#search').requestSubmit(); })()");
    }

    /** The cells of a column of the jobs that are listed. */
    private static List<String> listed(int column) {
        List<String> cells = new ArrayList<>();
        browser.value("[...document.querySelectorAll('#results tbody tr')].map(row => row.cells[" + column
                        + "].innerText)")
                .forEach(cell -> cells.add(cell.asText()));
        return cells;
    }

    @Test
    void jobsAreListedFilteredAndOpened() throws IOException {
        open(Situations.FAILED_JOB, "#jobs");
        title("Latest jobs");
        assertThat(text("#found")).isEqualTo("11 jobs");
        assertThat(listed(0)).hasSize(11).startsWith("CREAM859534547").endsWith(Situations.JOB);
        assertThat(listed(1)).anyMatch(state -> state.endsWith("DONE-OK\nexit code 3"));
        accessible("latest jobs");
        picture("jobs", true);
        browser.value("document.querySelector('#search a[href=\"#jobs/failed\"]').click()");
        title("Jobs that failed last");
        assertThat(listed(1)).hasSize(3).first().asString().contains("DONE-FAILED\nSlurm says: OUT_OF_MEMORY");
        for (int width : List.of(390, 1100)) {
            browser.size(width, 800);
            drawn();
            assertThat(browser.value("document.documentElement.scrollWidth").asInt())
                    .isLessThanOrEqualTo(width);
            accessible("jobs that failed last, at " + width);
        }
        browser.value("document.querySelector('#results tbody a').click()");
        shown(Situations.JOB);
        assertThat(text("#job-why")).startsWith("Why it failed: Slurm says: OUT_OF_MEMORY");

        search("biomed");
        title("Found");
        assertThat(listed(6)).hasSize(4).containsOnly("biomed");
        assertThat(browser.value("location.hash").asText()).isEqualTo("#jobs/text/biomed");
        assertThat(browser.value("document.querySelector('#job').hidden").asBoolean())
                .isTrue();
        search("wn017");
        shown("CREAM859534498");
        search("/no?such#one");
        browser.await("document.querySelector('#found').textContent === 'No job is known by this text.'");
        assertThat(listed(0)).containsExactly("none");
        browser.value("document.querySelector('nav a[href=\"#jobs\"]').click()");
        title("Latest jobs");
        assertThat(browser.value("document.querySelector('#text').value").asText())
                .isEmpty();
        assertThat(browser.complaints()).as("console").isEmpty();
    }

    @Test
    void aJobThatIsRefusedOrComesLateLeavesThePageAsItIs() {
        open(Situations.RUNNING_JOB, "#job/" + Situations.JOB);
        shown(Situations.JOB);
        server.refuse(503);
        browser.value("Jobs.again()");
        browser.await("document.querySelector('#found').textContent === 'refused by the test'");
        assertThat(text("#job-title")).isEqualTo(Situations.JOB);
        browser.value("location.hash = '#job/CREAM000000001'");
        browser.await("document.querySelector('#job').hidden");
        server.refuse(0);
        browser.value("location.hash = '#job/" + Situations.JOB + "'");
        shown(Situations.JOB);
        assertThat(text("#found")).isEmpty();

        browser.value("""
                (() => { const real = fetch; window.fetch = async (url, options) => {
                  const answer = await real(url, options);
                  if (!url.includes("CREAM000000002")) {
                    return answer;
                  }
                  const body = await answer.json();
                  await new Promise(go => { window.late = go; });
                  return {ok: true, status: 200, json: async () => { window.read = true; return body; }};
                }; })()""");
        browser.value("location.hash = '#job/CREAM000000002'");
        browser.await("window.late");
        browser.value("location.hash = '#job/CREAM000000003'");
        shown("CREAM000000003");
        browser.value("window.late()");
        browser.await("window.read");
        drawn();
        assertThat(text("#job-title")).isEqualTo("CREAM000000003");
    }

    @Test
    void refusalsAndLossesAreShown() {
        server.refuse(403);
        browser.open(server.page());
        browser.await("document.querySelector('#token-form') && !document.querySelector('#token-form').hidden");
        assertThat(text("#notice")).contains("refused by the test");
        assertThat(browser.value("document.querySelector('#view-now').hidden").asBoolean())
                .isTrue();
        accessible("not allowed");
        server.refuse(0);
        browser.value("document.querySelector('#token-form button').click()");
        browser.await("document.body.dataset.shown === 'hour'");
        assertThat(browser.value("document.querySelector('#token-form').hidden").asBoolean())
                .isTrue();
        server.refuse(503);
        browser.value("document.dispatchEvent(new Event('visibilitychange'))");
        browser.await("!document.querySelector('#notice').hidden");
        // What was there stays.
        assertThat(number("running")).isEqualTo("412");
    }

    @Test
    @Tag("long")
    void theOtherSituations() throws IOException {
        open(Situations.DISK_FULL, "");
        assertThat(text("#verdict-title"))
                .contains("New jobs are refused: the disk of /var/lib/gelato-sandbox is almost full");
        assertThat(text("#problem")).contains("df -h /var/lib/gelato-sandbox");
        picture("disk-full", false);
        open(Situations.CERTIFICATE_ENDS, "");
        assertThat(text("#verdict-title")).contains("Warning", "The host certificate ends in 5 days");
        assertThat(text("#problem")).startsWith("Since 2026-03-12 03:07 UTC (2 d ago). All works until then");
        picture("certificate-ends", false);
        open(Situations.MANY_JOBS, "");
        assertThat(text("#verdict-title")).contains("Everything works");
        assertThat(text("#others")).contains("VO biomed takes no new jobs: drained by an administrator");
        assertThat(number("waiting")).isEqualTo("3\u202f800");
        assertThat(text("#suspects"))
                .contains("wn042: 198 of 220 jobs failed or exited with a code other than 0; elsewhere 1.3 %");
        assertThat(text("#closed")).contains("vo biomed", "moves to the new storage", "Mallory", "stolen key");
        assertThat(text("#vos")).contains("drained");
        accessible("10 000 jobs");
        browser.colours("dark");
        picture("many-jobs", true);
        browser.colours("light");
        open(Situations.EMPTY, "");
        assertThat(text("#problem")).isEqualTo("There are no jobs.");
        assertThat(text("#empty")).contains("No job has come to this CE yet");
        assertThat(number("oldest")).isEqualTo("none");
        accessible("empty");
        picture("empty", false);
        open(Situations.FAILED_JOB, "");
        browser.value("document.querySelector('#failures button').click()");
        browser.await("document.querySelector('#job').dataset.job === '" + Situations.JOB + "'");
        browser.await("document.querySelector('#live-note').textContent.includes('all it sent')");
        assertThat(text("#job-why")).contains("Why it failed: Slurm says: OUT_OF_MEMORY");
        assertThat(text("#support")).contains("scontrol show job 8812");
        accessible("a failed job");
        picture("failed-job", true);
        assertThat(browser.complaints()).as("console").isEmpty();
    }

    private static boolean forDevelopers(String page) {
        return !page.startsWith("user/") && !page.startsWith("admin/");
    }

    /** The pages that the manual's search finds, the best first. */
    private static List<String> found(String words) {
        browser.value("(() => { const w = document.getElementById('words'); w.value = '" + words
                + "'; document.querySelector('#results').replaceChildren(); w.dispatchEvent(new Event('input')); })()");
        browser.await("document.querySelector('#results p')");
        List<String> pages = new ArrayList<>();
        browser.value("[...document.querySelectorAll('#results a')].map(a => a.href.split('/docs/')[1])")
                .forEach(page -> pages.add(page.asText()));
        return pages;
    }

    /** The manual under the policy of the page: its search runs, and nothing of it needs eyes, colours or a mouse. */
    @Test
    void theManualIsFoundByItsSearch() {
        browser.open(server.page() + "docs/admin/day-two.html");
        browser.await("document.getElementById('search') && !document.getElementById('search').hidden");
        for (String scheme : List.of("light", "dark")) {
            browser.colours(scheme);
            drawn();
            accessible("the manual, " + scheme);
        }
        browser.value("(() => { const w = document.getElementById('words'); w.focus(); w.value = 'purge-policy';"
                + " w.dispatchEvent(new Event('input')); return 1; })()");
        browser.await("document.querySelectorAll('#results a').length > 1");
        assertThat(text("#results")).contains("gelato.jobs.purge-policy");
        accessible("results of the search");
        assertThat(found("helper"))
                .hasSize(15)
                .filteredOn(PageIT::forDevelopers)
                .isEmpty();
        assertThat(found("uninstall")).first().asString().startsWith("admin/");
        assertThat(found("stdin")).first().isEqualTo("user/jdl.html#4-input-on-standard-input");
        assertThat(found("array")).first().asString().startsWith("user/scans.html");
        assertThat(found("no such word anywhere")).isEmpty();
        assertThat(found("purge-policy")).isNotEmpty();
        String first =
                browser.value("document.querySelector('#results a').href").asText();
        browser.value("document.getElementById('search').requestSubmit()");
        assertThat(browser.value("document.activeElement.href").asText()).isEqualTo(first);
        browser.open(first);
        browser.await("document.getElementById(location.hash.slice(1)) !== null");
        browser.size(390, 844);
        drawn();
        assertThat(browser.value("document.documentElement.scrollWidth").asInt())
                .isLessThanOrEqualTo(390);
        accessible("the manual on a phone");
    }
}
