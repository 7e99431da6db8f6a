package io.sluice.model;

import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The condition of a change: the header {@code If-Match} of its call.
 *
 * @param tags as the header has them, with their quotes, one of which what exists must have; or
 *     {@code *} alone, so that it must exist; empty if the change depends on nothing
 */
public record IfMatch(Set<String> tags) {
  private static final String ANY = "*";

  /** Of a call without the header. */
  public static final IfMatch NOTHING = new IfMatch(Set.of());

  /** Whatever it is, if only it exists. */
  public static final IfMatch EXISTS = new IfMatch(Set.of(ANY));

  public IfMatch {
    tags = Set.copyOf(tags);
  }

  /** One tag, as in the header {@code ETag} of an answer. */
  public static IfMatch of(String tag) {
    return new IfMatch(Set.of(quoted(tag)));
  }

  /** A tag in the form of the headers. */
  public static String quoted(String tag) {
    return '"' + tag + '"';
  }

  /**
   * Whether the change may be made. A weak tag is like none.
   *
   * @param tag of what exists, without quotes; empty if nothing does
   */
  public boolean isMet(Optional<String> tag) {
    return tags.isEmpty()
        || (tag.isPresent() && (tags.contains(ANY) || tags.contains(quoted(tag.get()))));
  }

  /** Whether it is met, and by a tag: the caller has seen what exists as it is now. */
  public boolean isMetBy(String tag) {
    return tags.contains(quoted(tag));
  }

  /**
   * A short text that differs if any of the values differs that it is made of. All instances make
   * the same one of the same values.
   */
  public static final class StateTag {
    private static final int BYTES = 12;

    private StateTag() {}

    public static String of(@Nullable Object... values) {
      String text =
          Stream.of(values)
              .map(String::valueOf)
              .map(value -> value.length() + ":" + value)
              .collect(Collectors.joining(","));
      byte[] hash = Arrays.copyOf(Sha256.of(text), BYTES);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    }
  }
}
