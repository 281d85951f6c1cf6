package io.sluice.cli.simulate.plot;

import io.sluice.server.json.DisplayText;
import java.util.Locale;

/** Writes the few SVG elements that a plot needs. Coordinates are rounded to a tenth of a pixel. */
final class Svg {
    private final StringBuilder text = new StringBuilder();

    Svg(int width, int height, String title, String description) {
        text.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\""
                        + " aria-labelledby=\"title desc\" font-family=\"system-ui, 'Segoe UI', Roboto, 'DejaVu Sans',"
                        + " sans-serif\" font-size=\"12\" fill=\"#333\">\n<title id=\"title\">%s</title>\n"
                        + "<desc id=\"desc\">%s</desc>\n<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
                width,
                height,
                width,
                height,
                escaped(title),
                escaped(description),
                width,
                height));
    }

    /** Writes text on the baseline {@code y}. The attributes are written unchanged. */
    void text(double x, double y, String attributes, String content) {
        text.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(y));
        text.append("\" ")
                .append(attributes)
                .append('>')
                .append(escaped(content))
                .append("</text>\n");
    }

    void path(CharSequence d, String attributes) {
        text.append("<path d=\"").append(d).append("\" ").append(attributes).append("/>\n");
    }

    void rect(double x, double y, double width, double height, String attributes) {
        text.append("<rect x=\"").append(number(x)).append("\" y=\"").append(number(y));
        text.append("\" width=\"").append(number(width)).append("\" height=\"").append(number(height));
        text.append("\" ").append(attributes).append("/>\n");
    }

    String end() {
        return text.append("</svg>\n").toString();
    }

    static String number(double value) {
        long tenths = Math.round(value * 10);
        return tenths % 10 == 0 ? String.valueOf(tenths / 10) : String.valueOf(tenths / 10.0);
    }

    /** Escapes the text of an element. Characters that XML does not allow are replaced. */
    static String escaped(String content) {
        StringBuilder escaped = new StringBuilder(content.length());
        DisplayText.onOneLine(content).codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                default -> {
                    boolean allowed = c != 0xFFFE && c != 0xFFFF && (c < 0xD800 || c > 0xDFFF);
                    escaped.appendCodePoint(allowed ? c : 0xFFFD);
                }
            }
        });
        return escaped.toString();
    }
}
