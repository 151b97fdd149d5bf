package org.gelato.ce.core.lrms;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.gelato.ce.core.fixture.Records;
import org.gelato.ce.description.JobRequest.Limits;
import org.gelato.ce.description.JobRequest.NodeRequest;
import org.gelato.ce.description.JobRequest.Resource;
import org.gelato.ce.description.JobRequest.Resources;

/** What holds for every adapter: it hands over each resource that a job can request, or the job's owner is warned of it. */
public final class ResourceContract {
    /** A value for each type of request; two numbers, as a priority is above the usual one or below it. */
    private static final List<Object> SAMPLES = List.of(2, 60, 2L << 30, Duration.ofHours(2), "a100", true);

    /** With a GPU, without which neither its model nor its mode is anything. */
    private static final Resources BASE =
            new Resources("slurm", "long", new NodeRequest(1, null, null, false, 1, null, null, null, null));

    private ResourceContract() {}

    /**
     * Tries each resource.
     *
     * @param given all that the batch system is given for a job
     */
    public static void holds(SupportedRequests options, Function<Submission, ?> given) {
        for (Resource resource : Resource.values()) {
            Resources resources = requesting(resource);
            boolean byScript = options.script() && resource.isRequirement();
            assertThat(warned(options, resources).contains(resource.words()))
                    .as("a warning of %s where it is not handed over", resource)
                    .isEqualTo(!byScript && given.apply(submission(resources)).equals(given.apply(submission(BASE))));
        }
    }

    private static List<String> warned(SupportedRequests options, Resources resources) {
        return options.warning(submission(resources).request())
                .map(text -> List.of(text.substring(text.indexOf(": ") + 2).split(", ")))
                .orElse(List.of());
    }

    private static Submission submission(Resources resources) {
        return Submissions.of("long", Path.of("/sandboxes/vo/ab/00/00/CREAM000000042"), resources);
    }

    /** Found by trying all fields, so that this class knows a new resource without a change. */
    private static Resources requesting(Resource resource) {
        return Stream.of(
                        varied(BASE.nodes()).map(nodes -> new Resources("slurm", "long", nodes)),
                        varied(Limits.NONE).map(limits -> new Resources("slurm", "long", BASE.nodes(), limits)),
                        varied(BASE))
                .flatMap(Function.identity())
                .filter(resources -> !Objects.equals(resource.of(resources), resource.of(BASE)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no field requests " + resource));
    }

    private static <R extends Record> Stream<R> varied(R base) {
        return Stream.of(base.getClass().getRecordComponents()).flatMap(component -> {
            Class<?> type = MethodType.methodType(component.getType()).wrap().returnType();
            return SAMPLES.stream()
                    .filter(type::isInstance)
                    .map(sample -> Records.with(base, component.getName(), sample));
        });
    }
}
