package org.gelato.ce.testkit.model;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The steps of jobs as CEs recorded them ({@code -Dgelato.test.trace-file}): for each job the steps in order, each with the number
 * of the process, from 0, among those that one after another did something for this job. A trace is a line such as
 * {@code START_WRITTEN/0 CLAIM_WRITTEN/0 START_WRITTEN/1}.
 */
public final class StepTraces {
    private StepTraces() {}

    /** The different traces of a file that CEs wrote, in order of their first jobs. A last line that a kill cut off is left out. */
    public static List<String> recorded(Path file) {
        Map<String, List<String>> byJob = new LinkedHashMap<>();
        Map<String, List<String>> processes = new LinkedHashMap<>();
        for (String line : lines(file)) {
            String[] parts = line.split(" ");
            for (int i = 2; i < parts.length; i++) {
                List<String> own = processes.computeIfAbsent(parts[i], job -> new ArrayList<>());
                if (!own.contains(parts[0])) {
                    own.add(parts[0]);
                }
                byJob.computeIfAbsent(parts[i], job -> new ArrayList<>()).add(parts[1] + "/" + own.indexOf(parts[0]));
            }
        }
        Set<String> different = new LinkedHashSet<>();
        byJob.values().forEach(steps -> different.add(String.join(" ", steps)));
        return List.copyOf(different);
    }

    private static List<String> lines(Path file) {
        try {
            String text = Files.readString(file);
            return List.of(text.substring(0, text.lastIndexOf('\n') + 1).split("\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
