package org.gelato.ce.ws.admin;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.gelato.ce.core.accounting.UsageQueries;
import org.gelato.ce.core.accounting.UsageQueries.By;
import org.gelato.ce.core.accounting.UsageQueries.Selection;
import org.gelato.ce.core.identity.Caller;
import org.gelato.ce.core.identity.Identity;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobLabels;
import org.gelato.ce.json.ExitCodeComparison;
import org.gelato.ce.ws.web.CallerResolver;
import org.gelato.ce.ws.web.Parameters;

/**
 * {@code GET /ce-cream/usage}: what jobs used that ran and ended between {@code from} and {@code to}, and with {@code failed=true} or {@code exitCode=!=0} so; everybody's for administrators,
 * otherwise the caller's own. With {@code by=vo,user,queue,month}, some of them, sums; with {@code jobs=true} a page of jobs, and
 * {@code after} for the next.
 */
final class UsageServlet extends AdminServlet {
    private static final long serialVersionUID = 1L;
    private static final int PAGE = 2000;
    private static final int MAX_KEYS = 8;
    private static final Pattern AFTER = Pattern.compile("[0-9]{1,9}");

    private final transient UsageQueries usage;
    private final transient Consumer<String> requested;

    /** @param requested gets the criteria of each request for what all users used */
    UsageServlet(CallerResolver callers, UsageQueries usage, Consumer<String> requested) {
        super(callers, "what all users used");
        this.usage = usage;
        this.requested = requested;
    }

    @Override
    boolean forEverybody() {
        return true;
    }

    @Override
    Object answer(HttpServletRequest request) {
        throw new IllegalStateException("needs the caller");
    }

    @Override
    Object answer(Caller caller, HttpServletRequest request) {
        Identity of = caller.admin() ? null : caller.identity();
        Interval interval = Interval.of(request);
        Selection selection = new Selection(of, interval.from(), interval.to(), labels(request), ending(request));
        boolean jobs = "true".equals(Parameters.single(request, "jobs"));
        int after = after(Parameters.single(request, "after"));
        List<By> by = by(Parameters.single(request, "by"));
        if (of == null && after == 0) {
            requested.accept("usage from " + interval.from() + " to " + interval.to() + (jobs ? " by job" : ""));
        }
        return jobs
                ? usage.page(selection, after, PAGE)
                : Map.of(
                        "sums",
                        usage.sums(selection, by).stream()
                                .map(sum -> json(by, sum))
                                .toList());
    }

    private static int after(String text) {
        if (text != null && !AFTER.matcher(text).matches()) {
            throw new IllegalArgumentException("parameter after is no number of a record");
        }
        return text == null ? 0 : Integer.parseInt(text);
    }

    private static List<By> by(String text) {
        List<By> by = new ArrayList<>();
        for (String word : text == null ? new String[0] : text.split(",", -1)) {
            By one = By.of(word);
            if (by.contains(one)) {
                throw new IllegalArgumentException("parameter by has " + word + " twice");
            }
            by.add(one);
        }
        if (by.size() > MAX_KEYS) {
            throw new IllegalArgumentException("parameter by has " + by.size() + " words, at most " + MAX_KEYS);
        }
        return by;
    }

    private static JobLabels labels(HttpServletRequest request) {
        String label = Parameters.single(request, "label");
        try {
            return JobLabels.check(
                    "name", Parameters.single(request, "name"), "label", label == null ? List.of() : List.of(label));
        } catch (DescriptionException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static UsageQueries.Ending ending(HttpServletRequest request) {
        String code = Parameters.single(request, "exitCode");
        return new UsageQueries.Ending(
                "true".equals(Parameters.single(request, "failed")), code == null ? null : ExitCodeComparison.of(code));
    }

    private static Map<String, Object> json(List<By> by, UsageQueries.Sum sum) {
        Map<String, Object> json = new LinkedHashMap<>();
        for (int i = 0; i < by.size(); i++) {
            json.put(by.get(i).name(), sum.values().get(i));
        }
        json.put("jobs", sum.jobs());
        json.put("cpuSeconds", sum.cpuSeconds());
        json.put("wallSeconds", sum.wallSeconds());
        json.put("coreSeconds", sum.coreSeconds());
        json.put("unmeasured", sum.unmeasured());
        return json;
    }
}
