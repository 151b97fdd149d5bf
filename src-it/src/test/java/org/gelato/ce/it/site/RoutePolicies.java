package org.gelato.ce.it.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.core.identity.GridIdentity;
import org.gelato.ce.core.lrms.Submission;
import org.gelato.ce.core.route.RoutedJob;
import org.gelato.ce.core.route.Routes;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.ws.config.CeConfig;

/** Routes as a site writes them, and jobs as they get them. */
public final class RoutePolicies {
    private static final Path PAGE =
            Path.of("..", "docs", "admin", "routes.md").toAbsolutePath().normalize();

    private RoutePolicies() {}

    /** The lines below a heading of docs/admin/routes.md. */
    public static Routes ofPage(String heading, String kind) throws IOException {
        String below = Files.readString(PAGE).split(Pattern.quote("\n### " + heading + "\n"), 2)[1];
        return of(kind, below.split("```", 3)[1]);
    }

    /** @param lines with {@code gelato.routes} */
    public static Routes of(String kind, String lines) {
        return CeConfig.of(PAGE, "gelato.lrms { kind = " + kind + ", queues = [long, short] }\n" + lines)
                .routes();
    }

    /** A job of a user of a VO as it is handed over. */
    public static Submission routed(Routes routes, Submission job, String vo, String fqan, Map<String, String> labels) {
        GridIdentity user = new GridIdentity("CN=Alice,O=Test", List.of(fqan), vo, false, Instant.MAX, List.of());
        Routes.Resolved resolved = routes.resolve(new RoutedJob(
                user, job.account(), job.queue(), job.request().resources(), new JobLabels(null, labels)));
        return Records.with(
                job,
                "settings",
                resolved.settings(),
                "request",
                job.request().with(Routes.withDefaults(job.request().resources(), resolved.settings())));
    }
}
