package org.gelato.ce.ws.cream2;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.gelato.ce.core.job.JobStatus;
import org.gelato.ce.core.service.JobStatusResult;
import org.gelato.ce.ws.soap.gate.WireTime;
import org.gelato.ce.ws.xml.XmlText;

/**
 * Writes the results of JobStatus as {@link ResultWriter} would. Clients request the states of thousands of jobs every minute, and
 * by the generated classes each costs more than reading it from the database. For one answer.
 */
final class StatusWriter implements SlicedResponse.Writer<JobStatusResult> {
    private final SlicedResponse.Writer<JobStatusResult> faults;
    /** What is the same in each result: before the job's number as an attribute, and after it as an id. */
    private final String begin;

    private final String address;
    private final StringBuilder text = new StringBuilder(512);

    /** @param faults writes results that are faults */
    StatusWriter(JobMapping mapping, SlicedResponse.Writer<JobStatusResult> faults) {
        this.faults = faults;
        begin = "<result jobDescriptionId=\"" + XmlText.escaped(mapping.resultRef(""));
        address = "</id><creamURL>" + XmlText.content(mapping.creamUrl()) + "</creamURL></jobId>";
    }

    @Override
    public void write(JobStatusResult result, OutputStream out) throws IOException {
        if (result.fault() != null) {
            faults.write(result, out);
            return;
        }
        JobStatus status = result.status();
        text.setLength(0);
        String id = JobMapping.localId(result.id());
        text.append(begin).append(XmlText.escaped(id));
        text.append("\"><jobStatus><jobId><id>").append(XmlText.content(id)).append(address);
        element("name", status.state().wireName());
        text.append("<timestamp>");
        WireTime.append(text, status.since());
        text.append("</timestamp>");
        element("exitCode", status.exitCode());
        element("failureReason", status.failureReason());
        element("description", status.description());
        text.append("</jobStatus></result>");
        out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private void element(String name, String value) {
        if (value != null) {
            text.append('<').append(name).append('>');
            text.append(XmlText.content(value));
            text.append("</").append(name).append('>');
        }
    }
}
