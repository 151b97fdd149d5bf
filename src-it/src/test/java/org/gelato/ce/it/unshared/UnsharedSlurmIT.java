package org.gelato.ce.it.unshared;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.gelato.ce.it.site.SiteCe;
import org.gelato.ce.it.site.SiteUser;
import org.gelato.ce.it.site.Skipped;
import org.gelato.ce.testkit.slurm.SlurmTestSite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real Slurm that gets no path of the sandbox: its job starts, prints and runs elsewhere. */
@Tag("long")
class UnsharedSlurmIT {
    private static SlurmTestSite slurm;
    private static SiteCe ce;

    @BeforeAll
    static void start() throws Exception {
        slurm = new SlurmTestSite(Files.createTempDirectory(Path.of("/var/tmp"), "gelato-slurm-"), 4);
        Optional<String> missing = slurm.prepare();
        if (missing.isPresent()) {
            slurm.wipe();
            slurm = null;
            Skipped.because("Slurm", missing.get());
        }
        slurm.start();
        ce = new SiteCe(
                        "unshared-slurm",
                        "slurm",
                        "dteam001",
                        Map.of(
                                "gelato.sandbox.shared",
                                false,
                                "gelato.lrms.slurm.conf",
                                slurm.conf().toString()))
                .start();
    }

    @AfterAll
    static void stop() {
        if (ce != null) {
            ce.close();
        }
        if (slurm != null) {
            slurm.wipe();
        }
    }

    @Test
    void aJobRunsWithItsFilesOverHttps() throws Exception {
        SiteUser user = ce.user("Sofia");
        Files.writeString(ce.base().resolve("in.txt"), "brought\n");
        String id = user.submit("[ Executable = \"/bin/bash\"; Arguments = \"-c 'cat in.txt; echo $HOME; pwd'\";"
                + " StdOutput = \"env.out\"; StdError = \"env.err\"; InputSandbox = {\"in.txt\"}; ]");
        user.await(id, "DONE-OK");
        Path target = ce.base().resolve("output");
        user.must("", "output", "-d", target.toString(), id);
        assertThat(Files.readAllLines(target.resolve("env.out")))
                .startsWith("brought")
                .hasSize(3)
                .noneMatch(line -> line.startsWith(ce.base().toString()));
        // the wrapper is there where it went by sbatch, and travels in the request to slurmrestd
        assertThat(new NodeSide(ce).names(id)).contains("ISB", "OSB");
        assertThat(new NodeSide(ce).names(id)).doesNotContain("claim", "exit", "StandardOutput", "StandardError");
        try (Stream<Path> all = Files.walk(ce.base().resolve("sandbox"))) {
            assertThat(all.map(path -> path.getFileName().toString()))
                    .as("its script was whole")
                    .doesNotContain("wrapper");
        }
    }
}
