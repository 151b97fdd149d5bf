package org.gelato.ce.ws.push;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.gelato.ce.core.job.JobId;
import org.gelato.ce.core.message.Message;
import org.gelato.ce.core.message.MessageFeed;

/**
 * Messages for those who follow. Rows that were read and did not fit into a page are kept for the next one, so that output, of which a
 * row may be as large as many messages, is not read again and again. Used by the one thread of the followers.
 */
final class FollowedMessages implements Followed<MessageSelection> {
    private static final int PAGE = 400;

    private static final int MAX_STANDINGS = 1000;
    /** Of 3 MiB at most each, when all are output. */
    private static final int MAX_WINDOWS = 8;

    private final MessageFeed feed;
    private final MessageJson json;

    /** The last reads of some scopes, the one not used for longest first. */
    private final Map<MessageFeed.Scope, Window> windows = new LinkedHashMap<>(MAX_WINDOWS, 1, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<MessageFeed.Scope, Window> eldest) {
            return size() > MAX_WINDOWS;
        }
    };

    /**
     * All messages of a scope in a range of ids.
     *
     * @param after exclusive
     * @param to inclusive
     * @param sent what followers get of each; null until one does
     */
    private record Window(long after, long to, List<Message> messages, byte[][] sent) {}

    FollowedMessages(MessageFeed feed, MessageJson json) {
        this.feed = feed;
        this.json = json;
    }

    @Override
    public long horizon() {
        return feed.last();
    }

    @Override
    public Set<Integer> ownersBetween(long after, long to) {
        return feed.ownersBetween(after, to);
    }

    @Override
    public Set<Integer> owners(MessageSelection selection) {
        return selection.owners();
    }

    @Override
    public Page page(MessageSelection selection, long after, long to, int room) {
        Window window = window(selection.scope(), after, to);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < window.messages.size(); i++) {
            Message message = window.messages.get(i);
            if (message.id() > after && selection.filter().takes(message)) {
                // Followers that are not at the same place share the work of writing it.
                if (window.sent[i] == null) {
                    window.sent[i] = json.sent(message);
                }
                bytes.writeBytes(window.sent[i]);
                if (bytes.size() >= room) {
                    return new Page(bytes.toByteArray(), message.id());
                }
            }
        }
        return new Page(bytes.toByteArray(), window.to);
    }

    private Window window(MessageFeed.Scope scope, long after, long to) {
        Window known = windows.get(scope);
        if (known != null && known.after <= after && after < known.to) {
            return known;
        }
        List<Message> messages = feed.after(scope, after, to, PAGE);
        long end =
                messages.size() < PAGE ? to : messages.get(messages.size() - 1).id();
        Window window = new Window(after, end, messages, new byte[messages.size()][]);
        windows.put(scope, window);
        return window;
    }

    /** Reads how the named jobs stand, of which there are at most some thousand followers times a hundred. */
    @Override
    public Map<MessageSelection, Ended> ended(Collection<MessageSelection> selections) {
        windows.keySet()
                .retainAll(selections.stream().map(MessageSelection::scope).collect(Collectors.toUnmodifiableSet()));
        Set<JobId> named = new TreeSet<>();
        selections.forEach(s -> named.addAll(s.jobs()));
        if (named.isEmpty()) {
            return Map.of();
        }
        Map<JobId, MessageFeed.Standing> standings = new HashMap<>();
        List<JobId> all = new ArrayList<>(named);
        for (int from = 0; from < all.size(); from += MAX_STANDINGS) {
            standings.putAll(feed.standing(all.subList(from, Math.min(all.size(), from + MAX_STANDINGS))));
        }
        Map<MessageSelection, Ended> ended = new HashMap<>();
        for (MessageSelection selection : selections) {
            Map<String, byte[]> parts = new LinkedHashMap<>();
            for (JobId job : new TreeSet<>(selection.jobs())) {
                MessageFeed.Standing standing = standings.get(job);
                if (standing == null || standing.complete()) {
                    parts.put(job.toString(), json.end(job, standing));
                }
            }
            if (!parts.isEmpty()) {
                ended.put(
                        selection,
                        new Ended(parts, parts.size() == selection.jobs().size()));
            }
        }
        return ended;
    }

    @Override
    public String cursor(long id) {
        return json.cursor(id);
    }
}
