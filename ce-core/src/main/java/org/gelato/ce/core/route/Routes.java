package org.gelato.ce.core.route;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.description.JobRequest.Resources;
import org.gelato.ce.json.RouteSettings;

/**
 * A site's routes: all that match a job count, in their order; each setting comes from the first of them that has it
 * (docs/developer/decisions/0110). Pure.
 */
public record Routes(List<Route> routes) {
    /** Of a site without policies. */
    public static final Routes NONE = new Routes(List.of());

    static final String LIMITS = "limits.";

    /** Of how many of its jobs may wait in the batch system; as it is configured now, not when a job was registered. */
    public static final String QUEUED = LIMITS + "queued";

    /** Before the name of a variable of the job's environment. */
    public static final String VARIABLE = "environment.";

    /** Names of runtime environments, with blanks between them. */
    public static final String RUNTIME_ENVIRONMENTS = "runtime-environments";

    private static final String DEFAULTS = "defaults.";
    private static final String CORES = "cores";
    private static final String MEMORY = "memory";
    private static final String WALL_TIME = "wall-time";

    public Routes {
        routes = List.copyOf(routes);
    }

    /**
     * A value and where it comes from.
     *
     * @param route the name of the route
     */
    public record Chosen(Object value, String route) {}

    /**
     * What a job gets.
     *
     * @param names of the routes that match, in their order
     * @param chosen by key, limits among them
     */
    public record Resolved(List<String> names, Map<String, Chosen> chosen) {
        /** What is stored with the job; limits are checked once. */
        public RouteSettings settings() {
            Map<String, Object> values = new LinkedHashMap<>();
            chosen.forEach((key, value) -> {
                if (!key.startsWith(LIMITS)) {
                    values.put(key, atMost(key, value.value()));
                }
            });
            return new RouteSettings(names, values);
        }

        /** A default of one route is not more than a limit of another. */
        private Object atMost(String key, Object value) {
            Chosen limit = key.startsWith(DEFAULTS) ? chosen.get(LIMITS + key.substring(DEFAULTS.length())) : null;
            boolean over = limit != null && ((Number) limit.value()).longValue() < ((Number) value).longValue();
            return over ? limit.value() : value;
        }

        /**
         * Refuses a job that requests more than a limit. What it has of a whole node is not counted.
         *
         * @param resources with the defaults
         */
        public void check(Resources resources) throws DescriptionException {
            NodeRequest nodes = resources.nodes();
            Limits limits = resources.limits();
            check(CORES, (long) nodes.cores(), " cores");
            if (!nodes.wholeNodes()) {
                int slotsOfNode = nodes.smpGranularity() != null
                        ? Math.min(nodes.smpGranularity(), nodes.cpus())
                        : (nodes.cores() - 1) / (nodes.hosts() == null ? 1 : nodes.hosts()) + 1;
                check(
                        MEMORY,
                        limits.nodeMemory() == null
                                ? limits.memory()
                                : Long.valueOf((limits.nodeMemory() - 1) / slotsOfNode + 1),
                        " bytes of memory for each core");
            }
            // where a batch system knows one time alone, it is this
            Duration time = limits.wallTime() == null ? limits.cpuTime() : limits.wallTime();
            check(WALL_TIME, time == null ? null : Long.valueOf(time.toSeconds()), " s of time");
        }

        private void check(String what, Long requested, String unit) throws DescriptionException {
            Chosen limit = chosen.get(LIMITS + what);
            if (limit != null && requested != null && requested > ((Number) limit.value()).longValue()) {
                throw new DescriptionException("the job requests " + requested + unit + "; " + LIMITS + what
                        + " of the site's route " + limit.route() + " is " + limit.value());
            }
        }
    }

    /** What the routes give a job. */
    public Resolved resolve(RoutedJob job) {
        List<String> names = new ArrayList<>();
        Map<String, Chosen> chosen = new LinkedHashMap<>();
        for (Route route : routes) {
            if (route.match().covers(job)) {
                names.add(route.name());
                route.values().forEach((key, value) -> chosen.putIfAbsent(key, new Chosen(value, route.name())));
            }
        }
        return new Resolved(List.copyOf(names), chosen);
    }

    /** The request with the variables that it does not set itself, and with runtime environments before its own. */
    public static JobRequest withEnvironment(JobRequest request, RouteSettings settings) {
        Map<String, String> variables = new LinkedHashMap<>();
        settings.values().forEach((key, value) -> {
            if (key.startsWith(VARIABLE)) {
                variables.put(key.substring(VARIABLE.length()), value.toString());
            }
        });
        List<String> environments = runtimeEnvironments(settings.values());
        return variables.isEmpty() && environments.isEmpty() ? request : request.withSite(variables, environments);
    }

    /** The names of the runtime environments among what a route gives, or all of a job's. */
    public static List<String> runtimeEnvironments(Map<String, Object> values) {
        Object names = values.get(RUNTIME_ENVIRONMENTS);
        return names == null ? List.of() : List.of(names.toString().split(" "));
    }

    /** What a job requests, and the defaults of its routes for what it does not. A job of one core requests none. */
    public static Resources withDefaults(Resources resources, RouteSettings settings) {
        if (settings.values().keySet().stream().noneMatch(key -> key.startsWith(DEFAULTS))) {
            return resources;
        }
        NodeRequest nodes = resources.nodes();
        Limits limits = resources.limits();
        Long cores = number(settings, CORES);
        Long memory = number(settings, MEMORY);
        Long seconds = number(settings, WALL_TIME);
        if (cores != null
                && nodes.cpus() <= 1
                && !nodes.wholeNodes()
                && nodes.smpGranularity() == null
                && nodes.hosts() == null
                && limits.cpuTime() == null) { // which is of all cores
            // on one node, as a job that runs threads needs them
            nodes = new NodeRequest(
                    cores.intValue(),
                    cores.intValue(),
                    null,
                    false,
                    nodes.gpus(),
                    nodes.gpuMode(),
                    nodes.gpuModel(),
                    nodes.mics(),
                    nodes.ceRequirements());
        }
        boolean timed = limits.wallTime() != null || limits.cpuTime() != null || seconds == null;
        boolean sized = nodes.wholeNodes() || limits.memory() != null || limits.nodeMemory() != null;
        return new Resources(
                resources.batchSystem(),
                resources.queue(),
                nodes,
                new Limits(
                        timed ? limits.wallTime() : Duration.ofSeconds(seconds),
                        limits.cpuTime(),
                        sized ? limits.memory() : memory,
                        limits.nodeMemory(),
                        limits.nodeCpus()),
                resources.further(),
                resources.priority());
    }

    private static Long number(RouteSettings settings, String what) {
        return settings.values().get(DEFAULTS + what) instanceof Number number ? (Long) number.longValue() : null;
    }
}
