package io.sluice.cli.simulate.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.AffineTransform;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Draws the SVG of a {@link Plot} as PNG, twice as large. It knows only what {@link Svg} writes. */
final class PngImage {
    private static final int SCALE = 2;
    private static final Pattern COMMAND = Pattern.compile("([MHVLhz])([^MHVLhz]*)");

    private final Graphics2D canvas;

    private PngImage(Graphics2D canvas) {
        this.canvas = canvas;
    }

    static byte[] of(String svg) throws IOException {
        System.setProperty("java.awt.headless", "true");
        Element root = parse(svg);
        BufferedImage image = new BufferedImage(
                SCALE * (int) number(root, "width"), SCALE * (int) number(root, "height"), BufferedImage.TYPE_INT_RGB);
        Graphics2D canvas = image.createGraphics();
        canvas.scale(SCALE, SCALE);
        canvas.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        canvas.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        canvas.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        PngImage drawn = new PngImage(canvas);
        for (Node node = root.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                drawn.draw(element);
            }
        }
        canvas.dispose();
        ByteArrayOutputStream png = new ByteArrayOutputStream();
        ImageIO.write(image, "png", png);
        return png.toByteArray();
    }

    private static Element parse(String svg) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(svg)))
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException e) {
            throw new IllegalStateException("the SVG of a plot is not well-formed", e);
        }
    }

    private void draw(Element element) {
        switch (element.getTagName()) {
            case "rect" ->
                shape(
                        element,
                        path(new Rectangle2D.Double(
                                number(element, "x"),
                                number(element, "y"),
                                number(element, "width"),
                                number(element, "height"))));
            case "path" -> shape(element, path(element.getAttribute("d")));
            case "text" -> text(element);
            default -> {
                // The title and the description.
            }
        }
    }

    private static Path2D path(Rectangle2D rectangle) {
        return new Path2D.Double(rectangle);
    }

    private static Path2D path(String commands) {
        Path2D path = new Path2D.Double();
        double x = 0;
        double y = 0;
        Matcher each = COMMAND.matcher(commands);
        while (each.find()) {
            double[] numbers = Arrays.stream(each.group(2).trim().split("[ ,]+"))
                    .filter(text -> !text.isEmpty())
                    .mapToDouble(Double::parseDouble)
                    .toArray();
            switch (each.group(1)) {
                case "M" -> {
                    x = numbers[0];
                    y = numbers[1];
                    path.moveTo(x, y);
                }
                case "H" -> {
                    x = numbers[0];
                    path.lineTo(x, y);
                }
                case "h" -> {
                    x += numbers[0];
                    path.lineTo(x, y);
                }
                case "V" -> {
                    y = numbers[0];
                    path.lineTo(x, y);
                }
                default -> path.closePath();
            }
        }
        return path;
    }

    private void shape(Element element, Path2D path) {
        String fill = element.getAttribute("fill");
        if (!fill.equals("none")) {
            Color colour = colour(fill.isEmpty() ? "#000" : fill);
            String opacity = element.getAttribute("fill-opacity");
            int alpha = opacity.isEmpty() ? 255 : (int) Math.round(255 * Double.parseDouble(opacity));
            canvas.setColor(new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), alpha));
            canvas.fill(path);
        }
        if (element.hasAttribute("stroke")) {
            canvas.setColor(colour(element.getAttribute("stroke")));
            canvas.setStroke(stroke(element));
            canvas.draw(path);
        }
    }

    private static BasicStroke stroke(Element element) {
        String width = element.getAttribute("stroke-width");
        String dashes = element.getAttribute("stroke-dasharray");
        float wide = width.isEmpty() ? 1 : Float.parseFloat(width);
        if (dashes.isEmpty()) {
            return new BasicStroke(wide, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND);
        }
        int space = dashes.indexOf(' ');
        float[] lengths = {Float.parseFloat(dashes.substring(0, space)), Float.parseFloat(dashes.substring(space + 1))};
        return new BasicStroke(wide, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, lengths, 0);
    }

    private void text(Element element) {
        String size = element.getAttribute("font-size");
        int style = element.getAttribute("font-weight").isEmpty() ? Font.PLAIN : Font.BOLD;
        canvas.setFont(new Font(Font.SANS_SERIF, style, size.isEmpty() ? 12 : Integer.parseInt(size)));
        String fill = element.getAttribute("fill");
        canvas.setColor(colour(fill.isEmpty() ? "#333" : fill));
        String content = element.getTextContent();
        double width = canvas.getFontMetrics().stringWidth(content);
        double x = number(element, "x");
        double y = number(element, "y");
        AffineTransform before = canvas.getTransform();
        if (element.hasAttribute("transform")) {
            canvas.rotate(-Math.PI / 2, x, y);
        }
        String anchor = element.getAttribute("text-anchor");
        double from = anchor.equals("middle") ? x - width / 2 : anchor.equals("end") ? x - width : x;
        canvas.drawString(content, (float) from, (float) y);
        canvas.setTransform(before);
    }

    private static Color colour(String hex) {
        String digits = hex.substring(1).toLowerCase(Locale.ROOT);
        if (digits.length() == 3) {
            digits = digits.replaceAll("(.)", "$1$1");
        }
        return new Color(Integer.parseInt(digits, 16));
    }

    private static double number(Element element, String name) {
        String text = element.getAttribute(name);
        return text.isEmpty() ? 0 : Double.parseDouble(text);
    }
}
