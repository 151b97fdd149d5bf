package org.gelato.ce.ws.parts;

import java.nio.file.Path;
import java.util.List;
import org.gelato.ce.core.base.ExpansionBudget;
import org.gelato.ce.core.wrapper.SnippetDirectory;
import org.gelato.ce.description.Languages;
import org.gelato.ce.description.RuntimeEnvironments;
import org.gelato.ce.description.adl.Adl;
import org.gelato.ce.description.jdl.Jdl;
import org.gelato.ce.description.xrsl.Xrsl;
import org.gelato.ce.ws.http.ProcessMeters;

/**
 * What jobs are described in.
 *
 * @param environments what jobs may want to be set up
 * @param expansions memory for what descriptions expand to
 */
record DescriptionParts(Languages languages, RuntimeEnvironments environments, ExpansionBudget expansions) {
    static DescriptionParts open(Opening o) {
        Path snippets = o.config().wrapper().runtimeEnvironments();
        ExpansionBudget expansions = ExpansionBudget.ofHeap();
        ProcessMeters.bind(expansions, o.meters());
        return new DescriptionParts(
                new Languages(List.of(Jdl.LANGUAGE, Adl.LANGUAGE, Xrsl.LANGUAGE)),
                snippets == null
                        ? RuntimeEnvironments.NONE
                        : new RuntimeEnvironments(new SnippetDirectory(snippets, System::nanoTime)),
                expansions);
    }
}
