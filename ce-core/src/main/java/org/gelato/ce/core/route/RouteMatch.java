package org.gelato.ce.core.route;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.gelato.ce.core.identity.DnForms;
import org.gelato.ce.core.identity.FqanPattern;
import org.gelato.ce.core.identity.TokenGroup;
import org.gelato.ce.core.identity.TokenIdentity;
import org.gelato.ce.description.JobRequest.NodeRequest;

/**
 * Which jobs a route is for: all conditions hold. Of a list any one is enough; an empty one and null are no condition. Immutable.
 *
 * @param fqans patterns, of which one matches the primary FQAN
 * @param groups of which one covers a group of the token, where groups count
 * @param dns by {@link DnForms#comparable}
 * @param minCores that the job requests at least; 0 for any number
 * @param labels that the job has, all of them
 */
public record RouteMatch(
        List<String> vos,
        List<FqanPattern> fqans,
        List<String> issuers,
        List<TokenGroup> groups,
        List<String> accounts,
        List<String> dns,
        List<String> queues,
        int minCores,
        Boolean wholeNode,
        Boolean gpu,
        Map<String, String> labels) {
    public RouteMatch {
        vos = List.copyOf(vos);
        fqans = List.copyOf(fqans);
        issuers = List.copyOf(issuers);
        groups = List.copyOf(groups);
        accounts = List.copyOf(accounts);
        dns = List.copyOf(dns);
        queues = List.copyOf(queues);
        labels = Map.copyOf(labels);
    }

    boolean covers(RoutedJob job) {
        NodeRequest nodes = job.resources().nodes();
        boolean gpus = nodes.gpus() != null && nodes.gpus() > 0;
        return any(vos, vo -> vo.equals(job.vo()))
                && any(fqans, pattern -> !job.fqan().isEmpty() && pattern.matches(job.fqan()))
                && coversToken(job.token())
                && any(accounts, account -> account.equals(job.account()))
                && (dns.isEmpty() || (job.dn() != null && dns.contains(DnForms.comparable(job.dn()))))
                && any(queues, queue -> queue.equals(job.queue()))
                && (minCores == 0 || nodes.cores() >= minCores)
                && (wholeNode == null || wholeNode == nodes.wholeNodes())
                && (gpu == null || gpu == gpus)
                && job.labels().labels().entrySet().containsAll(labels.entrySet());
    }

    private boolean coversToken(TokenIdentity token) {
        return any(issuers, issuer -> token != null && issuer.equals(token.issuer()))
                && any(
                        groups,
                        group -> token != null && token.countedGroups().stream().anyMatch(group::covers));
    }

    private static <T> boolean any(Collection<T> conditions, Predicate<T> holds) {
        return conditions.isEmpty() || conditions.stream().anyMatch(holds);
    }
}
