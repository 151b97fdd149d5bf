package org.gelato.ce.description.jdl;

import java.util.List;
import java.util.Map;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.ReadingBudget;

/**
 * What can be found out about a description before it is sent, and would otherwise be known when it has been refused, or when the job has
 * run without what it requires (docs/developer/protocol/jdl.md sections 1 and 5). Immutable.
 */
public final class JdlCheck {
    private static final String REQUIREMENTS = "CERequirements";

    private final CeRequirements requirements;

    private JdlCheck(CeRequirements requirements) {
        this.requirements = requirements;
    }

    /**
     * Reads a description in JDL.
     *
     * @throws DescriptionException for an error of syntax, also in CERequirements that stand in a text; with line and column, which are no
     *     part of the message
     */
    public static JdlCheck of(String text) throws DescriptionException {
        Map<String, Expr.Attribute> record;
        try {
            record = JdlReader.read(text, ReadingBudget.UNBOUNDED);
        } catch (DescriptionException e) {
            throw e.line() == 0 ? e : new DescriptionException(JdlTokens.detail(e)).at(e.line(), e.column());
        }
        Expr.Attribute attribute = record.get("cerequirements");
        try {
            return new JdlCheck(CeRequirements.of(attribute, ReadingBudget.UNBOUNDED));
        } catch (DescriptionException e) {
            // The bracket is the one that the text is read in.
            throw new DescriptionException(
                            REQUIREMENTS, JdlTokens.detail(e).replace("unexpected ']'", "unexpected end"))
                    .at(attribute.line(), attribute.column());
        }
    }

    /**
     * The queues that CERequirements demand beside the one that a job is sent to.
     *
     * @param batchSystem of the one that the job is sent to; never null
     * @param queue its name; never null
     * @return as they are written: a name, or HOST:PORT/cream-LRMS-QUEUE
     */
    public List<String> otherQueues(String batchSystem, String queue) {
        return requirements.texts(List.of("GlueCEUniqueID", "GlueCEName")).stream()
                .filter(named -> {
                    String last = named.substring(named.lastIndexOf('/') + 1);
                    return !last.equals(queue) && !last.equals("cream-" + batchSystem + "-" + queue);
                })
                .toList();
    }
}
