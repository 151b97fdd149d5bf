package org.gelato.ce.ws.setup;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads the keys of a {@code cream-config.xml}: each {@code name} with its {@code value} of any element, and each attribute
 * whose name is a known key. Hostile files are refused: no DTD, no entities, bounded in size, depth and number of keys.
 */
final class CreamConfig {
    private static final int LARGEST = 1 << 20;
    private static final int DEEPEST = 32;
    private static final int MAX = 1000;
    private static final int LONGEST = 4096;

    private final Path file;
    private final Map<String, String> keys = new LinkedHashMap<>();

    private CreamConfig(Path file) {
        this.file = file;
    }

    /**
     * Keys and values in their order; the last value of a key counts.
     *
     * @throws SetupException when the file cannot be read, or is no such file
     */
    static Map<String, String> read(Path file) {
        CreamConfig config = new CreamConfig(file);
        byte[] text;
        try (InputStream in = Files.newInputStream(file)) {
            text = in.readNBytes(LARGEST + 1);
        } catch (IOException e) {
            throw config.refusal("cannot be read: " + e.getMessage());
        }
        if (text.length > LARGEST) {
            throw config.refusal("is larger than 1 MiB");
        }
        try {
            config.parse(text);
        } catch (XMLStreamException e) {
            throw config.refusal("is not well-formed XML: " + Plain.text(String.valueOf(e.getMessage()), 200));
        }
        if (config.keys.isEmpty()) {
            throw config.refusal("holds no keys: is it the cream-config.xml of a CREAM CE?");
        }
        return config.keys;
    }

    private SetupException refusal(String why) {
        return new SetupException("--from-cream: " + file + " " + why);
    }

    private void parse(byte[] text) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        XMLStreamReader reader = factory.createXMLStreamReader(new ByteArrayInputStream(text));
        try {
            int depth = 0;
            while (reader.hasNext()) {
                switch (reader.next()) {
                    case XMLStreamConstants.DTD -> throw refusal("has a DOCTYPE: remove it");
                    case XMLStreamConstants.ENTITY_REFERENCE -> throw refusal("uses an entity: write its text");
                    case XMLStreamConstants.START_ELEMENT -> {
                        if (++depth > DEEPEST) {
                            throw refusal("is nested deeper than " + DEEPEST + " elements");
                        }
                        element(reader);
                    }
                    case XMLStreamConstants.END_ELEMENT -> depth--;
                    default -> {}
                }
            }
        } finally {
            reader.close();
        }
    }

    private void element(XMLStreamReader reader) {
        String name = reader.getAttributeValue(null, "name");
        String value = reader.getAttributeValue(null, "value");
        if (name != null && value != null) {
            put(name, value);
            return;
        }
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            if (CreamKey.BY_NAME.containsKey(reader.getAttributeLocalName(i))) {
                put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
            }
        }
    }

    private void put(String name, String value) {
        if (name.length() > LONGEST || value.length() > LONGEST) {
            throw refusal("has a key or value of more than " + LONGEST + " characters");
        }
        keys.put(name.strip(), value.strip());
        if (keys.size() > MAX) {
            throw refusal("has more than " + MAX + " keys");
        }
    }
}
