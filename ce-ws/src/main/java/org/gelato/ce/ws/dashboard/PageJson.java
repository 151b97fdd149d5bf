package org.gelato.ce.ws.dashboard;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import org.gelato.ce.json.Json;

/** Writes documents as the page gets them: six digits are more than a figure shows, and NaN, which JSON does not know, is null. */
public final class PageJson {
    /** Thread-safe; not to be configured further. */
    public static final JsonMapper MAPPER = Json.MAPPER
            .rebuild()
            .addModule(new SimpleModule()
                    .addSerializer(Double.class, new Figure())
                    .addSerializer(double.class, new Figure())
                    .addSerializer(double[].class, new Figures()))
            .build();

    private static final MathContext DIGITS = new MathContext(6);

    private PageJson() {}

    private static void write(double value, JsonGenerator json) throws IOException {
        if (!Double.isFinite(value)) {
            json.writeNull();
        } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            json.writeNumber((long) value);
        } else {
            json.writeNumber(new BigDecimal(value).round(DIGITS).doubleValue());
        }
    }

    private static final class Figure extends StdSerializer<Double> {
        private static final long serialVersionUID = 1L;

        Figure() {
            super(Double.class);
        }

        @Override
        public void serialize(Double value, JsonGenerator json, SerializerProvider provider) throws IOException {
            write(value, json);
        }
    }

    private static final class Figures extends StdSerializer<double[]> {
        private static final long serialVersionUID = 1L;

        Figures() {
            super(double[].class);
        }

        @Override
        public void serialize(double[] values, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeStartArray();
            for (double value : values) {
                write(value, json);
            }
            json.writeEndArray();
        }
    }
}
