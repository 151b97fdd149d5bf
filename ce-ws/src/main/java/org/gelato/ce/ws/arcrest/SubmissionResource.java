package org.gelato.ce.ws.arcrest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.gelato.ce.core.base.CallBudget;
import org.gelato.ce.core.base.ExpansionBudget;
import org.gelato.ce.core.service.JobDescription;
import org.gelato.ce.core.service.Jobs;
import org.gelato.ce.core.service.RegisterRequest;
import org.gelato.ce.core.service.RegisterResult;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.DescriptionLanguage;
import org.gelato.ce.description.Languages;
import org.gelato.ce.ws.web.HttpFaults;
import org.gelato.ce.ws.web.Refusal;

/**
 * {@code POST /jobs?action=new}: one description or many, in a language that their first character tells. Each is answered on its
 * own. A job starts at once, or with the last file that its client uploads.
 */
final class SubmissionResource {
    private static final Form.ListName LIST = new Form.ListName("jobs", "job");
    private static final int MAX_INSTANCES = 10_000;
    private static final int MAX_QUEUE = 255;

    private final Jobs jobs;
    private final Languages languages;
    private final ExpansionBudget expansions;

    SubmissionResource(Jobs jobs, Languages languages, ExpansionBudget expansions) {
        this.expansions = expansions;
        this.jobs = jobs;
        this.languages = languages;
    }

    void submit(ArcCall call, byte[] body) throws IOException {
        if (IdList.firstOf(body) < 0) {
            throw new Refusal(500, "Missing payload: expected a job description");
        }
        String queue = call.parameter("queue");
        if (queue != null && (queue.isBlank() || queue.length() > MAX_QUEUE)) {
            throw new Refusal(400, "queue is a name of 1 to " + MAX_QUEUE + " characters");
        }
        String delegation = call.parameter("delegation_id");
        int instances = number("instances", call.parameter("instances"));
        if (number("instances_min", call.parameter("instances_min")) > instances) {
            throw new Refusal(400, "instances_min is larger than instances");
        }
        List<RegisterResult> results;
        try (CallBudget budget = expansions.call(call.person())) {
            results = jobs.registration()
                    .register(
                            call.caller(),
                            RegisterRequest.arc(descriptions(body, delegation, budget), queue, instances));
        }
        HttpFaults.mark(call.response().http(), results.stream().map(RegisterResult::fault));
        call.response().list(201, LIST, List.of(results).iterator(), SubmissionResource::job);
    }

    private List<JobDescription> descriptions(byte[] body, String delegation, CallBudget budget) {
        try {
            String text = text(body);
            DescriptionLanguage language = languages.detect(text);
            return language.split(text, budget).stream()
                    .map(one -> new JobDescription(null, language, one, delegation, null, null, true))
                    .toList();
        } catch (DescriptionException e) {
            throw new Refusal(500, "Payload is not recognized: " + e.getMessage());
        }
    }

    private static String text(byte[] body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Refusal(400, "Payload is not UTF-8");
        }
    }

    private static int number(String name, String given) {
        if (given == null) {
            return 1;
        }
        int number = given.matches("[0-9]{1,5}") ? Integer.parseInt(given) : 0;
        if (number < 1 || number > MAX_INSTANCES) {
            throw new Refusal(400, name + " is a number from 1 to " + MAX_INSTANCES);
        }
        return number;
    }

    private static Part job(RegisterResult result) {
        if (result.fault() != null) {
            return new Part.Builder("job")
                    .with("status-code", 500)
                    .with("reason", result.fault().text())
                    .build();
        }
        return new Part.Builder("job")
                .with("status-code", 201)
                .with("reason", "Created")
                .with("id", result.id())
                .with("state", "ACCEPTING")
                .build();
    }
}
