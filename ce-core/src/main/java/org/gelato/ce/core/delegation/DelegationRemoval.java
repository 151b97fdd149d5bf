package org.gelato.ce.core.delegation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.gelato.ce.core.delegation.DelegationStore.Ending;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What destroy and the sweeper share: files and jobs of delegations that end (docs/protocol/delegation-wire.md section 7).
 * The caller deletes the rows last, so that after a crash in between the end is found and done again.
 */
final class DelegationRemoval {
    static final String REASON = "job cancelled because the related delegation has expired";

    private static final Logger log = LoggerFactory.getLogger(DelegationRemoval.class);

    private record Place(String account, Path directory) {}

    private final ProxyFiles files;
    private final DelegationEnd end;

    DelegationRemoval(ProxyFiles files, DelegationEnd end) {
        this.files = files;
        this.end = end;
    }

    /** Removes the files, with one message per account and directory; failures are logged only. */
    void removeFiles(List<Ending> delegations) {
        Map<Place, List<String>> places = delegations.stream()
                .collect(Collectors.groupingBy(
                        d -> new Place(d.account(), d.file().getParent()),
                        Collectors.mapping(d -> d.file().getFileName().toString(), Collectors.toList())));
        places.forEach((place, names) -> {
            try {
                files.remove(place.account(), place.directory(), names);
            } catch (IOException e) {
                log.warn("{}: {}", names, e.getMessage());
            }
        });
    }

    /** Cancels the jobs that use a delegation. */
    void cancelJobs(Ending delegation) {
        end.cancelJobsOf(delegation.id(), REASON);
    }
}
