package org.gelato.ce.description.jdl;

import java.util.List;
import java.util.Map;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.ReadingBudget;

/** OutputData was served by tools that no longer exist: checked as before, then ignored with a warning. */
final class OutputDataRule {
    private OutputDataRule() {}

    static void check(Map<String, Expr.Attribute> attributes, ReadingBudget budget, List<String> warnings)
            throws DescriptionException {
        Expr.Attribute attribute = attributes.get("outputdata");
        if (attribute == null || attribute.value() instanceof Expr.Undefined) {
            return;
        }
        if (!(attribute.value() instanceof Expr.Items list)) {
            throw badFormat();
        }
        for (Expr item : list.items()) {
            if (!(item instanceof Expr.Rec file)) {
                throw badFormat();
            }
            Attributes fields = new Attributes(file.attributes(), budget, 0);
            if (fields.string("OutputFile") == null) {
                throw new DescriptionException(
                        "OutputData", "OutputFile is mandatory for the OutputData jdl attribute.");
            }
            fields.string("LogicalFileName");
            fields.string("StorageElement");
        }
        if (!list.items().isEmpty()) {
            warnings.add("OutputData: ignored, files are not registered in a catalogue");
        }
    }

    private static DescriptionException badFormat() {
        return new DescriptionException("OutputData", "Bad format for 'OutputData' jdl attribute.");
    }
}
