package org.gelato.ce.ws.soap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.XMLStreamException;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.gelato.ce.ws.web.HardenedXml;
import org.gelato.ce.ws.web.XmlLimits;

/**
 * Requests that never end, wherever they begin not to: reading stops at the limit of bytes, whatever the size of the pieces
 * they come in, and takes memory in proportion to that limit.
 */
class EndlessRequestTest {
    private static final int MAX_BYTES = 64 << 10;
    private static final int ONE_READ = 8 << 10;
    /** All that is ever allocated, most of it given back at once: buffers that double, and names of tiny elements. */
    private static final long BYTES_PER_BYTE = 250;

    private static final String BODY = "<E:Envelope xmlns:E='http://schemas.xmlsoap.org/soap/envelope/' "
            + "xmlns:t='http://glite.org/2007/11/ce/cream/types'><E:Body>";

    private static final HardenedXml XML = new HardenedXml(new XmlLimits(MAX_BYTES, MAX_BYTES, 100, 200_000, 64, 8192));

    /** Knows of a typed element; a scan needs no more. */
    private static final SoapService.Contract CONTRACT = new SoapService.Contract(
            "CREAM2",
            null,
            null,
            null,
            null,
            Set.of(),
            "http://glite.org/2007/11/ce/cream/types",
            Map.of("fromDate", WireType.DATE_TIME),
            false);

    /** The beginning, and what follows it for ever. */
    private record Endless(String start, String more) {}

    /** Returns pieces of the requested size or less, up to the limit of those who gather bodies. */
    private static final class Source extends InputStream {
        private final byte[] start;
        private final byte[] more;
        private final int piece;
        private long given;

        Source(Endless endless, int piece) {
            start = endless.start.getBytes(StandardCharsets.UTF_8);
            more = endless.more.getBytes(StandardCharsets.UTF_8);
            this.piece = piece;
        }

        @Override
        public int read() {
            byte next = given < start.length ? start[(int) given] : more[(int) ((given - start.length) % more.length)];
            given++;
            return next & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (given > MAX_BYTES) {
                throw new IOException("more is not gathered");
            }
            int n = Math.min(piece, length);
            for (int i = 0; i < n; i++) {
                buffer[offset + i] = (byte) read();
            }
            return n;
        }
    }

    @Property
    void readingEnds(@ForAll("endless") Endless endless, @ForAll @IntRange(min = 1, max = ONE_READ) int piece) {
        Source source = new Source(endless, piece);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> new EnvelopeReader(XML.reader(source, null), CONTRACT).read())
                .isInstanceOfAny(RequestRefused.class, XMLStreamException.class);
        long taken = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(source.given).isLessThanOrEqualTo(MAX_BYTES + ONE_READ);
        assertThat(taken).isLessThan(MAX_BYTES * BYTES_PER_BYTE);
    }

    @Provide
    Arbitrary<Endless> endless() {
        return Arbitraries.of(List.of(
                new Endless("", " "),
                new Endless("", "\n"),
                new Endless("", "x"),
                new Endless("", "\u0000"),
                new Endless("\ufeff", " "),
                new Endless("<?xml version='1.0' ", " "),
                new Endless("<?xml version='", "1"),
                new Endless("<?xml version='1.0' encoding='", "u"),
                new Endless("<!-- ", "x"),
                new Endless("<!-- ", "- "),
                new Endless("<?p ", "?"),
                new Endless("<!DOCTYPE ", "a"),
                new Endless("<!DOCTYPE a [", "<!ENTITY a 'b'>"),
                new Endless("<!DOCTYPE a SYSTEM '", "f"),
                new Endless("<", "a"),
                new Endless("<a ", " "),
                new Endless("<a ", "b"),
                new Endless("<a b='", "c"),
                new Endless("<a b='", "&lt;"),
                new Endless("<a xmlns:b='", "urn:"),
                new Endless(BODY, "<a>"),
                new Endless(BODY, "<a/>"),
                new Endless(BODY, "</a>"),
                new Endless(BODY, " "),
                new Endless(BODY, "<!-- c -->"),
                new Endless(BODY, "<?p i?>"),
                new Endless(BODY + "<t:JobPurgeRequest>", "<t:a/>"),
                new Endless(BODY + "<t:JobPurgeRequest>", "<t:a></t:a>"),
                new Endless(BODY + "<t:JobPurgeRequest>", "x"),
                new Endless(BODY + "<t:JobPurgeRequest>", "&amp;"),
                new Endless(BODY + "<t:JobPurgeRequest>", "&#65;"),
                new Endless(BODY + "<t:JobPurgeRequest>", "\ud83d\ude00"),
                new Endless(BODY + "<t:JobPurgeRequest>&", "a"),
                new Endless(BODY + "<t:JobPurgeRequest>&#", "0"),
                new Endless(BODY + "<t:JobPurgeRequest><![CDATA[", "]"),
                new Endless(BODY + "<t:JobPurgeRequest>", "<![CDATA[x]]>"),
                new Endless(BODY + "<t:JobPurgeRequest><t:fromDate>", "2"),
                new Endless(BODY + "<t:JobPurgeRequest><t:fromDate>", "2<!-- -->"),
                new Endless(BODY + "</E:Body></E:Envelope>", " "),
                new Endless(BODY + "</E:Body></E:Envelope>", "<!-- -->")));
    }
}
