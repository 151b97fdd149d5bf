package org.gelato.ce.ws.push;

import org.gelato.ce.ws.http.LiveAnswer;

/** A client that follows events. Only the thread of {@link Followers} uses it, after it was made. */
final class Follower {
    /** Who holds the place: a person. */
    final String person;
    /** {@link org.gelato.ce.core.event.EventFeed#ALL_OWNERS} for all. */
    final int owner;

    final LiveAnswer answer;
    final long opened;
    private long cursor;
    private long lastTaken;
    private boolean greeted;

    /**
     * @param cursor the id after which events are wanted
     * @param now of a clock that never goes back, in nanoseconds
     */
    Follower(String person, int owner, LiveAnswer answer, long cursor, long now) {
        this.person = person;
        this.owner = owner;
        this.answer = answer;
        this.cursor = cursor;
        opened = now;
        lastTaken = now;
    }

    long cursor() {
        return cursor;
    }

    /** There is nothing for this follower up to an id. */
    void skipTo(long id) {
        cursor = Math.max(cursor, id);
    }

    boolean greeted() {
        return greeted;
    }

    /**
     * Sends bytes if the client takes them.
     *
     * @param upTo the cursor when it has
     */
    boolean send(byte[] bytes, long upTo, long now) {
        if (!answer.offer(bytes)) {
            return false;
        }
        greeted = true;
        lastTaken = now;
        skipTo(upTo);
        return true;
    }

    /** Since when nothing was taken, in nanoseconds of the same clock. */
    long lastTaken() {
        return lastTaken;
    }
}
