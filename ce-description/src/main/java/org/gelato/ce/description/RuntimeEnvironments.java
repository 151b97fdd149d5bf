package org.gelato.ce.description;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.gelato.ce.description.JobRequest.RuntimeEnvironment;
import org.gelato.ce.description.JobRequest.Session;

/** Which runtime environments this CE has. Names compare without case. Thread-safe, as far as what supplies them is. */
public final class RuntimeEnvironments {
    /** Always there: the job gets its proxy anyway. */
    public static final String PROXY = "ENV/PROXY";

    /** No others than {@link #PROXY}. */
    public static final RuntimeEnvironments NONE = new RuntimeEnvironments(List::of);

    private final Supplier<List<Snippet>> snippets;

    /**
     * An environment that administrators have configured.
     *
     * @param text shell commands that set it up
     */
    public record Snippet(String name, String text) {}

    /** @param snippets what is configured beside {@link #PROXY}, now; no two of one name */
    public RuntimeEnvironments(Supplier<List<Snippet>> snippets) {
        this.snippets = snippets;
    }

    /** The names of those that are installed at this moment, sorted. */
    public List<String> names() {
        return names(snippets.get());
    }

    private static List<String> names(List<Snippet> configured) {
        return Stream.concat(Stream.of(PROXY), configured.stream().map(Snippet::name))
                .toList();
    }

    /**
     * The request with its environments by their configured names and with their texts. Optional ones that this CE does not
     * have are left out with a warning.
     *
     * @throws DescriptionException naming one that is missing, and what there is
     */
    public JobRequest check(JobRequest request) throws DescriptionException {
        Session session = request.session();
        if (session.runtimeEnvironments().isEmpty()) {
            return request;
        }
        List<Snippet> configured = snippets.get();
        List<String> warnings = new ArrayList<>(request.warnings());
        List<RuntimeEnvironment> present = new ArrayList<>();
        for (RuntimeEnvironment wanted : session.runtimeEnvironments()) {
            if (wanted.name().equalsIgnoreCase(PROXY)) {
                present.add(new RuntimeEnvironment(PROXY, wanted.options(), wanted.optional(), null));
                continue;
            }
            Snippet snippet = configured.stream()
                    .filter(s -> s.name().equalsIgnoreCase(wanted.name()))
                    .findFirst()
                    .orElse(null);
            if (snippet != null) {
                present.add(
                        new RuntimeEnvironment(snippet.name(), wanted.options(), wanted.optional(), snippet.text()));
                continue;
            }
            String missing = SafeText.of(wanted.name()) + " does not exist here; this CE has "
                    + SafeText.of(String.join(", ", names(configured)));
            if (!wanted.optional()) {
                throw new DescriptionException("RuntimeEnvironment", missing);
            }
            warnings.add("RuntimeEnvironment: " + missing);
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
                session.with(List.copyOf(present)),
                request.monitoring(),
                request.labels());
    }
}
