package org.gelato.ce.ws.parts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.gelato.ce.core.fault.Messages;
import org.gelato.ce.core.route.Route;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.ws.config.CeConfig;
import org.gelato.ce.ws.config.ConfigurationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The routes of the configuration file as it is now. {@link #refresh} reads it again when it or a file that it includes was changed. A file
 * with any problem leaves the last routes in force, and is an error in the log, once per change. Other keys count at the start alone.
 * Thread-safe; {@link #get} never blocks.
 */
final class WatchedRoutes implements Supplier<Routes> {
    private static final Logger log = LoggerFactory.getLogger(WatchedRoutes.class);

    /** Null where the configuration was no file. */
    private final Path file;

    private final String lrms;
    private final List<Consumer<Routes>> followers = new ArrayList<>();
    private Set<Path> files = Set.of();
    /** Versions of the files that are in force; null before the first check. */
    private Map<Path, List<Object>> seen;

    private volatile Routes current;
    private volatile String broken = "";

    /** @param config as it was read at the start */
    WatchedRoutes(CeConfig config) {
        this.file = config.file();
        this.lrms = config.lrms().kind();
        this.current = config.routes();
    }

    @Override
    public Routes get() {
        return current;
    }

    /** Has somebody get the routes, now and whenever they change. */
    synchronized void follow(Consumer<Routes> follower) {
        followers.add(follower);
        follower.accept(current);
    }

    /** What is wrong with the file as it is now, by its name; the empty text for nothing. */
    Map<Path, String> state() {
        return file == null ? Map.of() : Map.of(file, broken);
    }

    /** Checks the files; reads them when one was changed, and while there is a problem, whose cause may be elsewhere. */
    synchronized void refresh() {
        if (file == null || (broken.isEmpty() && versions().equals(seen))) {
            return;
        }
        try {
            files = CeConfig.files(file);
            Map<Path, List<Object>> before = versions();
            CeConfig config = CeConfig.load(file);
            if (!config.lrms().kind().equals(lrms)) {
                throw new ConfigurationException(
                        file.toString(), List.of("routes for another batch system count after a restart"));
            }
            take(config.routes());
            // Else an include that came meanwhile would not be watched.
            seen = files.equals(CeConfig.files(file)) ? before : null;
            broken = "";
        } catch (RuntimeException e) {
            String problem = Messages.of(e);
            if (!problem.equals(broken)) {
                log.error("{}; the routes that were read last stay in force", problem);
                broken = problem;
            }
        }
    }

    private void take(Routes routes) {
        if (routes.equals(current)) {
            return;
        }
        current = routes;
        followers.forEach(follower -> follower.accept(routes));
        List<String> names = routes.routes().stream().map(Route::name).toList();
        log.info("{}: routes in force: {}", file, names.isEmpty() ? "none" : String.join(", ", names));
    }

    private Map<Path, List<Object>> versions() {
        Map<Path, List<Object>> versions = new TreeMap<>();
        for (Path one : files) {
            try {
                BasicFileAttributes a = Files.readAttributes(one, BasicFileAttributes.class);
                versions.put(one, List.of(a.lastModifiedTime(), a.size(), String.valueOf(a.fileKey())));
            } catch (IOException e) {
                versions.put(one, List.of());
            }
        }
        return versions;
    }
}
