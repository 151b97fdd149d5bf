package org.gelato.ce.ws.push;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Set;
import org.gelato.ce.core.event.EventFeed;
import org.gelato.ce.core.event.OwnedEvent;

/** State changes for those who follow; a selection is an owner's number, or {@link EventFeed#ALL_OWNERS}. */
final class FollowedEvents implements Followed<Integer> {
    private static final int PAGE = 100;

    private final EventFeed feed;
    private final EventJson json;

    FollowedEvents(EventFeed feed, EventJson json) {
        this.feed = feed;
        this.json = json;
    }

    @Override
    public long horizon() {
        return feed.horizon();
    }

    @Override
    public Set<Integer> ownersBetween(long after, long to) {
        return feed.ownersBetween(after, to);
    }

    @Override
    public Set<Integer> owners(Integer owner) {
        return owner == EventFeed.ALL_OWNERS ? Set.of() : Set.of(owner);
    }

    @Override
    public Page page(Integer owner, long after, long to, int room) {
        List<OwnedEvent> events = feed.after(owner, after, to, PAGE);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int taken = 0;
        long last = after;
        while (taken < events.size() && bytes.size() < room) {
            OwnedEvent event = events.get(taken++);
            bytes.writeBytes(json.sent(event, owner == EventFeed.ALL_OWNERS));
            last = event.event().id();
        }
        return new Page(bytes.toByteArray(), taken == events.size() && taken < PAGE ? to : last);
    }

    @Override
    public String cursor(long id) {
        return json.cursor(id);
    }
}
