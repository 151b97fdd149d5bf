package org.gelato.ce.perf.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Lines over time, drawn without a screen. For one thread. */
public final class Figure {
    private static final int WIDTH = 960;
    private static final int HEIGHT = 420;
    private static final Color[] COLOURS = {
        new Color(0x1f4e9c), new Color(0xc0392b), new Color(0x2e8b57), new Color(0xb8860b), new Color(0x6a3d9a)
    };

    private final String file;
    private final String title;
    private final String unit;
    private final String beside;
    private final Map<String, Line> lines = new LinkedHashMap<>();

    private record Line(List<Double> x, List<Double> y) {}

    /**
     * @param file name without its end
     * @param unit of the values
     * @param beside what the same figure of the report shows, for the text under it
     */
    Figure(String file, String title, String unit, String beside) {
        this.file = file;
        this.title = title;
        this.unit = unit;
        this.beside = beside;
    }

    public String file() {
        return file + ".png";
    }

    public String title() {
        return title;
    }

    public String beside() {
        return beside;
    }

    Figure line(String name, List<Double> seconds, List<Double> values) {
        if (seconds.size() != values.size()) {
            throw new IllegalArgumentException(name + ": " + seconds.size() + " times, " + values.size() + " values");
        }
        lines.put(name, new Line(new ArrayList<>(seconds), new ArrayList<>(values)));
        return this;
    }

    /** Whether there is anything to see. */
    boolean isEmpty() {
        return lines.values().stream().allMatch(line -> line.x().size() < 2);
    }

    /** The figure as PNG. */
    public byte[] png() {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle("seconds")
                .yAxisTitle(unit)
                .build();
        Styler style = chart.getStyler();
        style.setChartBackgroundColor(Color.WHITE);
        style.setPlotBorderVisible(false);
        style.setLegendPosition(Styler.LegendPosition.OutsideE);
        style.setSeriesColors(COLOURS);
        chart.getStyler().setYAxisMin(0.0);
        lines.forEach((name, line) -> {
            XYSeries series = chart.addSeries(name, line.x(), line.y());
            series.setMarker(SeriesMarkers.NONE);
            series.setLineStyle(new BasicStroke(1.6f));
        });
        try {
            ByteArrayOutputStream png = new ByteArrayOutputStream();
            ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", png);
            return png.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("the figure " + file + " could not be drawn: " + e.getMessage(), e);
        }
    }
}
