package org.gelato.ce.ws.sandbox;

import java.util.HashMap;
import java.util.Map;
import org.gelato.ce.core.admission.DiskSpace;
import org.gelato.ce.core.sandbox.UploadedBytes;
import org.gelato.ce.ws.web.Refusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What uploads may use: of one user, in all sandboxes together, and of the file system. What a user has stored is read when the first
 * upload of a side that is not small begins, and noted when its last has ended; in between it is counted here. So other nodes know of
 * uploads when they have ended, and two may overrun a user's budget by what each takes at the same time. Thread-safe.
 */
final class UploadBudget {
    /** Sides up to this size cost the database nothing, and are not counted for their user. */
    static final long SMALL = 1 << 20;

    private static final Logger log = LoggerFactory.getLogger(UploadBudget.class);
    private static final int INSUFFICIENT_STORAGE = 507; // RFC 4918; the servlet interface does not name it
    private static final int SHARE = 4;

    private final UploadedBytes uploaded;
    private final DiskSpace room;
    private final long ofUser;
    private final Map<String, User> users = new HashMap<>();

    /** Guarded by the budget. */
    private static final class User {
        /** As the database has it. */
        private long stored;
        /** What sides that are being written have beyond what the database has of them. */
        private long more;

        private int sides;
    }

    /** @param ofUser bytes of one user; 0 for a quarter of the file system */
    UploadBudget(UploadedBytes uploaded, DiskSpace room, long ofUser) {
        this.uploaded = uploaded;
        this.room = room;
        this.ofUser = ofUser;
    }

    private long ofUser() {
        long quarter = room.bytes() / SHARE;
        return ofUser > 0 ? ofUser : quarter > 0 ? quarter : Long.MAX_VALUE;
    }

    /** @param bytes that the side has, before its first writer */
    Account open(SandboxSide side, long bytes) {
        return new Account(side, bytes);
    }

    /** A side that is being written, until its last writer has gone. For one thread at a time. */
    final class Account implements AutoCloseable {
        private final SandboxSide side;
        private long bytes;
        private long noted;
        private boolean counted;

        private Account(SandboxSide side, long bytes) {
            this.side = side;
            this.bytes = bytes;
        }

        /** Bytes that the side has, those under way among them. */
        long bytes() {
            return bytes;
        }

        /**
         * Takes room for bytes that are about to be written, and {@link #written} follows; or gives back what has gone, when negative.
         *
         * @param leaving bytes among them that go when these have come
         * @throws Refusal 507 when there is none
         */
        void add(long more, long leaving) {
            if (more > 0) {
                fitOfUser(more, leaving);
                room.take(more, side.output()).ifPresent(Account::refuse);
            } else {
                countLarge(bytes);
                room.giveBack(-more);
            }
            bytes += more;
            change(more);
        }

        private void change(long more) {
            if (counted) {
                synchronized (UploadBudget.this) {
                    users.get(side.person()).more += more;
                }
            }
        }

        /** Bytes that were taken are on the disk, or will not be. */
        void written(long taken) {
            room.written(taken);
        }

        /** Refuses as {@link #add} would. */
        void fit(long more, long leaving) {
            if (more > 0) {
                room.refusal(more, side.output()).ifPresent(Account::refuse);
                fitOfUser(more, leaving);
            }
        }

        private static void refuse(DiskSpace.Refused refused) {
            throw new Refusal(
                    INSUFFICIENT_STORAGE,
                    "the file system of the sandboxes has " + refused.free() + " bytes free, of which " + refused.kept()
                            + " are kept free (gelato.admission.disk); try again later");
        }

        private void fitOfUser(long more, long leaving) {
            countLarge(bytes + more);
            if (!counted) {
                return;
            }
            synchronized (UploadBudget.this) {
                User user = users.get(side.person());
                long has = user.stored + user.more - leaving;
                long most = ofUser();
                if (more > most - has) {
                    throw new Refusal(
                            INSUFFICIENT_STORAGE,
                            "the uploads of this user's jobs would have " + (has + more) + " bytes, at most " + most
                                    + " (gelato.sandbox.max-bytes-per-user); purge jobs to make room");
                }
            }
        }

        private void countLarge(long size) {
            if (!counted && size > SMALL) {
                count();
            }
        }

        private void count() {
            UploadedBytes.Stored stored = uploaded.stored(side.job(), side.subject(), side.output());
            noted = stored.ofSide();
            synchronized (UploadBudget.this) {
                User user = users.computeIfAbsent(side.person(), person -> new User());
                user.stored = stored.whole();
                user.sides++;
            }
            counted = true;
            change(bytes - noted);
        }

        /** Notes what the side has. */
        @Override
        public void close() {
            if (!counted) {
                return;
            }
            if (bytes != noted) {
                try {
                    uploaded.note(side.job(), side.subject(), side.output(), bytes);
                } catch (RuntimeException e) {
                    log.warn(
                            "The bytes of uploads for {} are not noted, until the next upload for it: {}",
                            side.job(),
                            e.getMessage());
                }
            }
            synchronized (UploadBudget.this) {
                User user = users.get(side.person());
                user.stored += bytes - noted;
                user.more -= bytes - noted;
                user.sides--;
                if (user.sides == 0) {
                    users.remove(side.person());
                }
            }
        }
    }
}
