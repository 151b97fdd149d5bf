package org.gelato.ce.ws.push;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.message.MessageFeed;
import org.gelato.ce.json.FaultCode;

/**
 * Whose messages a caller may read: its own, as an administrator those of all, and as an administrator of a VO those of the VO's
 * owners. Any thread.
 */
public final class MessageAccess {
    private final MessageFeed feed;
    private final Function<Identity, Set<String>> administered;
    private final IntFunction<Optional<String>> voOfOwner;
    private final Consumer<String> requested;

    /**
     * @param administered the VOs that an identity administers
     * @param voOfOwner the VO of an owner, by its number
     * @param requested gets a text for the audit log when others' messages are read
     */
    public MessageAccess(
            MessageFeed feed,
            Function<Identity, Set<String>> administered,
            IntFunction<Optional<String>> voOfOwner,
            Consumer<String> requested) {
        this.feed = feed;
        this.administered = administered;
        this.voOfOwner = voOfOwner;
        this.requested = requested;
    }

    /**
     * How jobs that the caller may read stand.
     *
     * @return by job, all of them
     * @throws ServiceException JOB_UNKNOWN for the first that does not exist, or is another's: the caller cannot tell which
     */
    Map<JobId, MessageFeed.Standing> standings(Caller caller, Collection<JobId> jobs) {
        Map<JobId, MessageFeed.Standing> found = feed.standing(jobs);
        Map<JobId, MessageFeed.Standing> standings = new LinkedHashMap<>();
        Set<JobId> others = new HashSet<>();
        int own = feed.owner(caller);
        for (JobId job : jobs) {
            MessageFeed.Standing standing = found.get(job);
            if (standing == null || !(standing.owner() == own || mayRead(caller, standing.owner()))) {
                throw new ServiceException(FaultCode.JOB_UNKNOWN, "job not found: " + job);
            }
            if (standing.owner() != own) {
                others.add(job);
            }
            standings.put(job, standing);
        }
        if (!others.isEmpty()) {
            requested.accept("messages of " + others.iterator().next()
                    + (others.size() == 1 ? "" : " and " + (others.size() - 1) + " more jobs"));
        }
        return standings;
    }

    private boolean mayRead(Caller caller, int owner) {
        if (caller.admin()) {
            return true;
        }
        Set<String> vos = administered.apply(caller.identity());
        return !vos.isEmpty() && voOfOwner.apply(owner).filter(vos::contains).isPresent();
    }

    /**
     * The scope of a request without jobs.
     *
     * @param scope {@code own}, {@code all} or {@code vo:NAME}; null for the first
     * @throws ServiceException.NotAuthorized when it is not the caller's
     * @throws IllegalArgumentException when it is no scope
     */
    MessageSelection selection(Caller caller, String scope, MessageFilter filter) {
        if (scope == null || scope.equals("own")) {
            int owner = feed.owner(caller);
            return new MessageSelection(new MessageFeed.Scope.Owner(owner), filter, Set.of(owner));
        }
        if (scope.equals("all")) {
            if (!caller.admin()) {
                throw new ServiceException.NotAuthorized(
                        "only administrators of this CE may read the messages of all users; leave scope=all out");
            }
            requested.accept("messages of all users");
            return new MessageSelection(new MessageFeed.Scope.All(), filter, Set.of());
        }
        if (!scope.startsWith("vo:") || scope.length() == "vo:".length()) {
            throw new IllegalArgumentException("scope is own, all or vo:NAME");
        }
        String vo = scope.substring("vo:".length());
        if (!caller.admin() && !administered.apply(caller.identity()).contains(vo)) {
            throw new ServiceException.NotAuthorized(
                    "only administrators of this VO may read the messages of its users;"
                            + " gelato.authorization.vo-admins names them");
        }
        requested.accept("messages of VO " + vo);
        return new MessageSelection(new MessageFeed.Scope.Vo(vo), filter, Set.of());
    }
}
