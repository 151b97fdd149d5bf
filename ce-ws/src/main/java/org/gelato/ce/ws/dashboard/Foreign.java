package org.gelato.ce.ws.dashboard;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.util.regex.Pattern;

/** Texts of other programs, such as an error of the batch system, made fit for a page: one paragraph without rulers. */
final class Foreign extends StdSerializer<String> {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST = 600;

    /** Lines that programs draw of signs. */
    private static final Pattern RULER = Pattern.compile("([^\\p{L}\\p{N}\\s])\\1{3,}");

    private static final Pattern BLANK = Pattern.compile("[\\s\\p{Cntrl}]+");

    Foreign() {
        super(String.class);
    }

    @Override
    public void serialize(String text, JsonGenerator json, SerializerProvider provider) throws IOException {
        json.writeString(text(text));
    }

    /** Null for null. */
    static String text(String text) {
        if (text == null) {
            return null;
        }
        String plain = BLANK.matcher(RULER.matcher(text).replaceAll(" "))
                .replaceAll(" ")
                .strip();
        return plain.length() > LONGEST ? plain.substring(0, LONGEST) + " …" : plain;
    }
}
