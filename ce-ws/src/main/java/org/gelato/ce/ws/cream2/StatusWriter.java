package org.gelato.ce.ws.cream2;

import java.util.function.BiConsumer;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.JobStatusResult;
import org.gelato.ce.ws.soap.ElementWriter;
import org.gelato.ce.ws.web.XmlText;

/**
 * Writes the results of JobStatus. Clients request the states of thousands of jobs every minute; what is the same in each is made once.
 * For one answer.
 */
final class StatusWriter implements BiConsumer<JobStatusResult, ElementWriter> {
    private final BiConsumer<JobStatusResult, ElementWriter> faults;
    /** Before the job's number as an attribute. */
    private final String begin;
    /** After it as an id. */
    private final String address;

    /** @param faults writes results that are faults */
    StatusWriter(JobMapping mapping, BiConsumer<JobStatusResult, ElementWriter> faults) {
        this.faults = faults;
        begin = "<result jobDescriptionId=\"" + XmlText.escaped(mapping.resultRef(""));
        address = "</id><creamURL>" + XmlText.content(mapping.creamUrl()) + "</creamURL></jobId>";
    }

    @Override
    public void accept(JobStatusResult result, ElementWriter to) {
        if (result.fault() != null) {
            faults.accept(result, to);
            return;
        }
        JobStatus status = result.status();
        String id = JobMapping.localId(result.id());
        to.xml(begin)
                .xml(XmlText.escaped(id))
                .xml("\"><jobStatus><jobId><id>")
                .text(id)
                .xml(address);
        JobMapping.state(status, to);
        to.xml("</jobStatus></result>");
    }
}
