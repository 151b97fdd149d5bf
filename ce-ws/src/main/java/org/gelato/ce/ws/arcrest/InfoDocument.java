package org.gelato.ce.ws.arcrest;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.gelato.ce.ws.glue2.Entity;
import org.gelato.ce.ws.glue2.Glue2Model;
import org.gelato.ce.ws.glue2.Kind;

/**
 * {@code GET /info}: the CE as GLUE 2 in ARC's form of a document, with one share for each queue and one for each queue and VO. What
 * lies below an entity is inside of it; kinds of which there may be many of one manager have an element around them.
 */
public final class InfoDocument {
    private static final Map<Kind, String> GATHERED = new EnumMap<>(Map.of(
            Kind.EXECUTION_ENVIRONMENT,
            "ExecutionEnvironments",
            Kind.APPLICATION_ENVIRONMENT,
            "ApplicationEnvironments"));

    private final Glue2Model model;

    public InfoDocument(Glue2Model model) {
        this.model = model;
    }

    /** The document as of now. */
    Part now(Instant at) {
        Part domain = new Part.Builder("AdminDomain")
                .with("ID", "urn:ad:" + model.host())
                .with("Name", model.host())
                .with(Part.of("Services", List.of(part(model.service(), at))))
                .build();
        return Part.of("InfoRoot", List.of(Part.of("Domains", List.of(domain))));
    }

    private static Part part(Entity entity, Instant at) {
        Part.Builder part = new Part.Builder(
                        entity.kind().element(),
                        Map.of(
                                "CreationTime",
                                at.truncatedTo(ChronoUnit.SECONDS).toString(),
                                "Validity",
                                Integer.toString(Glue2Model.VALIDITY)))
                .with("ID", entity.id());
        entity.attributes().forEach(a -> part.with(a.name(), a.value()));
        List<Entity> shown = entity.parts().stream()
                .filter(below -> below.audience() != Entity.Audience.DIRECTORY)
                .toList();
        shown.stream()
                .filter(below -> !GATHERED.containsKey(below.kind()))
                .forEach(below -> part.with(part(below, at)));
        GATHERED.forEach((kind, around) -> {
            List<Part> gathered = shown.stream()
                    .filter(below -> below.kind() == kind)
                    .map(below -> part(below, at))
                    .toList();
            if (!gathered.isEmpty()) {
                part.with(Part.of(around, gathered));
            }
        });
        return part.build();
    }
}
