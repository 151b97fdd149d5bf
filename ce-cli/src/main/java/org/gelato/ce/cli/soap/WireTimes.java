package org.gelato.ce.cli.soap;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.GregorianCalendar;
import javax.xml.datatype.DatatypeConfigurationException;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;

/** Times of the wire and back; null stays null. */
final class WireTimes {
    private WireTimes() {}

    static Instant instant(XMLGregorianCalendar time) {
        return time == null ? null : time.toGregorianCalendar().toInstant();
    }

    static XMLGregorianCalendar of(Instant time) {
        if (time == null) {
            return null;
        }
        try {
            return DatatypeFactory.newInstance()
                    .newXMLGregorianCalendar(GregorianCalendar.from(time.atZone(ZoneOffset.UTC)));
        } catch (DatatypeConfigurationException e) {
            throw new IllegalStateException("every Java platform has a DatatypeFactory", e);
        }
    }
}
