package org.gelato.ce.cli.submission;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gelato.ce.cli.context.CliContext;
import org.gelato.ce.cli.context.CommonOptions;
import org.gelato.ce.cli.context.NamedCe;
import org.gelato.ce.cli.terminal.CliException;
import org.gelato.ce.cli.terminal.Printable;
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
     * The destination that the command line names, else the environment, else the user's file. Where a CE is named and no queue of its,
     * it is asked which it has.
     *
     * @param resource of the command line: {@link #FORM}, or the queue alone; null for none
     * @return empty when nothing names one
     * @throws IllegalArgumentException for what is no destination, or two
     */
    public static Optional<Destination> choose(String resource, CommonOptions options, CliContext context) {
        try {
            return choose(resource, options, context.environment());
        } catch (NoQueueException e) {
            String queues = e.ce().map(ce -> queues(ce, options, context))
                    .filter(names -> !names.isEmpty())
                    .map(names -> "; it has " + String.join(", ", names))
                    .orElse("");
            throw new IllegalArgumentException(e.getMessage() + queues, e);
        }
    }

    /** Of a CE that can be asked. */
    private static List<String> queues(Endpoint ce, CommonOptions options, CliContext context) {
        try {
            return context.connector().connect(ce, options, context).serviceInfo().queues().stream()
                    .map(Printable::line)
                    .toList();
        } catch (CliException e) {
            return List.of();
        }
    }

    /** The same, and no CE is asked. */
    public static Optional<Destination> choose(
            String resource, CommonOptions options, Map<String, String> environment) {
        if (resource != null && resource.contains("/")) {
            if (options.namesCe()) {
                throw new IllegalArgumentException("-r names the CE already: leave -e out");
            }
            return Optional.of(of(parse(resource)));
        }
        Optional<String> given = CommonOptions.setting(environment, "CE_RESOURCE");
        if (resource == null && !options.namesCe() && given.isPresent()) {
            return given.map(Destination::parse).map(Destination::of);
        }
        Optional<NamedCe> ce = options.ce(environment);
        if (resource != null) {
            return Optional.of(of(ce.map(NamedCe::endpoint)
                    .map(endpoint -> queueOf(endpoint, resource))
                    .orElseGet(() -> parse(resource))));
        }
        return ce.map(known -> new Destination(
                known.endpoint(),
                known.defaultQueue()
                        .map(queue -> ResourceName.of(known.endpoint(), queue))
                        .orElse(null),
                true));
    }

    private static ResourceName queueOf(Endpoint ce, String queue) {
        try {
            return ResourceName.of(ce, queue);
        } catch (IllegalArgumentException e) {
            if (looksLikeCe(queue)) {
                return parse(queue);
            }
            throw new NoQueueException("'" + queue + "' is no queue of " + ce + ": write cream-LRMS-QUEUE", ce, e);
        }
    }

    private static ResourceName parse(String text) {
        try {
            return ResourceName.parse(text);
        } catch (IllegalArgumentException e) {
            Endpoint ce = looksLikeCe(text) ? endpoint(text) : null;
            throw ce == null
                    ? e
                    : new NoQueueException("'" + text + "' names no queue: write " + ce + "/cream-LRMS-QUEUE", ce, e);
        }
    }

    /** Not a word alone, which may be anything. */
    private static boolean looksLikeCe(String text) {
        return !text.startsWith("cream-") && (text.contains(".") || text.contains(":") || text.contains("/"));
    }

    private static Endpoint endpoint(String text) {
        try {
            return Endpoint.parse(text.startsWith("https://") ? text : text.replaceFirst("/.*", ""));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Destination of(ResourceName queue) {
        return new Destination(queue.endpoint(), queue, false);
    }
}
