package org.gelato.ce.core.description;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.gelato.ce.core.description.JobRequest.RuntimeEnvironment;
import org.gelato.ce.core.description.JobRequest.Session;

/** Which runtime environments this CE has. Names compare without case. Immutable. */
public final class RuntimeEnvironments {
    /** Always there: the job gets its proxy anyway. */
    public static final String PROXY = "ENV/PROXY";

    private final Map<String, String> known = new TreeMap<>();

    /** @param names of what is configured beside {@link #PROXY} */
    public RuntimeEnvironments(Set<String> names) {
        known.put(key(PROXY), PROXY);
        names.forEach(name -> known.put(key(name), name));
    }

    /**
     * The request with its environments by their configured names. Optional ones that this CE does not have are left out
     * with a warning.
     *
     * @throws DescriptionException naming one that is missing, and what there is
     */
    public JobRequest check(JobRequest request) throws DescriptionException {
        Session session = request.session();
        if (session.runtimeEnvironments().isEmpty()) {
            return request;
        }
        List<String> warnings = new ArrayList<>(request.warnings());
        List<RuntimeEnvironment> present = new ArrayList<>();
        for (RuntimeEnvironment wanted : session.runtimeEnvironments()) {
            String name = known.get(key(wanted.name()));
            String missing = Excerpt.of(wanted.name()) + " does not exist here; this CE has "
                    + Excerpt.of(String.join(", ", known.values()));
            if (name != null) {
                present.add(new RuntimeEnvironment(name, wanted.options(), wanted.optional()));
            } else if (wanted.optional()) {
                warnings.add("RuntimeEnvironment: " + missing);
            } else {
                throw new DescriptionException("RuntimeEnvironment", missing);
            }
        }
        return new JobRequest(
                request.executable(),
                request.streams(),
                request.files(),
                request.resources(),
                request.environment(),
                request.hooks(),
                request.origin(),
                request.others(),
                List.copyOf(warnings),
                new Session(
                        session.name(),
                        session.logDirectory(),
                        session.delegationId(),
                        session.lifetime(),
                        session.reruns(),
                        List.copyOf(present)));
    }

    private static String key(String name) {
        return name.toUpperCase(Locale.ROOT);
    }
}
