package org.gelato.ce.it.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gelato.ce.it.site.JobAccount;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A batch system that no module of the CE knows is found, configured, checked and used. */
class DirectoryIT {
    @TempDir
    private Path jobs;

    @Test
    void aBatchSystemIsAModule() throws IOException {
        try (SiteCe ce = new SiteCe(
                "directory", "directory", JobAccount.name(), Map.of("gelato.lrms.directory.path", jobs.toString()))) {
            List<String> program = new ArrayList<>(ce.program());
            int classPath = program.indexOf("-cp") + 1;
            program.set(
                    classPath,
                    program.get(classPath) + ":"
                            + Path.of("target/test-classes").toAbsolutePath());
            ce.start(program, Map.of(), "/health/ready");
            SiteUser user = ce.user("Dora of directories");

            String good = user.submit(SiteUser.shellJob("echo it ran"));
            String endless = user.submit(SiteUser.sleepJob(600));
            user.await(good, "DONE-OK");
            user.await(endless, "REALLY-RUNNING");
            user.must("", "cancel", endless);
            user.await(endless, "CANCELLED");

            assertThat(ce.resource("long")).endsWith("/cream-directory-long");
            try (var files = Files.list(jobs)) {
                assertThat(files.map(f -> f.getFileName().toString()))
                        .anyMatch(name -> name.endsWith(".cancelled"))
                        .anyMatch(name -> name.endsWith(".running"));
            }
        }
    }
}
