package org.gelato.ce.ws.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.gelato.ce.core.job.JobId;
import org.junit.jupiter.api.Test;

class CreamUrlsTest {
    private final CreamUrls urls = new CreamUrls(URI.create("https://ce.example.org:8443"));

    /** As A-REX has them: DIRAC knows its pilots by the URL. */
    @Test
    void aJobOfArcRestHasNamesOfItsOwn() {
        assertThat(urls.names(new JobId(123_456_789), true).toString())
                .isEqualTo("{GRID_GLOBAL_JOBID=CREAM123456789,"
                        + " GRID_GLOBAL_JOBURL=https://ce.example.org:8443/arex/CREAM123456789,"
                        + " GRID_GLOBAL_JOBINTERFACE=org.nordugrid.arcrest, GRID_GLOBAL_JOBHOST=ce.example.org}");
        assertThat(urls.names(new JobId(123_456_789), false).toString())
                .isEqualTo("{CREAM_JOBID=https://ce.example.org:8443/CREAM123456789}");
    }
}
