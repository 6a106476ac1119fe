"""Plots lines over sizes as an SVG with logarithmic axes, so that equal growth has equal slope."""

import html
import math

WIDTH, HEIGHT, LEGEND, GAP = 380, 300, 230, 50
MARGIN_LEFT, MARGIN_BOTTOM, MARGIN_TOP = 55, 35, 30


def color(index, count):
    return f"hsl({360 * index / count:.0f} 70% {40 if index % 2 else 55}%)"


def text(x, y, content, **attributes):
    extra = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    return f'<text x="{x:.1f}" y="{y:.1f}"{extra}>{html.escape(content)}</text>'


def panel(title, lines, sizes, colors, top):
    """Returns one pair of axes with a line per entry of `lines`, which has a value for each of `sizes`."""
    values = [value for line in lines.values() for value in line if value > 0]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    left, bottom = MARGIN_LEFT, top + HEIGHT - MARGIN_BOTTOM
    width, height = WIDTH - MARGIN_LEFT, HEIGHT - MARGIN_BOTTOM - MARGIN_TOP
    first, last = math.log10(sizes[0]), math.log10(sizes[-1])

    def x_of(size):
        return left + width * (math.log10(size) - first) / max(last - first, 1e-9)

    def y_of(value):
        return bottom - height * (math.log10(max(value, 10.0**low)) - low) / max(high - low, 1)

    parts = [text(left, top + MARGIN_TOP - 12, title, font_weight="bold")]
    for exponent in range(low, high + 1):
        y = y_of(10.0**exponent)
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + width}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(text(left - 6, y + 4, f"{10.0**exponent:g}", text_anchor="end"))
    for size in sizes:
        parts.append(text(x_of(size), bottom + 18, f"{size:,}", text_anchor="middle"))
    for name, line in lines.items():
        points = " ".join(f"{x_of(size):.1f},{y_of(value):.1f}" for size, value in zip(sizes, line))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colors[name]}" stroke-width="1.5"/>')
    return parts


def svg(panels, sizes):
    """Returns the text of a figure with a panel for each (title, lines) and one common legend."""
    names = list(dict.fromkeys(name for _, lines in panels for name in lines))
    colors = {name: color(i, len(names)) for i, name in enumerate(names)}
    rows = [panels[i : i + 2] for i in range(0, len(panels), 2)]
    parts = []
    for row, pair in enumerate(rows):
        for column, (title, lines) in enumerate(pair):
            parts.append(f'<g transform="translate({column * (WIDTH + GAP)} 0)">')
            parts += panel(title, lines, sizes, colors, row * HEIGHT)
            parts.append("</g>")
    left = 2 * (WIDTH + GAP)
    for i, name in enumerate(names):
        y = MARGIN_TOP + 16 * i
        parts.append(f'<line x1="{left}" y1="{y}" x2="{left + 20}" y2="{y}" stroke="{colors[name]}" stroke-width="3"/>')
        parts.append(text(left + 26, y + 4, name))
    width, height = left + LEGEND, max(len(rows) * HEIGHT, MARGIN_TOP + 16 * len(names))
    style = 'font-family="sans-serif" font-size="11"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {style}>'
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>", ""])
