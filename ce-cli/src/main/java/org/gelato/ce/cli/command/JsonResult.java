package org.gelato.ce.cli.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.function.BiConsumer;
import org.gelato.ce.cli.command.CeCommand.JobResponse;
import org.gelato.ce.cli.display.Lines;
import org.gelato.ce.cli.wire.WireFault;
import org.gelato.ce.json.Json;

/**
 * The JSON form of results. Absent values, the wire's {@code N/A} among them, are left out; loaded only for {@code
 * --json}.
 */
final class JsonResult {
    private static final ObjectMapper MAPPER = Json.MAPPER
            .rebuild()
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .addModule(new SimpleModule().addSerializer(String.class, new Text()))
            .defaultPropertyInclusion(JsonInclude.Value.construct(Include.NON_EMPTY, Include.ALWAYS))
            .build();

    private JsonResult() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** @param result a tree or a record */
    static void print(PrintStream out, Object result) {
        try {
            out.println(MAPPER.writeValueAsString(result));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result has no JSON form", e);
        }
    }

    /** {@code {"jobs": [...]}} with one object per job: its id and either its values or its fault. */
    static <T> ObjectNode jobs(List<JobResponse<T>> responses, BiConsumer<ObjectNode, T> values) {
        ObjectNode root = object();
        ArrayNode jobs = root.putArray("jobs");
        for (JobResponse<T> response : responses) {
            ObjectNode job = jobs.addObject().put("id", response.job().toString());
            if (response.response().fault() != null) {
                fault(job, response.response().fault());
            } else {
                values.accept(job, response.response().value());
            }
        }
        return root;
    }

    static void fault(ObjectNode target, WireFault fault) {
        target.set("fault", MAPPER.valueToTree(fault));
    }

    /** The components of a record, with their names, besides what the object has. */
    static void add(ObjectNode target, Object report) {
        target.setAll((ObjectNode) MAPPER.valueToTree(report));
    }

    static void put(ObjectNode node, String name, String value) {
        if (Lines.known(value)) {
            node.put(name, value);
        }
    }

    /** Absent where it says so. */
    private static final class Text extends StdScalarSerializer<String> {
        private static final long serialVersionUID = 1L;

        Text() {
            super(String.class);
        }

        @Override
        public boolean isEmpty(SerializerProvider provider, String value) {
            return !Lines.known(value);
        }

        @Override
        public void serialize(String value, JsonGenerator generator, SerializerProvider provider) throws IOException {
            generator.writeString(value);
        }
    }
}
