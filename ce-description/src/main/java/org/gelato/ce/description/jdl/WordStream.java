package org.gelato.ce.description.jdl;

import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.misc.Interval;
import org.gelato.ce.description.Languages;

/**
 * A description as the lexer reads it: a character beyond ASCII is presented as DEL, which the grammar takes for the same. The
 * lexer keeps what it worked out for ASCII only, and works every other character out anew, at fifty times the cost. The
 * texts of words are those of the description. A byte order mark, which editors put before the text, is a blank.
 */
final class WordStream implements CharStream {
    static final int OTHER = 0x7f;

    private final CharStream text;

    WordStream(String text) {
        this.text = CharStreams.fromString(text);
    }

    @Override
    public int LA(int offset) {
        int c = text.LA(offset);
        if (c <= OTHER) {
            return c;
        }
        return c == Languages.BYTE_ORDER_MARK ? ' ' : OTHER;
    }

    @Override
    public String getText(Interval interval) {
        return text.getText(interval);
    }

    @Override
    public void consume() {
        text.consume();
    }

    @Override
    public int mark() {
        return text.mark();
    }

    @Override
    public void release(int marker) {
        text.release(marker);
    }

    @Override
    public int index() {
        return text.index();
    }

    @Override
    public void seek(int index) {
        text.seek(index);
    }

    @Override
    public int size() {
        return text.size();
    }

    @Override
    public String getSourceName() {
        return text.getSourceName();
    }
}
