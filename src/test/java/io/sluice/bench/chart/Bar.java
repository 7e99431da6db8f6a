package io.sluice.bench.chart;

import java.util.List;

/**
 * A bar: its name and its number in words and as a length.
 *
 * @param parts what it is made of, or nothing
 */
record Bar(String name, Tone tone, Unit unit, Span value, String label, List<Part> parts) {
  static final int NAME_MAX = 42;

  enum Tone {
    /** What this chart is about. */
    OURS,
    /** What it is compared with. */
    OTHER,
    /** What falls short of its goal. */
    SHORT
  }

  record Part(String name, double value) {}

  Bar {
    if (name.isBlank() || name.length() > NAME_MAX) {
      throw new IllegalArgumentException(
          "Expected a name of 1 to %d characters, but got '%s'".formatted(NAME_MAX, name));
    }
    parts = List.copyOf(parts);
  }

  Bar(String name, Tone tone, Unit unit, Span value) {
    this(name, tone, unit, value, unit.text(value.median()), List.of());
  }

  List<String> partNames() {
    return parts.stream().map(Part::name).toList();
  }

  /** Without its unit. */
  String number() {
    return Unit.number(value.median());
  }

  /** In words, for those who cannot see it. */
  String described() {
    StringBuilder text = new StringBuilder(name).append(": ").append(label);
    if (value.isWide()) {
      text.append(" (")
          .append(Unit.number(value.min()))
          .append(" to ")
          .append(unit.text(value.max()))
          .append(')');
    }
    for (Part part : parts) {
      text.append(", ").append(part.name()).append(' ').append(Unit.number(part.value()));
    }
    return text.toString();
  }
}
