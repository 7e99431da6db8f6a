package io.sluice.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A short text that differs if any of the values differs that it is made of. All instances make the
 * same one of the same values.
 */
public final class StateTag {
  private static final int BYTES = 12;

  private StateTag() {}

  public static String of(@Nullable Object... values) {
    String text =
        Stream.of(values)
            .map(String::valueOf)
            .map(value -> value.length() + ":" + value)
            .collect(Collectors.joining(","));
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
