package org.gelato.ce.core.base;

import org.gelato.ce.core.fault.ServiceException;
import org.gelato.ce.description.ReadingBudget;
import org.gelato.ce.json.FaultCode;

/**
 * What the descriptions of one call may be together: so many words, and so many characters in memory beside the call's body. Characters are
 * taken from the memory of the process before they are used, and given back when a description is let go or the call ends.
 * One instance per call; not thread-safe.
 */
public final class CallBudget implements ReadingBudget, AutoCloseable {
    /** Some thousand usual descriptions. */
    public static final int OF_A_CALL = 500_000;
    /** Characters that are taken from the process at once. */
    private static final int PIECE = 64 << 10;

    private final ExpansionBudget process;
    private final String holder;
    private int left = OF_A_CALL;
    private long taken;
    private long used;
    private long kept;

    /**
     * @param process whose memory it is
     * @param holder whose call it is
     */
    CallBudget(ExpansionBudget process, String holder) {
        this.process = process;
        this.holder = holder;
    }

    /**
     * Counts one word.
     *
     * @param characters that take as much memory as what is made of the word
     * @throws ServiceException SUBMISSION_DISABLED when there is no memory now
     */
    @Override
    public void take(int characters) {
        if (left == 0) {
            throw new ServiceException(
                    FaultCode.TOO_LARGE,
                    "the job descriptions of one call have more than " + OF_A_CALL
                            + " words together: send them in several calls; nothing was registered");
        }
        left--;
        expand(characters);
    }

    /**
     * Takes memory for characters until the description is let go.
     *
     * @throws ServiceException TOO_LARGE when no call may have so many
     * @throws ServiceException SUBMISSION_DISABLED when other calls have them now
     */
    @Override
    public void expand(long characters) {
        long more = used + characters - taken;
        if (more > 0) {
            long most = process.ofOne();
            if (used + characters > most) {
                throw new ServiceException(
                        FaultCode.TOO_LARGE,
                        "the job descriptions of one call expand to more than " + most
                                + " characters together, with all instances and variables: send them in several calls; nothing was registered");
            }
            long piece = Math.min(Math.max(more, PIECE), most - taken);
            process.take(holder, piece);
            taken += piece;
        }
        used += characters;
    }

    /** Takes memory for characters until the call ends. */
    @Override
    public void keep(long characters) {
        expand(characters);
        kept += characters;
    }

    /** The description that was read last is not held any more; what is kept stays. */
    public void release() {
        used = kept;
        long spare = taken - used;
        if (spare > PIECE) {
            process.giveBack(holder, spare - PIECE);
            taken -= spare - PIECE;
        }
    }

    @Override
    public void close() {
        process.giveBack(holder, taken);
        taken = 0;
        used = 0;
        kept = 0;
    }
}
