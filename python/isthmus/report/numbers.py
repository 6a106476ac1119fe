"""Numbers as people read them."""


def counted(count: int, what: str) -> str:
    """Returns "1 node", "2,000 nodes"."""
    return f"{count:,} {what}" + ("" if count == 1 else "s")


def rounded(count: int) -> str:
    """Returns a count with three digits: "125 M"."""
    number, unit = _scaled(count, 1000, ["", " k", " M", " G", " T"])
    return f"{number:.4g}{unit}" if number < 1000 else f"{number:,.0f}{unit}"


def size(count: int) -> str:
    """Returns a number of bytes: "1.5 MiB"."""
    if count == 1:
        return "1 byte"
    number, unit = _scaled(count, 1024, ["bytes", "KiB", "MiB", "GiB", "TiB"])
    return f"{count:,} {unit}" if unit == "bytes" else f"{number:,.1f} {unit}"


def _scaled(count, base, units):
    """Returns a number below the base, and its unit. Counts from files may be beyond any float."""
    scale = 1
    for unit in units[:-1]:
        if count < base * scale:
            return count / scale, unit
        scale *= base
    return min(count // scale, 10**15), units[-1]
