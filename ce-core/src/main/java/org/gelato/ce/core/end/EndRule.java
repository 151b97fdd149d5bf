package org.gelato.ce.core.end;

import static org.gelato.ce.core.end.EndRule.Batch.ABSENT;
import static org.gelato.ce.core.end.EndRule.Batch.BY_ITSELF;
import static org.gelato.ce.core.end.EndRule.Batch.CANCELLED;
import static org.gelato.ce.core.end.EndRule.Batch.ENDED_IT;
import static org.gelato.ce.core.end.EndRule.Batch.GUESS;
import static org.gelato.ce.core.end.EndRule.Batch.MISSED;
import static org.gelato.ce.core.end.EndRule.Batch.OPEN;
import static org.gelato.ce.core.end.EndRule.Batch.PUT_BACK;
import static org.gelato.ce.core.end.EndRule.Batch.UNCLEAR;
import static org.gelato.ce.core.end.EndRule.Batch.WELL;
import static org.gelato.ce.core.end.EndRule.Wrapper.CUT;
import static org.gelato.ce.core.end.EndRule.Wrapper.FAILED;
import static org.gelato.ce.core.end.EndRule.Wrapper.KILLED;
import static org.gelato.ce.core.end.EndRule.Wrapper.REFUSED;
import static org.gelato.ce.core.end.EndRule.Wrapper.SIGNALLED;
import static org.gelato.ce.core.end.EndRule.Wrapper.SILENT;
import static org.gelato.ce.core.end.EndRule.Wrapper.UNHEARD;
import static org.gelato.ce.core.end.EndRule.Wrapper.WHOLE;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** The rows of the table by which the end of a job is decided, of which the first that fits counts. Its text is in docs/developer/reliability.md. */
@SuppressWarnings("ImmutableEnumChecker") // nobody changes the sets
public enum EndRule {
    NOT_HEARD(any(), set(UNHEARD), Cancel.ANY, End.NONE, Says.NOTHING, Ask.WRAPPER),
    RUNS_AGAIN(set(PUT_BACK), set(SILENT), Cancel.ANY, End.NONE, Says.NOTHING, Ask.WRAPPER),
    NOT_LOOKED_UP(set(OPEN, MISSED), set(SILENT), Cancel.ANY, End.NONE, Says.NOTHING, Ask.BATCH_SYSTEM),
    CANCELLED_THERE(set(CANCELLED), heard(), Cancel.ANY, End.CANCELLED, Says.NOTHING, null),
    GONE_FROM_THE_QUEUE(set(GUESS), set(SILENT), Cancel.ANY, End.CANCELLED, Says.NOTHING, null),
    CANCEL_CAME_TOO_LATE(set(WELL, BY_ITSELF), set(WHOLE), Cancel.REQUESTED, End.OK, Says.NOTHING, null),
    CANCEL_IN_DOUBT(set(OPEN, MISSED), set(WHOLE), Cancel.REQUESTED, End.NONE, Says.NOTHING, Ask.BATCH_SYSTEM),
    CANCEL_CARRIED_OUT(any(), heard(), Cancel.REQUESTED, End.CANCELLED, Says.NOTHING, null),
    ANOTHER_WRAPPER_WORKS(any(), set(REFUSED), Cancel.NONE, End.NONE, Says.NOTHING, Ask.WRAPPER),
    ENDED_THERE(set(ENDED_IT), heard(), Cancel.NONE, End.FAILED, Says.WORD, null),
    PUT_BACK_AFTER_ITS_END(set(PUT_BACK), set(WHOLE), Cancel.NONE, End.OK, Says.WORD, null),
    PUT_BACK_BEFORE_ITS_END(set(PUT_BACK), heard(), Cancel.NONE, End.FAILED, Says.WORD, null),
    VANISHED(set(ABSENT), set(SILENT), Cancel.NONE, End.FAILED, Says.WORD, null),
    NOTHING_LEFT(set(WELL, BY_ITSELF, UNCLEAR), set(SILENT), Cancel.NONE, End.FAILED, Says.WORD, null),
    CONFIRMED(set(WELL, BY_ITSELF, UNCLEAR, GUESS), set(WHOLE, KILLED), Cancel.NONE, End.OK, Says.NOTHING, null),
    SURVIVED_THE_SIGNAL(set(WELL), set(SIGNALLED), Cancel.NONE, End.OK, Says.NOTHING, null),
    UNCONFIRMED(set(ABSENT), set(WHOLE, KILLED), Cancel.NONE, End.OK, Says.WORD, null),
    SHOWN_AT_ONCE(set(OPEN), set(WHOLE), Cancel.NONE, End.OK, Says.NOTHING, Ask.BATCH_SYSTEM),
    FAILURE_SHOWN_AT_ONCE(set(OPEN), set(FAILED), Cancel.NONE, End.FAILED, Says.NOTHING, Ask.BATCH_SYSTEM),
    IN_DOUBT(set(OPEN, MISSED), heard(), Cancel.NONE, End.NONE, Says.NOTHING, Ask.BATCH_SYSTEM),
    FAILED_BY_ITSELF(any(), set(FAILED), Cancel.NONE, End.FAILED, Says.NOTHING, null),
    SIGNAL(any(), set(SIGNALLED, CUT), Cancel.NONE, End.FAILED, Says.WORD, null);

    /** The word of the batch system. */
    enum Batch {
        OPEN("not known"),
        MISSED("not known, and the report is late"),
        ABSENT("none to be had"),
        CANCELLED("somebody cancelled it"),
        GUESS("gone, perhaps cancelled"),
        ENDED_IT("the batch system ended it"),
        PUT_BACK("it waits in the queue again"),
        WELL("ended, exit code 0"),
        BY_ITSELF("ended, another exit code"),
        UNCLEAR("says no more");

        final String text;

        Batch(String text) {
            this.text = text;
        }
    }

    /** The word of the wrapper. */
    enum Wrapper {
        UNHEARD("not heard"),
        SILENT("nothing left"),
        REFUSED("nothing, exit code of a wrapper without the claim, job claimed"),
        WHOLE("whole"),
        KILLED("whole, exit code 137 or 143"),
        SIGNALLED("whole, with a signal"),
        FAILED("failed"),
        CUT("failed by a signal");

        final String text;

        Wrapper(String text) {
            this.text = text;
        }
    }

    /** Whether a cancel was requested of the CE. */
    enum Cancel {
        ANY("any"),
        REQUESTED("yes"),
        NONE("no");

        final String text;

        Cancel(String text) {
            this.text = text;
        }
    }

    /** How a job ended. */
    public enum End {
        /** It has not, as far as is known. */
        NONE("none yet"),
        OK("DONE-OK"),
        FAILED("DONE-FAILED"),
        CANCELLED("CANCELLED");

        final String text;

        End(String text) {
            this.text = text;
        }
    }

    /** What the reason, or the warning of a job that ended well, has beside the wrapper's words. */
    enum Says {
        NOTHING("-"),
        WORD("added");

        final String text;

        Says(String text) {
            this.text = text;
        }
    }

    /** The witness that is still to be asked. */
    public enum Ask {
        WRAPPER("wrapper"),
        BATCH_SYSTEM("batch system");

        final String text;

        Ask(String text) {
            this.text = text;
        }
    }

    private final Set<Batch> batch;
    private final Set<Wrapper> wrapper;
    private final Cancel cancel;
    private final End end;
    private final Says says;
    private final Ask ask;

    EndRule(Set<Batch> batch, Set<Wrapper> wrapper, Cancel cancel, End end, Says says, Ask ask) {
        this.batch = batch;
        this.wrapper = wrapper;
        this.cancel = cancel;
        this.end = end;
        this.says = says;
        this.ask = ask;
    }

    private static Set<Batch> any() {
        return EnumSet.allOf(Batch.class);
    }

    private static Set<Wrapper> heard() {
        return EnumSet.complementOf(EnumSet.of(UNHEARD));
    }

    private static Set<Batch> set(Batch first, Batch... more) {
        return EnumSet.of(first, more);
    }

    private static Set<Wrapper> set(Wrapper first, Wrapper... more) {
        return EnumSet.of(first, more);
    }

    /** The row for what the witnesses say. */
    static EndRule of(Batch batch, Wrapper wrapper, boolean isCancelRequested) {
        Cancel cancel = isCancelRequested ? Cancel.REQUESTED : Cancel.NONE;
        for (EndRule rule : values()) {
            if (rule.batch.contains(batch)
                    && (rule.wrapper.contains(wrapper) || (wrapper == REFUSED && rule.wrapper.contains(SILENT)))
                    && (rule.cancel == Cancel.ANY || rule.cancel == cancel)) {
                return rule;
            }
        }
        throw new IllegalStateException("no rule for " + batch + ", " + wrapper + ", cancel " + cancel);
    }

    /** How the job ended. */
    public End end() {
        return end;
    }

    /** Who is still to be asked; null when the end is final. */
    public Ask ask() {
        return ask;
    }

    /** Whether nothing that is learnt later changes it. */
    public boolean isFinal() {
        return ask == null;
    }

    /** Whether the batch system's word is added to what its user reads. */
    boolean saysWord() {
        return says == Says.WORD;
    }

    /** The row as the documentation has it. */
    String row() {
        String batches = batch.size() == Batch.values().length
                ? "any"
                : batch.stream().map(b -> b.text).collect(Collectors.joining("; "));
        String wrappers = wrapper.size() == Wrapper.values().length - 1
                ? "any"
                : wrapper.stream().map(w -> w.text).collect(Collectors.joining("; "));
        String asked = ask == null ? "none: final" : ask.text;
        return "| " + String.join(" | ", batches, wrappers, cancel.text, end.text, says.text, asked) + " |";
    }
}
