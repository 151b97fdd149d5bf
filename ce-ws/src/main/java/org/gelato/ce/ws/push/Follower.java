package org.gelato.ce.ws.push;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.gelato.ce.ws.http.LiveResponse;
import org.gelato.ce.ws.http.PerUserLimit;

/** A client that follows events. Only the thread of {@link Followers} uses it, after it was made. */
final class Follower<S> {
    /** The container copies at most so much for a client that does not read. */
    private static final int LEAST_ROOM = 32 << 10;

    /** For one that has much to catch up, and reads: each page costs a turn of the container's threads and of the one here. */
    private static final int MAX_ROOM = 128 << 10;

    final String user;
    final PerUserLimit.Permit permit;

    final S selection;
    final LiveResponse response;
    final long opened;
    private final Set<String> ended = new HashSet<>();
    private int room = LEAST_ROOM;
    private long cursor;
    private long lastTaken;
    private boolean greeted;

    /**
     * @param cursor the id after which events are wanted
     * @param now of a clock that never goes back, in nanoseconds
     */
    Follower(String user, PerUserLimit.Permit permit, S selection, LiveResponse response, long cursor, long now) {
        this.user = user;
        this.permit = permit;
        this.selection = selection;
        this.response = response;
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

    /** Bytes of the next page, about. */
    int room() {
        return room;
    }

    /** The client has taken a whole page, and there are more; or it has all there is. */
    void wants(boolean more) {
        room = more ? Math.min(2 * room, MAX_ROOM) : LEAST_ROOM;
    }

    /**
     * Sends bytes if the client takes them.
     *
     * @param upTo the cursor when it has
     */
    boolean send(byte[] bytes, long upTo, long now) {
        if (!response.offer(bytes)) {
            return false;
        }
        greeted = true;
        lastTaken = now;
        skipTo(upTo);
        return true;
    }

    /** Sends the ends that were not sent yet, as far as the client takes them, and ends the response after the last. */
    void end(Followed.Ended now, long nanos) {
        for (Map.Entry<String, byte[]> part : now.parts().entrySet()) {
            if (!ended.contains(part.getKey())) {
                if (!send(part.getValue(), cursor, nanos)) {
                    return;
                }
                ended.add(part.getKey());
            }
        }
        if (now.all()) {
            response.close();
        }
    }

    /** Since when nothing was taken, in nanoseconds of the same clock. */
    long lastTaken() {
        return lastTaken;
    }
}
