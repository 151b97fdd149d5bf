package org.gelato.ce.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.util.regex.Pattern;

/** An exit code as a number of JSON; empty, or else null, for what is none, as CREAM writes for a job without one. */
public final class ExitCodeNumber extends StdScalarSerializer<String> {
    private static final long serialVersionUID = 1L;

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,9}");

    public ExitCodeNumber() {
        super(String.class);
    }

    /** Whether a text is an exit code; null is none. */
    public static boolean isOne(String text) {
        return text != null && NUMBER.matcher(text).matches();
    }

    /** Sets {@code exitCode} of an object; removes it for a text that is none. */
    public static void put(ObjectNode json, String exitCode) {
        if (isOne(exitCode)) {
            json.put("exitCode", Integer.parseInt(exitCode));
        } else {
            json.remove("exitCode");
        }
    }

    @Override
    public boolean isEmpty(SerializerProvider provider, String value) {
        return !isOne(value);
    }

    @Override
    public void serialize(String value, JsonGenerator generator, SerializerProvider provider) throws IOException {
        if (isOne(value)) {
            generator.writeNumber(Integer.parseInt(value));
        } else {
            generator.writeNull();
        }
    }
}
