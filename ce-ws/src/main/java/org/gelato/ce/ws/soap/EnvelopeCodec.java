package org.gelato.ce.ws.soap;

import com.sun.xml.ws.api.SOAPVersion;
import com.sun.xml.ws.api.message.Packet;
import com.sun.xml.ws.api.pipe.Codec;
import com.sun.xml.ws.api.pipe.ContentType;
import com.sun.xml.ws.encoding.ContentTypeImpl;
import com.sun.xml.ws.message.EmptyMessageImpl;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.gelato.ce.ws.web.HardenedXml;

/** Reads requests and writes answers of one service. Thread-safe. */
final class EnvelopeCodec implements Codec {
    private final SoapService service;
    private final HardenedXml xml;

    EnvelopeCodec(SoapService service, HardenedXml xml) {
        this.service = service;
        this.xml = xml;
    }

    /** What was read, or why it could not be; Metro has no fault for that. */
    static final class Request extends EmptyMessageImpl {
        private final SoapVersion version;
        private final SoapRequest read;
        private final Exception failure;

        Request(SoapVersion version, SoapRequest read, Exception failure) {
            super(SOAPVersion.SOAP_11);
            this.version = version;
            this.read = read;
            this.failure = failure;
        }

        /** Of the envelope; where that was not read, of the Content-Type. */
        SoapVersion version() {
            return version;
        }

        /**
         * The request.
         *
         * @throws RequestRefused when it is none that we serve
         * @throws XMLStreamException when it is not acceptable XML
         */
        SoapRequest read() throws XMLStreamException {
            if (failure instanceof XMLStreamException broken) {
                throw broken;
            }
            if (failure != null) {
                throw (RuntimeException) failure;
            }
            return read;
        }
    }

    /** An answer, of which Metro knows whether it is a fault. */
    abstract static class Answer extends EmptyMessageImpl {
        private final SoapVersion version;

        Answer(SoapVersion version) {
            super(SOAPVersion.SOAP_11);
            this.version = version;
        }

        abstract void writeTo(OutputStream out) throws IOException;
    }

    @Override
    public void decode(InputStream in, String contentType, Packet packet) {
        EnvelopeReader reader = null;
        SoapRequest read = null;
        Exception failure = null;
        try {
            String charset =
                    MediaType.parse(contentType).map(MediaType::charset).orElse(null);
            reader = new EnvelopeReader(xml.reader(in, charset), service.contract());
            read = reader.read();
        } catch (XMLStreamException | RuntimeException e) {
            failure = e;
        }
        SoapVersion version = Optional.ofNullable(reader)
                .flatMap(EnvelopeReader::version)
                .orElseGet(() -> SoapVersion.ofContentType(contentType));
        packet.setMessage(new Request(version, read, failure));
    }

    @Override
    public ContentType encode(Packet packet, OutputStream out) throws IOException {
        ((Answer) packet.getInternalMessage()).writeTo(out);
        return getStaticContentType(packet);
    }

    @Override
    public ContentType getStaticContentType(Packet packet) {
        return new ContentTypeImpl(((Answer) packet.getInternalMessage()).version.contentType());
    }

    @Override
    public String getMimeType() {
        return "text/xml";
    }

    @Override
    public Codec copy() {
        return this;
    }

    /** For transports over channels; Metro reads and writes HTTP by streams. */
    @Override
    public void decode(ReadableByteChannel in, String contentType, Packet packet) {
        throw new UnsupportedOperationException("HTTP has streams");
    }

    /** As {@link #decode(ReadableByteChannel, String, Packet)}. */
    @Override
    public ContentType encode(Packet packet, WritableByteChannel out) {
        throw new UnsupportedOperationException("HTTP has streams");
    }
}
