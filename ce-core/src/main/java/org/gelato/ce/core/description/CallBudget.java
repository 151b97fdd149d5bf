package org.gelato.ce.core.description;

import org.gelato.ce.core.fault.FaultCode;
import org.gelato.ce.core.fault.ServiceException;

/**
 * What the descriptions of one call may be together: so many words, and so many characters in memory beside the call's body. Characters are
 * taken from the memory of the process before they are used, and given back when a description is let go or the call ends.
 * One instance per call; not thread-safe.
 */
public final class CallBudget implements AutoCloseable {
    /** Some thousand usual descriptions. */
    public static final int OF_A_CALL = 500_000;
    /** What any description may expand to. */
    private static final int LEAST = 64 << 10;
    /** What a description may expand to, in characters for each of its own. */
    private static final int TIMES = 4;
    /** What a description may expand to whatever its length; as long as the longest text. */
    private static final long MOST = 1 << 20;
    /** Characters that are taken from the process at once. */
    private static final int PIECE = 64 << 10;

    private final ExpansionBudget process;
    private final String holder;
    private int left = OF_A_CALL;
    private long taken;
    private long used;
    private long kept;

    /** For descriptions that are read outside a call, one after another. */
    public CallBudget() {
        this(ExpansionBudget.unbounded(), "");
    }

    /**
     * @param process whose memory it is
     * @param holder whose call it is
     */
    CallBudget(ExpansionBudget process, String holder) {
        this.process = process;
        this.holder = holder;
    }

    /** What the values of one description may be together, in characters: a small text stays a small thing. */
    public static long mostOf(String text) {
        return Math.min(MOST, LEAST + (long) TIMES * text.length());
    }

    /**
     * Counts one word.
     *
     * @param characters that take as much memory as what is made of the word
     * @throws ServiceException SUBMISSION_DISABLED when there is no memory now
     */
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
    public void keep(long characters) {
        expand(characters);
        kept += characters;
    }

    /** The description that was read last is not held any more; what is kept stays. */
    public void letGo() {
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
