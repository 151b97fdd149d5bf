package org.gelato.ce.it.arcrest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of session directories, with the real helper below; each test has a user of its own. */
class ArcSessionIT {
    /** Waits for an input file, so that its session directory stays open. */
    private static final String OPEN = "&(executable=/bin/true)(queue=long)(inputfiles=(last.txt \"\"))";

    @TempDir
    private static Path snippets;

    private static SiteCe ce;

    @BeforeAll
    static void start() throws IOException {
        Files.createDirectories(snippets.resolve("APPS/TEST"));
        Files.writeString(snippets.resolve("APPS/TEST/TOOL-1.2"), "export TOOL=\"tool $1\"\n");
        Files.writeString(snippets.resolve("BROKEN"), "return 7\n");
        ce = new SiteCe(
                "arcsession",
                "fork",
                JobAccount.name(),
                Map.of(
                        "gelato.lrms.fork.slots",
                        4,
                        "gelato.sandbox.max-files",
                        20,
                        "gelato.wrapper.runtime-environments",
                        snippets.toString()));
        ce.start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
    }

    /** A user with a job that waits for its input. */
    private static final class Session {
        private final ArcUser user;
        private final String job;

        Session(String name) {
            user = new ArcUser(ce, ce.pki().proxy(ce.pki().user(name)).make());
            job = user.submit(OPEN);
        }

        HttpResponse<String> send(String method, String path, String body, String... headers) {
            return user.send(method, "/1.0/jobs/" + job + "/session" + path, body, headers);
        }

        int status(String method, String path, String body) {
            return send(method, path, body).statusCode();
        }
    }

    @Test
    void foldersComeWithTheFilesInThemAndAreReadListedAndRemoved() {
        Session ann = new Session("Ann of folders");
        assertThat(ann.status("PUT", "/a/b/c%20d.txt", "deep")).isEqualTo(200);
        assertThat(ann.status("PUT", "/a/e.txt", "four")).isEqualTo(200);
        assertThat(ann.send("GET", "/a/b/c%20d.txt", null).body()).isEqualTo("deep");
        assertThat(ann.send("GET", "/a/b/c%20d.txt", null, "Range", "bytes=1-2").body())
                .isEqualTo("ee");
        assertThat(ann.send("HEAD", "/a/b/c%20d.txt", null).headers().firstValue("Content-Length"))
                .contains("4");
        assertThat(ann.status("HEAD", "/a/b", null)).isEqualTo(200);

        assertThat(ann.send("GET", "/", null, "Accept", "text/xml").body())
                .isEqualTo("<list>\n  <dir>a</dir>\n</list>\n");
        assertThat(ann.send("GET", "/a/", null, "Accept", "text/xml").body())
                .isEqualTo("<list>\n  <dir>b</dir>\n  <file size=\"4\">e.txt</file>\n</list>\n");
        assertThat(ann.send("GET", "/a", null, "Accept", "application/json").body())
                .isEqualTo("{\"dir\":[\"b\"],\"file\":[\"e.txt\"]}");
        assertThat(ann.send("GET", "/a", null).body()).contains("<html").contains("e.txt");

        String url = "/session/a/b";
        assertThat(ann.send("PROPFIND", "/a/b", null, "Depth", "0").body())
                .contains(url + "/<")
                .contains("<d:collection/>")
                .doesNotContain("c%20d.txt");
        assertThat(ann.send("PROPFIND", "/a/b", null, "Depth", "1").body()).contains(url + "/c%20d.txt<");
        assertThat(ann.send("PROPFIND", "/a/b/c%20d.txt", null, "Depth", "0").body())
                .contains("<d:getcontentlength>4<")
                .doesNotContain("<d:collection/>");

        assertThat(ann.status("DELETE", "/a/b/c%20d.txt", null)).isEqualTo(200);
        assertThat(ann.status("GET", "/a/b/c%20d.txt", null)).isEqualTo(404);
        assertThat(ann.status("DELETE", "/a", null)).isEqualTo(200);
        assertThat(ann.status("GET", "/a/e.txt", null)).isEqualTo(404);
        assertThat(ann.status("DELETE", "/a", null)).isEqualTo(404);
        assertThat(ann.status("DELETE", "/", null)).isEqualTo(400);
    }

    /** As ARC's client does, which takes the URL that it requested off each href, and adds a slash to what is left of a folder. */
    @Test
    void aSessionIsReadWholeByItsListings() {
        Session kim = new Session("Kim of copies");
        for (String path : List.of("/top", "/d/one", "/d/e%20f/two")) {
            assertThat(kim.status("PUT", path, path)).isEqualTo(200);
        }
        List<String> read = new ArrayList<>();
        walk(kim, "/", read);
        assertThat(read).containsExactlyInAnyOrder("/top", "/d/one", "/d/e%20f/two");
    }

    private static void walk(Session session, String folder, List<String> read) {
        String url = "https://localhost:" + ce.port() + "/arex/rest/1.0/jobs/" + session.job + "/session" + folder;
        String[] parts =
                session.send("PROPFIND", folder, null, "Depth", "1").body().split("</?d:href>");
        for (int i = 1; i < parts.length; i += 2) {
            String name = parts[i].startsWith(url) ? parts[i].substring(url.length()) : parts[i];
            if (name.endsWith("/")) {
                walk(session, folder + name + "/", read);
            } else if (!name.isEmpty()) {
                read.add(session.send("GET", folder + name, null).body());
            }
        }
    }

    @Test
    void aNameIsAFileOrAFolder() {
        Session bea = new Session("Bea of names");
        assertThat(bea.status("PUT", "/x/y", "1")).isEqualTo(200);
        assertThat(bea.status("PUT", "/x", "1")).isEqualTo(409);
        assertThat(bea.status("PUT", "/x/y/z", "1")).isEqualTo(409);
        assertThat(bea.status("GET", "/x/y/z", null)).isEqualTo(404);
        assertThat(bea.status("PUT", "/x/", "1")).isEqualTo(400);
        assertThat(bea.send("GET", "/x/y", null).body()).isEqualTo("1");
    }

    @Test
    void pathsThatLeadElsewhereOrTooDeepAreRefused() {
        Session cora = new Session("Cora of paths");
        for (String path : List.of(
                "/../../x",
                "/a/../b",
                "/%2e%2e/x",
                "/a/%2E%2E/b",
                "/a/./b",
                "/%2Fetc/passwd",
                "/a%2Fb",
                "/a%5Cb",
                "/a%00b",
                "/" + "n".repeat(256),
                "/" + "d/".repeat(16) + "f",
                "/" + ("n".repeat(200) + "/").repeat(6) + "f")) {
            for (String method : List.of("PUT", "GET", "DELETE")) {
                assertThat(cora.status(method, path, method.equals("PUT") ? "x" : null))
                        .as(method + " " + path)
                        .isIn(400, 404);
            }
        }
        assertThat(cora.status("PUT", "/" + "d/".repeat(15) + "f", "x")).isEqualTo(200);
        assertThat(cora.send("GET", "/", null, "Accept", "application/json").body())
                .isEqualTo("{\"dir\":[\"d\"]}");
    }

    @Test
    void foldersCountAmongTheFilesAndGiveTheirPlaceBack() {
        Session dora = new Session("Dora of quotas");
        assertThat(dora.status("PUT", "/" + "d/".repeat(15) + "f", "x")).isEqualTo(200);
        assertThat(dora.status("PUT", "/1/2/3/4", "x")).isEqualTo(200);
        HttpResponse<String> more = dora.send("PUT", "/5", "x");
        assertThat(more.statusCode()).isEqualTo(413);
        assertThat(more.body()).contains("at most 20");
        assertThat(dora.status("DELETE", "/1", null)).isEqualTo(200);
        assertThat(dora.status("PUT", "/5", "x")).isEqualTo(200);
    }

    @Test
    void nothingIsChangedOnceTheJobHasStarted() {
        Session emma = new Session("Emma of ends");
        assertThat(emma.status("PUT", "/d/f", "x")).isEqualTo(200);
        assertThat(emma.status("PUT", "/last.txt", "x")).isEqualTo(200);
        emma.user.await(emma.job, "FINISHED");
        assertThat(emma.status("PUT", "/d/g", "x")).isEqualTo(403);
        assertThat(emma.status("DELETE", "/d", null)).isEqualTo(403);
        // What was brought for the job is gone with its end, unless it is output.
        assertThat(emma.send("GET", "/d/f", null).statusCode()).isEqualTo(404);
        assertThat(emma.send("GET", "/", null, "Accept", "application/json").body())
                .doesNotContain("\"d\"", "last.txt");
    }

    @Test
    void theDirectoryOfLogsHoldsWhatTheCeKnows() {
        ArcUser lea =
                new ArcUser(ce, ce.pki().proxy(ce.pki().user("Lea of logs")).make());
        String job = lea.submit("&(executable=/bin/sh)(arguments=-c \"exit 3\")(queue=long)(gmlog=a/log)(stdout=out)");
        lea.await(job, "FAILED");
        String session = "/1.0/jobs/" + job + "/session";
        assertThat(lea.send("GET", session + "/", null, "Accept", "application/json")
                        .body())
                .isEqualTo("{\"dir\":[\"a\"],\"file\":[\"out\"]}");
        assertThat(lea.send("GET", session + "/a/log/", null, "Accept", "application/json")
                        .body())
                .isEqualTo("{\"file\":[\"errors\",\"failed\",\"statistics\",\"status\"]}");
        assertThat(lea.send("GET", session + "/a/log/status", null).body()).isEqualTo("FAILED\n");
        assertThat(lea.send("GET", session + "/a/log/failed", null).body()).contains("wrong exit code - 3 != 0");
        assertThat(lea.send("HEAD", session + "/a/log/status", null).headers().firstValue("Content-Length"))
                .contains("7");
        assertThat(lea.send("PROPFIND", session + "/a/log", null, "Depth", "1").body())
                .contains("/session/a/log/status<", "<d:getcontentlength>7<");
        for (String path : List.of("/", "/out", "/a", "/a/log/status")) {
            assertThat(lea.send("PROPFIND", session + path, null, "Depth", "0").body())
                    .as(path)
                    .containsPattern("<d:getlastmodified>\\w{3}, \\d{2} \\w{3} 20");
            assertThat(lea.send("HEAD", session + path, null).headers().firstValue("Last-Modified"))
                    .as(path)
                    .isPresent();
        }
        assertThat(lea.send("GET", session + "/a/log/none", null).statusCode()).isEqualTo(404);
    }

    /** Its files are on the worker node until it ends; the first read waits for what is on its way. */
    @Test
    void whatARunningJobPrintsIsReadBeforeItEnds() {
        ArcUser mia =
                new ArcUser(ce, ce.pki().proxy(ce.pki().user("Mia of waits")).make());
        String job = mia.submit("&(executable=/bin/sh)(arguments=-c \"echo begun; echo trouble >&2; sleep 600\")"
                + "(queue=long)(stdout=log/out)(stderr=err)");
        mia.await(job, "RUNNING");
        String session = "/1.0/jobs/" + job + "/session";
        HttpResponse<String> out = mia.send("GET", session + "/log/out", null);
        assertThat(out.statusCode()).isEqualTo(200);
        assertThat(out.body()).isEqualTo("begun\n");
        assertThat(out.headers().firstValue("Content-Type")).contains("application/octet-stream");
        assertThat(mia.send("GET", session + "/err", null).body()).isEqualTo("trouble\n");
        assertThat(mia.send("HEAD", session + "/log/out", null).headers().firstValue("Content-Length"))
                .contains("6");
        assertThat(mia.send("PROPFIND", session + "/log", null, "Depth", "1").body())
                .contains("/session/log/out<", "<d:getcontentlength>6<");
        assertThat(mia.send("GET", session + "/", null, "Accept", "application/json")
                        .body())
                .isEqualTo("{\"file\":[\"err\"],\"dir\":[\"log\"]}");
        // It is not there for those who read what the job has left, for others, and under other names.
        assertThat(mia.send("GET", session + "/log/out?side=output", null).statusCode())
                .isEqualTo(404);
        assertThat(mia.send("GET", session + "/log/none", null).statusCode()).isEqualTo(404);
        ArcUser noa =
                new ArcUser(ce, ce.pki().proxy(ce.pki().user("Noa of others")).make());
        assertThat(noa.send("GET", session + "/log/out", null).statusCode()).isEqualTo(404);
        assertThat(mia.act("kill", List.of(job)).path(0).path("status-code").asText())
                .isEqualTo("202");
    }

    /** As A-REX has it: an empty file. */
    @Test
    void aRunningJobThatPrintsNothingHasEmptyFiles() {
        ArcUser pia =
                new ArcUser(ce, ce.pki().proxy(ce.pki().user("Pia of silence")).make());
        String job = pia.submit("&(executable=/bin/sleep)(arguments=600)(queue=long)(stdout=out)(join=yes)");
        pia.await(job, "RUNNING");
        HttpResponse<String> out = pia.send("GET", "/1.0/jobs/" + job + "/session/out", null);
        assertThat(out.statusCode()).isEqualTo(200);
        assertThat(out.body()).isEmpty();
        pia.act("kill", List.of(job));
    }

    @Test
    void declaredFilesLieInFolders() {
        runWithFolders(ce);
    }

    @Test
    @Tag("long")
    void declaredFilesLieInFoldersOfWorkerNodesWithoutSharedFiles() {
        try (SiteCe unshared =
                new SiteCe("arcunshared", "fork", JobAccount.name(), Map.of("gelato.sandbox.shared", false))) {
            runWithFolders(unshared.start());
        }
    }

    private static void runWithFolders(SiteCe site) {
        ArcUser fay = new ArcUser(
                site, site.pki().proxy(site.pki().user("Fay of folders")).make());
        String job = fay.submit("&(executable=bin/run.sh)(queue=long)(stdout=log/out.txt)(join=yes)"
                + "(inputfiles=(bin/run.sh \"\")(data/a/in.txt \"\"))(outputfiles=(out/x/y.txt \"\"))");
        String session = "/1.0/jobs/" + job + "/session";
        assertThat(fay.send("PUT", session + "/data/a/in.txt", "brought\n").statusCode())
                .isEqualTo(200);
        assertThat(fay.send("PUT", session + "/in.txt", "another of its name").statusCode())
                .isEqualTo(200);
        assertThat(fay.send("PUT", session + "/run.sh", "not the program").statusCode())
                .isEqualTo(200);
        assertThat(fay.state(job)).isEqualTo("PREPARING");
        assertThat(fay.send(
                                "PUT",
                                session + "/bin/run.sh",
                                "#!/bin/sh\ncat data/a/in.txt; mkdir -p out/x; cp data/a/in.txt out/x/y.txt\n")
                        .statusCode())
                .isEqualTo(200);
        fay.await(job, "FINISHED");
        assertThat(fay.send("GET", session + "/log/out.txt", null).body()).isEqualTo("brought\n");
        assertThat(fay.send("GET", session + "/out/x/y.txt", null).body()).isEqualTo("brought\n");
        assertThat(fay.send("GET", session + "/out/x", null, "Accept", "text/xml")
                        .body())
                .isEqualTo("<list>\n  <file size=\"8\">y.txt</file>\n</list>\n");
        assertThat(fay.send("GET", session + "/y.txt", null).statusCode()).isEqualTo(404);
    }

    @Test
    void declaredNamesThatLeadElsewhereAreRefusedWithAReason() {
        ArcUser gil =
                new ArcUser(ce, ce.pki().proxy(ce.pki().user("Gil of names")).make());
        for (String name :
                List.of("a/../../b", "/etc/passwd", "a//b", ".gelato-tmp.1", "a/.gelato-tmp.b", "n".repeat(256))) {
            JsonNode job = gil.json(
                            201,
                            "POST",
                            "/1.0/jobs?action=new",
                            "&(executable=/bin/true)(queue=long)(inputfiles=(\"" + name + "\" \"\"))")
                    .path("job")
                    .path(0);
            assertThat(job.path("status-code").asText()).as(name).isEqualTo("500");
            assertThat(job.path("reason").asText())
                    .as(name)
                    .contains("inputfiles: ")
                    .contains("(line 1, column ");
        }
        assertThat(new Session("Hal of dots").status("PUT", "/a/.gelato-tmp.b", "x"))
                .isEqualTo(400);
    }

    @Test
    void runtimeEnvironmentsAreSetUpListedAndRefusedByName() {
        ArcUser jo =
                new ArcUser(ce, ce.pki().proxy(ce.pki().user("Jo of software")).make());
        String job = jo.submit("&(executable=/bin/sh)(arguments=-c \"echo $TOOL\")(queue=long)(stdout=out)(stderr=err)"
                        .replace("$TOOL", "\"\"$TOOL\"\"")
                + "(runtimeenvironment=apps/test/tool-1.2 \"it's one\")(runtimeenvironment=ENV/PROXY)");
        jo.await(job, "FINISHED");
        String session = "/1.0/jobs/" + job + "/session";
        assertThat(jo.send("GET", session + "/out", null).body()).isEqualTo("tool it's one\n");
        assertThat(jo.send("GET", session + "/err", null).body())
                .isEqualTo("ENV/PROXY: the job has no proxy, X509_USER_PROXY is not set\n");

        String broken = jo.submit("&(executable=/bin/true)(queue=long)(runtimeenvironment=BROKEN)");
        jo.await(broken, "FAILED");
        assertThat(jo.send("GET", "/1.0/jobs/" + broken + "/diagnose/failed", null)
                        .body())
                .contains("Runtime environment BROKEN failed with status 7");

        JsonNode refused = jo.json(
                        201,
                        "POST",
                        "/1.0/jobs?action=new",
                        "&(executable=/bin/true)(queue=long)(runtimeenvironment=NO)")
                .path("job")
                .path(0);
        assertThat(refused.path("reason").asText())
                .contains("NO does not exist here; this CE has ENV/PROXY, APPS/TEST/TOOL-1.2, BROKEN");

        JsonNode manager = jo.json(200, "GET", "/1.0/info", null)
                .at("/Domains/AdminDomain/Services/ComputingService/ComputingManager");
        JsonNode software = manager.at("/ApplicationEnvironments/ApplicationEnvironment");
        assertThat(software.findValuesAsText("AppName")).containsExactly("ENV/PROXY", "APPS/TEST/TOOL", "BROKEN");
        assertThat(software.findValuesAsText("AppVersion")).containsExactly("1.2");
    }

    @Test
    void aJobFindsItselfByTheNamesOfArex() {
        ArcUser lou =
                new ArcUser(ce, ce.pki().proxy(ce.pki().user("Lou of names")).make());
        String job = lou.submit("&(executable=/bin/sh)(arguments=-c \"env | grep -e ^GRID_GLOBAL -e ^CREAM | sort\")"
                + "(queue=long)(stdout=out)");
        lou.await(job, "FINISHED");
        assertThat(lou.send("GET", "/1.0/jobs/" + job + "/session/out", null).body())
                .isEqualTo("GRID_GLOBAL_JOBHOST=localhost\nGRID_GLOBAL_JOBID=" + job
                        + "\nGRID_GLOBAL_JOBINTERFACE=org.nordugrid.arcrest\nGRID_GLOBAL_JOBURL=https://localhost:"
                        + ce.port() + "/arex/" + job + "\n");
    }

    /** As aCT describes jobs of ATLAS. */
    @Test
    void aListNamesOutputThatNobodyKnewBefore() {
        ArcUser max =
                new ArcUser(ce, ce.pki().proxy(ce.pki().user("Max of lists")).make());
        String adl = "<ActivityDescription xmlns=\"http://www.eu-emi.eu/es/2010/12/adl\"><Application><Executable>"
                + "<Path>/bin/sh</Path><Argument>-c</Argument><Argument>%s</Argument></Executable></Application>"
                + "<DataStaging><OutputFile><Name>heartbeat.json</Name></OutputFile><OutputFile><Name>@output.list</Name>"
                + "</OutputFile></DataStaging></ActivityDescription>";
        String job =
                max.submit(adl.formatted("mkdir sub; echo one &gt; EVNT.1.root; echo two &gt; sub/log.tgz; echo {} &gt;"
                        + " heartbeat.json; printf 'EVNT.1.root \\nsub/log.tgz\\n' &gt; output.list"));
        String without = max.submit(adl.formatted("echo {} &gt; heartbeat.json"));
        max.await(job, "FINISHED");
        String session = "/1.0/jobs/" + job + "/session";
        assertThat(max.send("GET", session + "/", null, "Accept", "application/json")
                        .body())
                .isEqualTo("{\"file\":[\"EVNT.1.root\",\"heartbeat.json\"],\"dir\":[\"sub\"]}");
        assertThat(max.send("GET", session + "/sub/log.tgz", null).body()).isEqualTo("two\n");
        max.await(without, "FAILED");
        assertThat(max.send("GET", "/1.0/jobs/" + without + "/diagnose/failed", null)
                        .body())
                .contains("Cannot read the list of output output.list");
    }

    @Test
    void errorsOfFilesLookLikeOtherErrors() {
        Session ida = new Session("Ida of errors");
        HttpResponse<String> missing = ida.send("GET", "/none", null, "Accept", "text/xml");
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.body()).isEqualTo("no such file\n");
        assertThat(missing.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
        HttpResponse<String> inJson = ida.send("GET", "/none", null, "Accept", "application/json");
        assertThat(inJson.statusCode()).isEqualTo(404);
        assertThat(inJson.body()).isEqualTo("{\n\"error\": {\n\"message\": \"no such file\"\n}\n}\n");
        assertThat(inJson.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        HttpResponse<String> foreign = ida.user.send("GET", "/1.0/jobs/CREAM000000000/session/x", null);
        assertThat(foreign.statusCode()).isEqualTo(404);
        assertThat(foreign.body()).isEqualTo("no such job\n");
        HttpResponse<String> part = ida.send("PUT", "/p", "34", "Content-Range", "bytes 2-3/4");
        assertThat(part.statusCode()).isEqualTo(409);
        assertThat(part.body()).isEqualTo("0 bytes are there\n");
        assertThat(part.headers().firstValue("Upload-Offset")).contains("0");
    }
}
