package org.gelato.ce.description.jdl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import org.gelato.ce.description.DescriptionException;
import org.gelato.ce.description.JobRequest;
import org.gelato.ce.description.JobRequest.Filter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MonitoringRuleTest {
    private static JobRequest parse(String attributes) throws DescriptionException {
        return Jdl.parse("Executable = \"/bin/true\"; BatchSystem = \"slurm\"; QueueName = \"q\";" + attributes);
    }

    @Test
    void aJobThatDoesNotMentionItHasNone() throws DescriptionException {
        assertThat(parse("StdOutput = \"out\";").monitoring()).isEqualTo(JobRequest.Monitoring.NONE);
        assertThat(parse("LiveOutput = false; MonitorFilters = {};").monitoring())
                .isEqualTo(JobRequest.Monitoring.NONE);
    }

    @Test
    void filtersAreExpressionsOrPrograms() throws DescriptionException {
        JobRequest request = parse(
                "StdOutput = \"out\"; liveoutput = true; InputSandbox = { \"/home/me/count\", \"a=b\" };"
                        + "MonitorFilters = { \"/^a=[/]$/\", \"my.key = /x y/\", \"/usr/bin/filter\", \"count\", \"$TOOLS/f\", \"a=b\" };");
        assertThat(request.monitoring().liveOutput()).isTrue();
        assertThat(request.monitoring().filters())
                .containsExactly(
                        new Filter("stdout", "^a=[/]$", null),
                        new Filter("my.key", "x y", null),
                        new Filter(null, null, "/usr/bin/filter"),
                        new Filter(null, null, "count"),
                        new Filter(null, null, "$TOOLS/f"),
                        new Filter(null, null, "a=b"));
        assertThat(request.warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            MonitorFilters = "/x/"                           | filters read the file of StdOutput, which is not defined
            StdOutput = "o"; MonitorFilters = "//"           | the expression is empty
            StdOutput = "o"; MonitorFilters = "a b=/x/"      | a key has 1 to 64 letters
            StdOutput = "o"; MonitorFilters = "=/x/"         | a key has 1 to 64 letters
            StdOutput = "o"; MonitorFilters = "count"        | the filter file is not listed in the InputSandbox
            StdOutput = "o"; MonitorFilters = "bin/count"    | relative path not allowed
            StdOutput = "o"; MonitorFilters = "/usr/*"       | wildcards not allowed
            StdOutput = "o"; MonitorFilters = "/a\tb/"       | control characters not allowed
            StdOutput = "o"; MonitorFilters = 3              | wrong type
            StdOutput = "o"; MonitorFilters = { true }       | wrong type
            LiveOutput = "true"                              | wrong type
            """)
    void whatCannotBeDoneIsRefused(String attributes, String reason) {
        assertThatThrownBy(() -> parse(attributes + ";"))
                .isInstanceOf(DescriptionException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void filtersAreFewAndShort() throws DescriptionException {
        String most = String.join(",", Collections.nCopies(16, "\"/" + "x".repeat(254) + "/\""));
        assertThat(parse("StdOutput = \"o\"; MonitorFilters = {" + most + "};")
                        .monitoring()
                        .filters())
                .hasSize(16);
        assertThatThrownBy(() -> parse("StdOutput = \"o\"; MonitorFilters = {" + most + ", \"/x/\"};"))
                .hasMessageContaining("17 filters, at most 16");
        assertThatThrownBy(() -> parse("StdOutput = \"o\"; MonitorFilters = \"/" + "x".repeat(255) + "/\";"))
                .hasMessageContaining("a filter of 257 characters, at most 256");
    }

    @Test
    void liveOutputOfNothingIsAWarning() throws DescriptionException {
        assertThat(parse("LiveOutput = true;").warnings())
                .containsExactly("LiveOutput: neither StdOutput nor StdError is defined, nothing will be sent");
    }
}
