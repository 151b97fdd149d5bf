package org.gelato.ce.cli.submission;

import java.util.Map;
import java.util.Optional;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.settings.NamedCe;
import org.gelato.ce.cli.wire.Endpoint;
import org.gelato.ce.cli.wire.ResourceName;

/**
 * Where jobs go.
 *
 * @param queue null when the description must name it
 * @param byDefault whether the queue is that of the user's configuration file, which gives way to the description's own
 */
public record Destination(Endpoint endpoint, ResourceName queue, boolean byDefault) {
    /** For the help of options. */
    public static final String FORM = "HOST[:PORT]/cream-LRMS-QUEUE";

    /**
     * The destination that the command line names, else the environment, else the user's file.
     *
     * @param resource of the command line: {@link #FORM}, or the queue alone; null for none
     * @return empty when nothing names one
     * @throws IllegalArgumentException for what is no destination, or two
     */
    public static Optional<Destination> choose(
            String resource, CommonOptions options, Map<String, String> environment) {
        if (resource != null && resource.contains("/")) {
            if (options.namesCe()) {
                throw new IllegalArgumentException("-r names the CE already: leave -e out");
            }
            return Optional.of(of(ResourceName.parse(resource)));
        }
        Optional<String> given = CommonOptions.setting(environment, "CE_RESOURCE");
        if (resource == null && !options.namesCe() && given.isPresent()) {
            return given.map(ResourceName::parse).map(Destination::of);
        }
        Optional<NamedCe> ce = options.ce(environment);
        if (resource != null) {
            return Optional.of(of(ce.map(NamedCe::endpoint)
                    .map(endpoint -> ResourceName.of(endpoint, resource))
                    .orElseGet(() -> ResourceName.parse(resource))));
        }
        return ce.map(known -> new Destination(
                known.endpoint(),
                known.defaultQueue()
                        .map(queue -> ResourceName.of(known.endpoint(), queue))
                        .orElse(null),
                true));
    }

    private static Destination of(ResourceName queue) {
        return new Destination(queue.endpoint(), queue, false);
    }
}
