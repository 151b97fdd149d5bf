package org.gelato.ce.core.base;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Stride scheduling (Waldspurger, 1995): what waits is taken in turns of those whom it is of, and a turn is paid for by the cost of what
 * was taken. So whoever queues much, or much that is large, waits behind what others have queued meanwhile, and nobody waits for another's
 * backlog. Shares nest: with the path "VO, user" VOs take turns, and in a turn of a VO its users. Items of one holder keep their order.
 * Nobody saves turns up while having nothing queued. Memory is that of the items that wait, and of holders that took more than others
 * since the queue was last empty. Not thread-safe.
 */
public final class StrideQueue<T> {
    private final ToLongFunction<T> cost;
    private final Group<T> all = new Group<>();

    private static final class Group<T> {
        /** The pass of the member that was served last: who comes anew begins here. */
        private long now;

        private final Map<Object, Member<T>> members = new LinkedHashMap<>();

        Member<T> next() {
            Member<T> next = null;
            for (Member<T> member : members.values()) {
                if (member.waiting > 0 && (next == null || member.pass < next.pass)) {
                    next = member;
                }
            }
            return next;
        }
    }

    private static final class Member<T> {
        private long pass;
        private int waiting;
        private final Group<T> within = new Group<>();
        private final Deque<T> items = new ArrayDeque<>();
    }

    /** @param cost of an item, at least 1, always the same for the same item */
    public StrideQueue(ToLongFunction<T> cost) {
        this.cost = cost;
    }

    /**
     * Queues an item.
     *
     * @param path whom it is of, the outermost share first; as long for all items of a share, and not empty
     */
    public void add(List<?> path, T item) {
        Group<T> group = all;
        Member<T> member = null;
        for (Object holder : path) {
            if (member != null) {
                group = member.within;
            }
            long now = group.now;
            member = group.members.computeIfAbsent(holder, h -> new Member<>());
            if (member.waiting++ == 0) {
                member.pass = Math.max(member.pass, now);
            }
        }
        if (member == null) {
            throw new IllegalArgumentException("an item of nobody");
        }
        member.items.add(item);
    }

    /** The item whose turn it is; null when none waits. */
    public T peek() {
        Member<T> member = all.next();
        while (member != null && member.items.isEmpty()) {
            member = member.within.next();
        }
        return member == null ? null : member.items.peek();
    }

    /** Takes the item whose turn it is; null when none waits. */
    public T poll() {
        T item = peek();
        if (item == null) {
            return null;
        }
        long price = cost.applyAsLong(item);
        Group<T> group = all;
        for (Member<T> member = group.next(); member != null; member = group.next()) {
            group.now = member.pass;
            member.pass += price;
            member.waiting--;
            long now = group.now;
            group.members.values().removeIf(m -> m.waiting == 0 && m.pass <= now);
            if (!member.items.isEmpty()) {
                member.items.remove();
                break;
            }
            group = member.within;
        }
        if (all.members.values().stream().allMatch(m -> m.waiting == 0)) {
            all.members.clear();
            all.now = 0;
        }
        return item;
    }

    /** Whether nothing waits. */
    public boolean isEmpty() {
        return all.members.isEmpty();
    }
}
