package org.gelato.ce.core.message;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.gelato.ce.core.db.SqlTime;
import org.gelato.ce.core.job.JobState;
import org.gelato.ce.core.wrapper.MessageSettings;

/**
 * A row of {@code job_messages} within the transaction that locked it: takes in batches by their numbers, keeps the job's quotas, and has
 * what is to be written. For one thread.
 */
final class MessageRecord {
    /** Bits of the column {@code noticed}. */
    private static final int MESSAGES_FULL = 1;

    private static final int BYTES_FULL = 2;
    private static final int OUTPUT_FULL = 4;
    private static final int OWNER_FULL = 8;

    private static final String QUOTA_KEY = "gelato.quota";
    private static final String LOST_KEY = "gelato.lost";

    private final int job;
    private final int owner;
    private final int live;
    private final boolean closed;
    private final Long expected;
    private final boolean ended;
    private long lastNumber;
    private long messages;
    private long messageBytes;
    private long outputBytes;
    private long stdoutEnd;
    private long stderrEnd;
    private long dropped;
    private long droppedBytes;
    private int noticed;
    private Instant dueAt;
    private boolean changed;
    private long newBytes;
    private int newMessages;
    private long newDropped;
    private final List<NewMessage> rows = new ArrayList<>();

    /** A row of {@code message} without its id. */
    record NewMessage(
            int job,
            int owner,
            Message.Kind kind,
            long number,
            Instant sent,
            Instant received,
            MessageLevel level,
            String key,
            byte[] content) {}

    /** Reads the columns of {@link MessageStore#LOCK}. */
    MessageRecord(ResultSet r) throws SQLException {
        job = r.getInt("job_id");
        owner = r.getInt("owner_id");
        lastNumber = r.getLong("last_number");
        messages = r.getLong("messages");
        messageBytes = r.getLong("message_bytes");
        outputBytes = r.getLong("output_bytes");
        stdoutEnd = r.getLong("stdout_end");
        stderrEnd = r.getLong("stderr_end");
        dropped = r.getLong("dropped");
        droppedBytes = r.getLong("dropped_bytes");
        noticed = r.getInt("noticed");
        live = r.getInt("live");
        closed = r.getBoolean("closed");
        ended = JobState.ofCode(r.getInt("state")).isFinal();
        dueAt = SqlTime.get(r, "due_at");
        long sent = r.getLong("expected");
        expected = r.wasNull() ? null : sent;
    }

    int job() {
        return job;
    }

    int owner() {
        return owner;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether the job has ended. */
    boolean isEnded() {
        return ended;
    }

    /** Whether the wrapper has still to be notified, by a file, that its output is wanted. */
    boolean isToBeNotified() {
        return live == 1 && !ended;
    }

    /** Whether a message is the last that the job has sent, as its wrapper said. */
    boolean isLast(long number) {
        return expected != null && number >= expected;
    }

    /** Whether no message is known to follow this one. */
    boolean isComplete(long number) {
        return expected == null || number >= expected;
    }

    /** When something is to be done; null for never. */
    Instant dueAt() {
        return dueAt;
    }

    /** Nothing is to be done any more. */
    void settle() {
        dueAt = null;
        changed = true;
    }

    /** Messages that are taken in, from the first on. */
    long lastNumber() {
        return lastNumber;
    }

    /** Whether anything differs from the row as it was locked. */
    boolean isChanged() {
        return changed;
    }

    /** What is to be inserted, in order. */
    List<NewMessage> rows() {
        return rows;
    }

    /** Bytes that are stored of the job now and were not before. */
    long newBytes() {
        return newBytes;
    }

    /** Messages and pieces of output to be inserted, without notices. */
    int newMessages() {
        return newMessages;
    }

    /** Messages and pieces of output dropped for a quota. */
    long newDropped() {
        return newDropped;
    }

    /** In the order of {@link MessageStore#CHANGED}. */
    Object[] values() {
        return new Object[] {
            job,
            lastNumber,
            messages,
            messageBytes,
            outputBytes,
            stdoutEnd,
            stderrEnd,
            dropped,
            droppedBytes,
            noticed,
            dueAt
        };
    }

    /** Has the journal read. */
    void due(Instant at) {
        if (dueAt == null || dueAt.isAfter(at)) {
            dueAt = at;
            changed = true;
        }
    }

    /**
     * Takes in a batch.
     *
     * @param quota of a job
     * @param ownerHasRoom whether the owner's quota has room for so many bytes beyond what this transaction stores for the owner already
     */
    MessageIntake.Response take(MessageBatch batch, MessageQuota quota, LongPredicate ownerHasRoom, Instant now) {
        return batch.kind() == Message.Kind.TEXT
                ? takeLines(batch, quota, ownerHasRoom, now)
                : takeOutput(batch, quota, ownerHasRoom, now);
    }

    private MessageIntake.Response takeLines(
            MessageBatch batch, MessageQuota quota, LongPredicate ownerHasRoom, Instant now) {
        if (batch.first() > lastNumber + 1) {
            if (!isFull(quota.job().perJob()) || closed) {
                return answer(MessageIntake.Result.GAP, lastNumber + 1);
            }
            // What is missing would not be stored.
            dropped += batch.first() - 1 - lastNumber;
            lastNumber = batch.first() - 1;
            changed = true;
        }
        boolean full = false;
        int known = (int) Math.min(batch.lines().size(), lastNumber + 1 - batch.first());
        if (known < batch.lines().size() && closed) {
            return answer(MessageIntake.Result.REFUSED, lastNumber + 1);
        }
        for (MessageBatch.Line line : batch.lines().subList(known, batch.lines().size())) {
            lastNumber++;
            changed = true;
            if (isOver(line.weight(), quota, ownerHasRoom, now)) {
                dropped++;
                newDropped++;
                full = true;
                continue;
            }
            messages++;
            messageBytes += line.weight();
            newBytes += line.weight();
            newMessages++;
            rows.add(new NewMessage(
                    job,
                    owner,
                    Message.Kind.TEXT,
                    lastNumber,
                    line.time() == null ? now : line.time(),
                    now,
                    line.level(),
                    line.key(),
                    line.text()));
        }
        return answer(full ? MessageIntake.Result.FULL : MessageIntake.Result.STORED, lastNumber + 1);
    }

    private boolean isOver(int weight, MessageQuota quota, LongPredicate ownerHasRoom, Instant now) {
        MessageSettings ofJob = quota.job();
        // What was used up stays so: otherwise short messages would be stored among long ones that are not.
        if (messages >= ofJob.perJob() || isNoticed(MESSAGES_FULL)) {
            usedUp(MESSAGES_FULL, "the job's quota of " + ofJob.perJob() + " messages", now);
            return true;
        }
        if (messageBytes + weight > ofJob.bytesPerJob() || isNoticed(BYTES_FULL)) {
            usedUp(BYTES_FULL, "the job's quota of " + ofJob.bytesPerJob() + " bytes of messages", now);
            return true;
        }
        return isOwnerFull(weight, quota, ownerHasRoom, now);
    }

    private boolean isOwnerFull(int weight, MessageQuota quota, LongPredicate ownerHasRoom, Instant now) {
        if (ownerHasRoom.test(newBytes + weight)) {
            return false;
        }
        if (note(OWNER_FULL)) {
            notice(
                    QUOTA_KEY,
                    "the quota of " + quota.bytesPerOwner()
                            + " bytes of messages and live output of all jobs of this owner is"
                            + " used up; later ones are stored only when jobs have been purged",
                    now);
        }
        return true;
    }

    private MessageIntake.Response takeOutput(
            MessageBatch batch, MessageQuota quota, LongPredicate ownerHasRoom, Instant now) {
        boolean stdout = batch.kind() == Message.Kind.STDOUT;
        long end = stdout ? stdoutEnd : stderrEnd;
        long last = batch.first() + batch.output().length;
        if (last <= end) {
            return answer(MessageIntake.Result.STORED, end);
        }
        if (closed) {
            return answer(MessageIntake.Result.REFUSED, end);
        }
        // What lies between is not wanted any more: the wrapper was too far behind.
        long first = Math.max(batch.first(), end);
        int length = (int) (last - first);
        boolean full = isOutputOver(length, quota, ownerHasRoom, now);
        changed = true;
        if (stdout) {
            stdoutEnd = last;
        } else {
            stderrEnd = last;
        }
        if (full) {
            droppedBytes += length;
            newDropped++;
        } else {
            byte[] content = batch.output();
            if (length < content.length) {
                content = Arrays.copyOfRange(content, content.length - length, content.length);
            }
            outputBytes += length;
            newBytes += length;
            newMessages++;
            rows.add(new NewMessage(
                    job,
                    owner,
                    batch.kind(),
                    first,
                    batch.time() == null ? now : batch.time(),
                    now,
                    MessageLevel.INFO,
                    null,
                    content));
        }
        return answer(full ? MessageIntake.Result.FULL : MessageIntake.Result.STORED, last);
    }

    private boolean isOutputOver(int length, MessageQuota quota, LongPredicate ownerHasRoom, Instant now) {
        long most = quota.job().outputPerJob();
        if (outputBytes + length > most || isNoticed(OUTPUT_FULL)) {
            usedUp(OUTPUT_FULL, "the job's quota of " + most + " bytes of live output", now);
            return true;
        }
        return isOwnerFull(length, quota, ownerHasRoom, now);
    }

    /**
     * Whether messages that the job sent are to be looked for in its journal.
     *
     * @param perJob quota of messages
     */
    boolean lacksMessages(int perJob) {
        return !isFull(perJob) && (expected == null || expected > lastNumber);
    }

    private boolean isFull(int perJob) {
        return isNoticed(MESSAGES_FULL) || isNoticed(BYTES_FULL) || messages >= perJob;
    }

    /** Adds the last notices of a job that has ended: what was dropped, and what never came. */
    void sumUp(int perJob, Instant now) {
        long missing = expected == null ? 0 : Math.max(0, expected - lastNumber);
        if (missing > 0 && (isFull(perJob) || isNoticed(OWNER_FULL))) {
            // A wrapper sends nothing over the quota, and a journal is not read on over it.
            dropped += missing;
            lastNumber = expected;
            changed = true;
            missing = 0;
        }
        if (dropped > 0 || droppedBytes > 0) {
            notice(
                    QUOTA_KEY,
                    "not stored, being over a quota: " + dropped + " messages and " + droppedBytes
                            + " bytes of live output",
                    now);
        }
        if (missing > 0) {
            notice(LOST_KEY, missing + " messages of the job did not arrive", now);
        }
    }

    private void usedUp(int bit, String quota, Instant now) {
        if (note(bit)) {
            notice(QUOTA_KEY, quota + " is used up; later ones are not stored", now);
        }
    }

    private boolean isNoticed(int bit) {
        return (noticed & bit) != 0;
    }

    private boolean note(int bit) {
        boolean first = !isNoticed(bit);
        noticed |= bit;
        return first;
    }

    private void notice(String key, String text, Instant now) {
        changed = true;
        rows.add(new NewMessage(
                job,
                owner,
                Message.Kind.NOTICE,
                0,
                now,
                now,
                MessageLevel.WARNING,
                key,
                text.getBytes(StandardCharsets.UTF_8)));
    }

    private MessageIntake.Response answer(MessageIntake.Result result, long next) {
        return new MessageIntake.Response(result, next, live > 0);
    }
}
