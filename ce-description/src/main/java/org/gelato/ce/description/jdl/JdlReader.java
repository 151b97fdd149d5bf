package org.gelato.ce.description.jdl;

import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.atn.PredictionMode;
import org.antlr.v4.runtime.misc.IntervalSet;
import org.antlr.v4.runtime.misc.ParseCancellationException;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.Excerpt;
import org.gelato.ce.description.ReadingBudget;

/** Reads the text of a job description into attributes; the grammar is docs/developer/protocol/jdl.md section 1. Stateless. */
final class JdlReader {
    private JdlReader() {}

    /** @return the attributes by name in lower case; of duplicates the last */
    static Map<String, Expr.Attribute> read(String text, ReadingBudget budget) throws DescriptionException {
        List<Token> tokens = JdlTokens.read(text, budget);
        JdlParser parser = new JdlParser(new CommonTokenStream(new ListTokenSource(tokens)));
        parser.getInterpreter().setPredictionMode(PredictionMode.SLL);
        FirstError errors = new FirstError();
        parser.removeErrorListeners();
        parser.addErrorListener(errors);
        try {
            JdlParser.JdlContext jdl = parser.jdl();
            return new AstBuilder(tokens)
                    .top(jdl.record() == null ? jdl.attributes() : jdl.record().attributes());
        } catch (ParseCancellationException e) {
            throw JdlTokens.syntaxError(errors.at, errors.what);
        }
    }

    /** Keeps the first error and ends the parse: what the parser would say after it is guesswork. */
    private static final class FirstError extends BaseErrorListener {
        private static final int FEW = 4;
        private Token at;
        private String what;

        @Override
        public void syntaxError(
                Recognizer<?, ?> recognizer,
                Object symbol,
                int line,
                int column,
                String message,
                RecognitionException e) {
            at = (Token) symbol;
            String found =
                    at.getType() == Token.EOF ? "unexpected end" : "unexpected '" + Excerpt.of(at.getText()) + "'";
            IntervalSet expected = ((JdlParser) recognizer).getExpectedTokens();
            what = expected.size() > FEW ? found : found + ", expected " + names(recognizer, expected);
            throw new ParseCancellationException(message);
        }

        private static String names(Recognizer<?, ?> recognizer, IntervalSet expected) {
            List<String> names = expected.toList().stream()
                    .map(type -> switch (type) {
                        case Token.EOF -> "the end";
                        case JdlLexer.NAME -> "a name";
                        default -> recognizer.getVocabulary().getDisplayName(type);
                    })
                    .toList();
            return String.join(" or ", names);
        }
    }
}
