package org.gelato.ce.ws.arcrest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.gelato.ce.ws.web.HardenedXml;
import org.gelato.ce.ws.web.Refusal;

/**
 * Reads the list of jobs that a request is about: {@code <jobs><job><id>…}, {@code {"job":[{"id":…}]}} or the same with a single
 * object. Which of them it is the first character decides, as clients name types that it is not. What else stands in it is ignored:
 * HTCondor sends back what it was answered (docs/developer/protocol/arc-rest.md, traps 6 to 8). Thread-safe.
 */
final class IdList {
    private static final int MAX_ID = 256;
    private static final int MAX_DEPTH = 50;
    private static final String FORM = "application/x-www-form-urlencoded";

    private final HardenedXml xml;
    private final int most;
    private final JsonFactory json = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();

    /** @param most ids of one request */
    IdList(HardenedXml xml, int most) {
        this.xml = xml;
        this.most = most;
    }

    /**
     * The ids in their order, each as it was sent. The fields of a form are not read, as A-REX does not read them: without a type of
     * its own, curl sends its body as such a form, and commands nothing.
     *
     * @param type of the body, as the client names it; null without one
     * @throws Refusal 400 for a body that is no such list, 413 for too many ids
     */
    List<String> read(byte[] body, String type) {
        if (type != null && type.split(";", 2)[0].strip().equalsIgnoreCase(FORM)) {
            return List.of();
        }
        int first = firstOf(body);
        try {
            return switch (first) {
                case '{' -> ofJson(body);
                case '<' -> ofXml(body);
                case -1 -> throw new Refusal(400, "Missing payload: expected a list of jobs");
                default -> throw new Refusal(400, "Payload is not recognized: expected XML or JSON with jobs' ids");
            };
        } catch (JsonProcessingException e) {
            // An input beyond the parser's limits has no place.
            String place = e.getLocation() == null
                    ? ""
                    : ", at line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr();
            throw new Refusal(400, "Payload is not acceptable JSON" + place);
        } catch (XMLStreamException e) {
            String place = e.getLocation() == null
                    ? ""
                    : ", at line " + e.getLocation().getLineNumber() + ", column "
                            + e.getLocation().getColumnNumber();
            throw new Refusal(400, "Payload is not acceptable XML" + place);
        } catch (IOException e) {
            throw new Refusal(400, "Payload cannot be read");
        }
    }

    /** The first character that is no white space; -1 without one. */
    static int firstOf(byte[] body) {
        int at = body.length >= 3 && (body[0] & 0xff) == 0xef && (body[1] & 0xff) == 0xbb && (body[2] & 0xff) == 0xbf
                ? 3
                : 0;
        while (at < body.length) {
            int c = body[at++];
            if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
                return c & 0xff;
            }
        }
        return -1;
    }

    private void add(List<String> ids, String id) {
        if (id.length() > MAX_ID) {
            throw new Refusal(400, "A job id has " + id.length() + " characters, at most " + MAX_ID);
        }
        if (ids.size() == most) {
            throw new Refusal(413, "More than " + most + " jobs in one request");
        }
        ids.add(id);
    }

    private List<String> ofJson(byte[] body) throws IOException {
        List<String> ids = new ArrayList<>();
        try (JsonParser in = json.createParser(body)) {
            in.nextToken();
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                boolean jobs = in.currentName().equals("job");
                JsonToken value = in.nextToken();
                if (!jobs) {
                    in.skipChildren();
                } else if (value == JsonToken.START_OBJECT) {
                    job(in, ids);
                } else if (value == JsonToken.START_ARRAY) {
                    while (in.nextToken() == JsonToken.START_OBJECT) {
                        job(in, ids);
                    }
                    if (in.currentToken() != JsonToken.END_ARRAY) {
                        throw new Refusal(400, "\"job\" is a list of objects with an \"id\"");
                    }
                } else {
                    throw new Refusal(400, "\"job\" is an object with an \"id\", or a list of such objects");
                }
            }
            if (in.currentToken() != JsonToken.END_OBJECT || in.nextToken() != null) {
                throw new Refusal(400, "Payload is not one JSON object");
            }
        }
        return ids;
    }

    private void job(JsonParser in, List<String> ids) throws IOException {
        String id = null;
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = in.currentName().equals("id");
            JsonToken value = in.nextToken();
            if (!wanted) {
                in.skipChildren();
            } else if (value.isScalarValue() && value != JsonToken.VALUE_NULL) {
                id = in.getText();
            } else {
                throw new Refusal(400, "the \"id\" of a job is a text");
            }
        }
        if (id == null) {
            throw new Refusal(400, "a job has no \"id\"");
        }
        add(ids, id);
    }

    private List<String> ofXml(byte[] body) throws XMLStreamException {
        List<String> ids = new ArrayList<>();
        XMLStreamReader in = xml.reader(body, null);
        try {
            int depth = 0;
            boolean found = true;
            while (in.hasNext()) {
                int event = in.next();
                if (event == XMLStreamConstants.START_ELEMENT) {
                    depth++;
                    String name = in.getLocalName();
                    if (depth == 1 && !name.equals("jobs")) {
                        throw new Refusal(400, "the root element is " + quoted(name) + ", expected jobs");
                    }
                    if (depth == 2 && name.equals("job")) {
                        requireId(found);
                        found = false;
                    } else if (depth == 3 && name.equals("id")) {
                        add(ids, in.getElementText().strip());
                        found = true;
                        depth--;
                    }
                } else if (event == XMLStreamConstants.END_ELEMENT) {
                    depth--;
                }
            }
            requireId(found);
        } finally {
            in.close();
        }
        return ids;
    }

    private static void requireId(boolean found) {
        if (!found) {
            throw new Refusal(400, "a job has no id");
        }
    }

    private static String quoted(String name) {
        return name.length() <= 40 ? name : name.substring(0, 40) + "...";
    }
}
