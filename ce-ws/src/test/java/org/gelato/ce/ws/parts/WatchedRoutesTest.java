package org.gelato.ce.ws.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gelato.ce.core.route.Route;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.ws.config.CeConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedRoutesTest {
    @TempDir
    Path directory;

    private final List<List<String>> followed = new ArrayList<>();
    private Path file;
    private Path policies;
    private int versions;

    @BeforeEach
    void aFileThatIncludesItsRoutes() throws IOException {
        file = directory.resolve("gelato.conf");
        policies = directory.resolve("routes.conf");
        write(policies, "gelato.routes = [{ name = a, defaults { cores = 2 } }]");
        write(file, "include \"routes.conf\"");
    }

    /** Each version has another time: a change within the clock's tick would not show. */
    private void write(Path to, String text) throws IOException {
        Files.writeString(to, text);
        versions++;
        Files.setLastModifiedTime(to, FileTime.from(Instant.ofEpochSecond(1_000_000 + versions)));
    }

    private static List<String> names(Routes routes) {
        return routes.routes().stream().map(Route::name).toList();
    }

    private WatchedRoutes watched() {
        WatchedRoutes routes = new WatchedRoutes(CeConfig.load(file));
        routes.follow(r -> followed.add(names(r)));
        return routes;
    }

    @Test
    void aChangedFileCountsAlsoWhereItIsIncluded() throws IOException {
        WatchedRoutes routes = watched();
        routes.refresh();
        write(policies, "gelato.routes = [{ name = a, defaults { cores = 2 } }, { name = b, defaults { cores = 3 } }]");
        routes.refresh();
        routes.refresh();
        assertThat(names(routes.get())).containsExactly("a", "b");
        write(file, "gelato.jobs.purge-interval = 2 h\ninclude \"routes.conf\"");
        routes.refresh();
        assertThat(followed).containsExactly(List.of("a"), List.of("a", "b"));
        write(file, "include \"more\"");
        routes.refresh();
        assertThat(routes.state().get(file)).as("it is not there yet").contains("more");
        write(directory.resolve("more.conf"), "gelato.routes = [{ name = c }]");
        routes.refresh();
        write(directory.resolve("more.conf"), "");
        routes.refresh();
        assertThat(followed.subList(2, 4)).containsExactly(List.of("c"), List.of());
    }

    @Test
    void aProblemAnywhereLeavesTheLastOnesInForce() throws IOException {
        WatchedRoutes routes = watched();
        for (String bad : List.of(
                "gelato.routes = [{ name = b, set { qoss = high } }]",
                "gelato.nosuch = 1",
                "gelato.routes = [",
                "gelato.lrms.kind = slurm, gelato.routes = [{ name = b }]",
                "include \"gone.conf\"")) {
            write(policies, bad);
            routes.refresh();
            assertThat(names(routes.get())).as(bad).containsExactly("a");
            assertThat(routes.state().get(file)).as(bad).isNotEmpty();
            write(policies, "gelato.routes = [{ name = a, defaults { cores = 2 } }]");
            routes.refresh();
            assertThat(routes.state().get(file)).as("after " + bad).isEmpty();
        }
        write(directory.resolve("gone.conf"), "gelato.port = 70000");
        write(policies, "include \"gone.conf\"");
        routes.refresh();
        write(directory.resolve("gone.conf"), "gelato.routes = [{ name = d }]");
        routes.refresh();
        assertThat(names(routes.get()))
                .as("a file that an included one includes")
                .containsExactly("d");
        Files.delete(policies);
        routes.refresh();
        assertThat(routes.state().get(file)).isNotEmpty();
        write(policies, "gelato.routes = [{ name = b }]");
        routes.refresh();
        assertThat(names(routes.get())).containsExactly("b");
        assertThat(routes.state()).isEqualTo(Map.of(file, ""));
    }
}
