package org.gelato.ce.ws.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.gelato.ce.core.lrms.type.LrmsSite.EndsShown;
import org.gelato.ce.ws.config.KeyOrigins;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A batch system that forgets ended jobs before the next poll. */
class EndsShownTest {
    @TempDir
    private Path site;

    private List<String> found(int seconds, String history) throws IOException {
        Findings findings = new Findings(KeyOrigins.of(Files.writeString(site.resolve("gelato.conf"), "")));
        HelperCheck.endsShown(
                findings, new EndsShown(Duration.ofSeconds(seconds), "MinJobAge", history), Duration.ofSeconds(5));
        return findings.all().stream().map(Finding::what).toList();
    }

    @Test
    void itIsNamedWithWhatThatMeans() throws IOException {
        assertThat(found(300, null)).isEmpty();
        assertThat(found(2, "its accounting (sacct)"))
                .containsExactly("the batch system shows ended jobs for 2 s (MinJobAge), and is polled every 5 s: "
                        + "how jobs ended that no poll shows is looked up in its accounting (sacct)");
        assertThat(found(2, null))
                .containsExactly("the batch system shows ended jobs for 2 s (MinJobAge), and is polled every 5 s: "
                        + "how jobs ended that no poll shows is known by their wrappers alone, which do not see all");
    }
}
