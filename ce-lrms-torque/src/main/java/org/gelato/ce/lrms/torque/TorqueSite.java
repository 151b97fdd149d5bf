package org.gelato.ce.lrms.torque;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.gelato.ce.core.lrms.Lrms;
import org.gelato.ce.core.lrms.SubmitAttributes;
import org.gelato.ce.core.lrms.type.HelperLine;
import org.gelato.ce.core.lrms.type.LrmsOpening;
import org.gelato.ce.core.lrms.type.LrmsSite;
import org.gelato.ce.core.lrms.type.SiteFile;

/**
 * A site's Torque.
 *
 * @param config how it is reached
 */
public record TorqueSite(TorqueConfig config) implements LrmsSite {
    private static final List<String> NEEDED = List.of("qsub", "qdel", "qhold", "qrls", "qstat");
    private static final String BLOCK = TorqueType.BLOCK;

    @Override
    public String idName() {
        return config.idName();
    }

    @Override
    public Lrms open(LrmsOpening opening) {
        return new TorqueLrms(config, opening.accounts(), opening.work());
    }

    @Override
    public List<HelperLine> helperLines() {
        List<HelperLine> lines = new ArrayList<>();
        Stream.concat(NEEDED.stream(), Stream.of("pbsnodes"))
                .forEach(name ->
                        lines.add(HelperLine.executable(config.binDirectory().resolve(name))));
        if (config.submitAttributes() != null) {
            lines.add(HelperLine.of("executable", SubmitAttributes.SHELL));
        }
        TorqueOwnAccountCommands.lines(config).forEach(own -> lines.add(HelperLine.of("self_executable", own)));
        TorqueOwnAccountCommands.environment(config)
                .forEach(variable -> lines.add(HelperLine.of("self_environment", variable)));
        return lines;
    }

    @Override
    public List<SiteFile> files() {
        List<SiteFile> files = new ArrayList<>();
        NEEDED.forEach(name -> files.add(
                SiteFile.program(BLOCK + "bin-directory", config.binDirectory().resolve(name))));
        if (config.accountingDirectory() != null) {
            files.add(SiteFile.directory(BLOCK + "accounting-directory", config.accountingDirectory()));
        }
        if (config.submitAttributes() != null) {
            files.add(SiteFile.file(BLOCK + "submit-attributes", config.submitAttributes()));
        }
        return files;
    }

    @Override
    public String queueCommands() {
        return "qstat -Q -f and pbsnodes -a";
    }
}
