package org.gelato.ce.it.monitoring;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.awt.image.IndexColorModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/** Makes pictures of pages small: they have few colours, and shades between them at the edges of letters. */
final class Pictures {
    private static final int COLOURS = 64;

    private Pictures() {}

    /** A colour of a sign has few pixels and says more than the greys of letters. */
    private static int weight(int pixel) {
        Color colour = new Color(pixel);
        int most = Math.max(colour.getRed(), Math.max(colour.getGreen(), colour.getBlue()));
        int least = Math.min(colour.getRed(), Math.min(colour.getGreen(), colour.getBlue()));
        return 1 + (most - least) / 8;
    }

    /** Writes a PNG again with its most frequent colours; each other one becomes the nearest of them. */
    static void reduce(Path file) throws IOException {
        BufferedImage picture = ImageIO.read(file.toFile());
        Map<Integer, Integer> counts = new HashMap<>();
        int[] pixels = picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth());
        for (int pixel : pixels) {
            counts.merge(pixel, weight(pixel), Integer::sum);
        }
        List<Integer> palette = counts.entrySet().stream()
                .sorted(Map.Entry.<Integer, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(COLOURS)
                .map(Map.Entry::getKey)
                .toList();
        byte[][] parts = new byte[3][palette.size()];
        for (int i = 0; i < palette.size(); i++) {
            Color colour = new Color(palette.get(i));
            parts[0][i] = (byte) colour.getRed();
            parts[1][i] = (byte) colour.getGreen();
            parts[2][i] = (byte) colour.getBlue();
        }
        BufferedImage reduced = new BufferedImage(
                picture.getWidth(),
                picture.getHeight(),
                BufferedImage.TYPE_BYTE_INDEXED,
                new IndexColorModel(8, palette.size(), parts[0], parts[1], parts[2]));
        Map<Integer, Integer> nearest = new HashMap<>();
        int[] indices = new int[pixels.length];
        for (int i = 0; i < pixels.length; i++) {
            indices[i] = nearest.computeIfAbsent(pixels[i], p -> nearest(palette, p));
        }
        reduced.getRaster().setPixels(0, 0, picture.getWidth(), picture.getHeight(), indices);
        ImageIO.write(reduced, "png", file.toFile());
    }

    private static int nearest(List<Integer> palette, int pixel) {
        Color colour = new Color(pixel);
        int best = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < palette.size(); i++) {
            Color other = new Color(palette.get(i));
            int red = colour.getRed() - other.getRed();
            int green = colour.getGreen() - other.getGreen();
            int blue = colour.getBlue() - other.getBlue();
            int distance = red * red + green * green + blue * blue;
            if (distance < least) {
                least = distance;
                best = i;
            }
        }
        return best;
    }
}
