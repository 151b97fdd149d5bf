package org.gelato.ce.it.unshared;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.it.site.SiteCe;

/** What lies in a job's sandbox, and its wrapper run by hand as a batch system would on some other node. */
final class NodeSide {
    private final SiteCe ce;

    NodeSide(SiteCe ce) {
        this.ce = ce;
    }

    /** What a wrapper did. */
    record Ended(int status, String words) {}

    static String number(String job) {
        return job.substring(job.lastIndexOf('/') + 1);
    }

    Path sandbox(String job) {
        try (Stream<Path> all = Files.walk(ce.base().resolve("sandbox"))) {
            return all.filter(p -> p.getFileName().toString().equals(number(job)))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> names(String job) {
        try (Stream<Path> all = Files.list(sandbox(job))) {
            return all.map(p -> p.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String script(String job) throws IOException {
        return Files.readString(sandbox(job).resolve(number(job) + "_jobWrapper.sh"));
    }

    Ended run(String script) throws IOException, InterruptedException {
        Path node = Files.createTempDirectory(ce.base(), "node-");
        Path file = Files.writeString(node.resolve("wrapper"), script);
        ProcessBuilder builder = new ProcessBuilder("bash", file.toString())
                .directory(node.toFile())
                .redirectErrorStream(true);
        builder.environment().put("TMPDIR", node.toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), words);
    }
}
